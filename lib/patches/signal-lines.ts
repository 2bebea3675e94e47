import type { FlagCode } from './flag-catalogue'

/** What an added line may do to a check, by the words of the tools that people use. */
export const ADDED_LINES: readonly (readonly [FlagCode, RegExp])[] = [
  ['skip-added', /\b(?:it|test|describe|suite|context)(?:\.\w+)*\.(?:skip|only|fixme|todo)\b|\b(?:xit|xdescribe|xtest|fit|fdescribe)\s*\(|@(?:pytest\.mark\.)?(?:skip|xfail)|\bt\.Skip(?:f|Now)?\s*\(|\[Ignore\b|@(?:Ignore|Disabled)\b/],
  ['suppression-added', /eslint-disable|@ts-(?:ignore|expect-error|nocheck)|\bnoqa\b|type:\s*ignore|biome-ignore|prettier-ignore|\bnolint\b|(?:istanbul|c8|v8)\s+ignore|pragma:\s*no\s*cover|pylint:\s*disable|rubocop:disable|@SuppressWarnings/],
  ['exit-code-masked', /\|\|\s*(?:true|:)(?:\s|$|["'`;)])|\bset\s+\+e\b|continue-on-error:\s*true|\bexit\s+0\b|process\.exit\(0\)|sys\.exit\(0\)|\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}|\bexcept[^:]*:\s*pass\b|allow_failure:\s*true/],
]

/** Calls that assert something. */
const ASSERTION = /\bexpect\s*\(|\bassert\w*(?:\.\w+)*\s*[(!]/g

export const assertionsIn = (text: string): number => (text.match(ASSERTION) ?? []).length

const EXACT = /\.(?:toBe|toEqual|toStrictEqual|toHaveBeenCalledTimes|toHaveLength|toHaveBeenCalledWith|toMatchSnapshot|toMatchInlineSnapshot)\s*\(|\bassert(?:\.(?:strictEqual|deepStrictEqual|equal|deepEqual)|Equals?|_eq!?)\s*\(|\bassert\s+[^=]*==/
const LOOSE = /\.(?:toBeTruthy|toBeFalsy|toBeDefined|toBeUndefined|toBeGreaterThan(?:OrEqual)?|toBeLessThan(?:OrEqual)?|toContain|toMatch|toMatchObject|toHaveBeenCalled)\s*\(|expect\.(?:any|anything|objectContaining|stringContaining|stringMatching|arrayContaining)\b|\bassert(?:\.(?:ok|match|notEqual)|True|IsNotNone|In)\s*\(/

/** Settings of which a larger number lets more pass, and of which a smaller one does. */
const RAISED = /\b(timeout|retries|retry|tolerance|epsilon|delta|maxWarnings|max-warnings|maxDiffPixels|maxDiffPixelRatio|threshold_ms)\b["']?\s*[:=(]\s*(\d+(?:\.\d+)?)/i
const LOWERED = /\b(threshold|coverage|minimum|branches|functions|statements|lines|fail_under|fail-under)\b["']?\s*[:=(]\s*(\d+(?:\.\d+)?)/i

/** Whether a line that took the place of another one lets more pass. */
export function isLoosened(before: string, after: string): boolean {
  if (EXACT.test(before) && !EXACT.test(after) && LOOSE.test(after)) return true
  const wider = (rule: RegExp, larger: boolean): boolean => {
    const [a, b] = [rule.exec(before), rule.exec(after)]
    return a !== null && b !== null && a[1]!.toLowerCase() === b[1]!.toLowerCase() && (larger ? Number(b[2]) > Number(a[2]) : Number(b[2]) < Number(a[2]))
  }
  return wider(RAISED, true) || wider(LOWERED, false)
}
