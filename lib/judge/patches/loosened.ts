/** Matchers that take one value, and those that take many; a chain may be on lines of its own. */
const EXACT =
  /\.(?:toBe|toEqual|toStrictEqual|toHaveBeenCalledTimes|toHaveLength|toHaveBeenCalledWith|toMatchSnapshot|toMatchInlineSnapshot)\s{0,4}\(|\bassert(?:\.(?:strictEqual|deepStrictEqual|equal|deepEqual)|Equals?|ListEqual|DictEqual|_eq!?)\s{0,4}\(|\bassert\s[^=]{0,300}==/
const LOOSE =
  /\.(?:toBeTruthy|toBeFalsy|toBeDefined|toBeUndefined|toBeCloseTo|toBeGreaterThan(?:OrEqual)?|toBeLessThan(?:OrEqual)?|toContain|toContainEqual|toMatch|toMatchObject|toHaveProperty|toBeInstanceOf|toBeTypeOf|toHaveBeenCalled)\s{0,4}\(|\bassert(?:\.(?:ok|match|notEqual|notStrictEqual|isOk|exists|isDefined)|True|IsNotNone|In|NotEqual|GreaterEqual|Greater|Less|LessEqual)\s{0,4}\(|\bassert!\s{0,4}\(|\bassert\s(?!.{0,300}==)/
/** The same where words are common, so that something else on the line has to assert. */
const ASSERTS = /\b(?:expect|assert\w{0,40}|require|should|verify)\b/
const EXACT_WORD = /\.(?:equal|eql|equals|eq|isEqualTo|hasSize|Equal|EqualValues)\s{0,4}\(/
const LOOSE_WORD =
  /\.(?:to|should)(?:\.\w{1,20}){0,4}\.(?:ok|exist|exists|include|includes|contain|contains|match|above|below|within|least|most|an?|satisfy)\b|\.(?:isNotNull|isNotEmpty|isTrue|isPositive|contains|NotNil|NotEmpty|NoError|Contains|True|Greater|Less)\s{0,4}\(/
/** Stand-ins for any value of a kind, in the place of a value. */
const ANY =
  /\b(?:expect\.(?:not\.)?(?:anything|any|objectContaining|stringContaining|stringMatching|arrayContaining|closeTo)|mock\.ANY|Mockito\.any|sinon\.match)\b/
const NEGATED = /\.not\.(?:to|be|equal|deep)/
const THROWS = /\.(?:toThrow|toThrowError|throws?|rejects)\s{0,4}\(\s{0,4}(\))?/
/** Two digits are compared where none are stated. */
const CLOSE_TO = /\.toBeCloseTo\s{0,4}\([^,]{1,200}?(?:,\s{0,4}(\d{1,4})\s{0,4})?\)/
const SUBJECT = /\b(?:expect|assert\w{0,40}|require)(?:\.\w{1,40}){0,3}!?\s?\(?\s{0,4}([^,()=]{1,200})/

/** Settings of which a larger number lets more pass, and of which a smaller one does. */
const VALUE = String.raw`["']?\s{0,8}(?:[:=(]|(?<=--[A-Za-z-]{1,60})\s)\s{0,8}(\d[\d_]{0,20}(?:\.\d{1,20})?)`
const RAISED = new RegExp(
  `(timeout|retries|retry|tolerance|epsilon|delta|max-?warnings|maxDiffPixels|maxDiffPixelRatio|threshold_ms)([A-Za-z_]{0,20})${VALUE}`,
  'gi',
)
const LOWERED = new RegExp(
  `(threshold|coverage|minimum|fail[_-]under|branches|functions|statements|lines)([A-Za-z_]{0,20})${VALUE}`,
  'gi',
)
/** Words that are settings only as a whole name, and those only where checks are set up. */
const WHOLE = new Set(['epsilon', 'delta', 'coverage', 'minimum'])
const WHOLE_IN_CONFIG = new Set(['branches', 'functions', 'statements', 'lines'])
const NAME_CHARS_MAX = 40

/** What a line says that may be loosened, found in one walk so that lines can be held against each other. */
export interface LineLimits {
  text: string
  subject: string | null
  isExact: boolean
  isLoose: boolean
  takesAny: boolean
  isNegated: boolean
  /** Whether an error is asserted with what it must be, or any error will do; null where none is. */
  throws: 'given' | 'any' | null
  /** Digits that numbers are compared to; null where none are. */
  digits: number | null
  raised: readonly [string, number][]
  lowered: readonly [string, number][]
}

/** @param isConfig whether checks are set up in the file of the line */
export function limitsOf(text: string, isConfig: boolean): LineLimits {
  const asserts = ASSERTS.test(text)
  const thrown = asserts ? THROWS.exec(text) : null
  const closeTo = CLOSE_TO.exec(text)
  return {
    text: text.trim(),
    subject: SUBJECT.exec(text)?.[1]?.trim() ?? null,
    takesAny: ANY.test(text),
    isNegated: NEGATED.test(text),
    isExact: EXACT.test(text) || (asserts && EXACT_WORD.test(text)),
    isLoose: LOOSE.test(text) || (asserts && LOOSE_WORD.test(text)),
    throws: thrown === null ? null : thrown[1] === ')' ? 'any' : 'given',
    digits: closeTo === null ? null : Number(closeTo[1] ?? 2),
    raised: settings(text, RAISED, isConfig),
    lowered: settings(text, LOWERED, isConfig),
  }
}

function settings(text: string, rule: RegExp, isConfig: boolean): [string, number][] {
  return [...text.matchAll(rule)].flatMap(({ index, 1: word, 2: behind, 3: value }): [string, number][] => {
    let start = index
    while (start > Math.max(0, index - NAME_CHARS_MAX) && /[\w-]/.test(text[start - 1]!)) start--
    const name = (text.slice(start, index) + word + behind).toLowerCase()
    const isSetting = WHOLE_IN_CONFIG.has(word!.toLowerCase())
      ? isConfig && WHOLE_IN_CONFIG.has(name)
      : !WHOLE.has(word!.toLowerCase()) || WHOLE.has(name)
    return isSetting ? [[name, Number(value!.replaceAll('_', ''))]] : []
  })
}

/** Whether a line that took the place of another one lets more pass. */
export function isLoosened(before: LineLimits, after: LineLimits): boolean {
  if (before.isExact && !after.isExact && after.isLoose) return true
  if (
    (before.isExact || before.isLoose) &&
    (after.isExact || after.isLoose) &&
    ((after.takesAny && !before.takesAny) || (after.isNegated && !before.isNegated))
  )
    return true
  if (before.throws === 'given' && after.throws === 'any') return true
  if (before.digits !== null && after.digits !== null && after.digits < before.digits) return true
  const moved = (a: LineLimits['raised'], b: LineLimits['raised'], larger: boolean): boolean =>
    b.some(([key, value]) => a.some(([other, was]) => other === key && (larger ? value > was : value < was)))
  return moved(before.raised, after.raised, true) || moved(before.lowered, after.lowered, false)
}

/**
 * Of lines that took the place of others those that let more pass. Each is held against the line in the same place among those that
 * went, and against all that assert of the same thing; a line that only moved is none that went.
 */
export function loosenedLines<T extends { limits: LineLimits }>(
  gone: readonly LineLimits[],
  added: readonly T[],
): T[] {
  const fresh = new Set(added.map(({ limits }) => limits.text))
  const left = new Set(gone.filter(({ text }) => !fresh.has(text)))
  return added.filter(({ limits }, i) => {
    if (gone.some(({ text }) => text === limits.text)) return false
    return [...left].some(
      (before) =>
        (before === gone[i] ||
          (before.subject !== null && before.subject === limits.subject) ||
          hasSetting(before)) &&
        isLoosened(before, limits),
    )
  })
}

/** Settings have names, so a change of one is found wherever it is. */
const hasSetting = ({ raised, lowered }: LineLimits): boolean => raised.length > 0 || lowered.length > 0
