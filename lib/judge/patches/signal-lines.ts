import type { FlagCode } from '../../model/flags'

/** What a rule knows of the file beside the line. */
export interface LinePlace {
  kind: 'shell' | 'prose' | 'code'
  isTest: boolean
}

interface LineRule {
  code: FlagCode
  /** No repeat without a bound is before something that may be missing: time stays linear in the line. */
  pattern: RegExp
  holds?: (place: LinePlace) => boolean
}

const isRun = ({ kind }: LinePlace): boolean => kind !== 'prose'
const isShell = ({ kind }: LinePlace): boolean => kind === 'shell'

/** What an added line may do to a check, by the words of the tools that people use. */
const ADDED: readonly LineRule[] = [
  {
    code: 'skip-added',
    pattern:
      /\b(?:it|test|describe|suite|context|specify)(?:\.\w{1,40}){0,4}(?:\.(?:skip|only|fixme|todo|skipIf|runIf|fails|failing)\b|\[\s?["'`](?:skip|only|fixme|todo)["'`])/,
  },
  {
    code: 'skip-added',
    pattern:
      /\b(?:xit|xdescribe|xtest|xcontext|xspecify)\s{0,4}\(|(?<![\w.$])(?:fit|fdescribe|fcontext)\s{0,4}\(\s{0,4}["'`]|\bthis\.skip\s?\(/,
  },
  {
    code: 'skip-added',
    pattern:
      /@(?:pytest\.mark\.|unittest\.)?(?:skip(?:[Ii]f|[Uu]nless)?|xfail|expectedFailure)(?![\w-])|\b(?:pytest|unittest|self)\.(?:skip|skipTest|xfail|importorskip)\s?\(/,
  },
  {
    code: 'skip-added',
    pattern:
      /\bt\.Skip(?:f|Now)?\s{0,4}\(|\[Ignore\b|@(?:Ignore|Disabled)\b|#\[ignore\b|\b(?:Fact|Theory|Test|TestCase|TestMethod)\s?\([^)]{0,200}\b(?:Skip|Ignore)\s{0,4}=|\bXCTSkip(?:If|Unless)?\s?\(/,
  },
  {
    code: 'skip-added',
    pattern: /["']?\b(?:skip|todo)\b["']?\s{0,4}:\s{0,4}true\b|\bskip:\s{0,4}["'`](?!\d)/,
    holds: ({ kind, isTest }) => isTest && kind === 'code',
  },
  {
    code: 'suppression-added',
    pattern:
      /eslint-disable|@ts-(?:ignore|expect-error|nocheck)|\bnoqa\b|type:\s{0,8}ignore|biome-ignore|prettier-ignore|\bnolint\b|(?:istanbul|c8|v8)\s{1,8}ignore|pragma:\s{0,8}no\s{0,8}cover|pylint:\s{0,8}disable|rubocop:disable|@SuppressWarnings/,
  },
  {
    code: 'exit-code-masked',
    pattern:
      /\|\|\s{0,8}(?:true|:)(?=\s|$|["'`;)}\]])|\|\|\s{0,8}exit\s{1,8}0\b|\bset\s{1,8}\+\w{0,8}e|\bset\s{1,8}\+o\s{1,8}errexit|\bexit\s{1,8}0\b|--pass-?with-?no-?tests/i,
    holds: isShell,
  },
  // In code a command is in quotes; without them it is a choice of values.
  { code: 'exit-code-masked', pattern: /\|\|\s{0,8}(?:true|:)\s{0,8}["'`]/, holds: isRun },
  {
    code: 'exit-code-masked',
    pattern:
      /\b(?:continue-on-error|allow_failure):\s{0,8}true\b|\bprocess\.exit\(0\)|\b(?:sys|os)\._?exit\(0\)/,
    holds: isRun,
  },
  {
    code: 'exit-code-masked',
    pattern:
      /\bcatch\s{0,8}(?:\([^)]{0,200}\)\s{0,8})?\{\s{0,8}\}|^\s{0,200}except\b[^:]{0,200}:\s{0,8}pass\b|\.catch\s?\(\s{0,4}(?:\(\s{0,4}\w{0,40}\s{0,4}\)|\w{1,40})\s{0,4}=>\s{0,4}(?:\{\s{0,4}\}|undefined\b|null\b|void 0\b)\s{0,4}\)/,
    holds: isRun,
  },
]

/** What a line that is added says of a check; each code once. */
export const addedCodes = (text: string, place: LinePlace): Set<FlagCode> =>
  new Set(
    ADDED.flatMap(({ code, pattern, holds }) =>
      (holds === undefined || holds(place)) && pattern.test(text) ? [code] : [],
    ),
  )

/** Calls that assert something. */
const ASSERTION = /\bexpect\s{0,8}\(|\bassert\w{0,40}(?:\.\w{1,40}){0,4}\s{0,8}[(!]/g

export const assertionsIn = (text: string): number => (text.match(ASSERTION) ?? []).length

const HANDLER_OPENS = /(?:\bcatch\s{0,8}(?:\([^)]{0,200}\)\s{0,8})?\{|^\s{0,200}except\b[^:]{0,200}:)\s{0,8}$/
const COMMENT = /^\s{0,200}(?:\/\/|#|\/\*.{0,400}\*\/\s{0,8}$)/
const HANDLER_ENDS = /^\s{0,200}(?:\}|pass\b)/

type WatchHandlers = (text: string, kind: 'context' | 'added' | 'deleted', line: number) => number | null

/**
 * Looks for handlers of errors that do nothing, over the lines of a hunk in their order.
 *
 * @returns a function that takes each line and answers the first changed line of a handler that ends with it and does nothing; else null
 */
export function watchHandlers(): WatchHandlers {
  let isOpen = false
  let changed: number | null = null
  return (text, kind, line) => {
    if (kind === 'deleted') {
      if (isOpen) changed ??= line
      return null
    }
    if (HANDLER_OPENS.test(text)) {
      isOpen = true
      changed = kind === 'added' ? line : null
      return null
    }
    if (!isOpen) return null
    if (kind === 'added') changed ??= line
    if (text.trim() === '' || COMMENT.test(text)) return null
    isOpen = false
    return HANDLER_ENDS.test(text) ? changed : null
  }
}
