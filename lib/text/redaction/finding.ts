/** A range of a text that must not be kept, with the rule that says so. */
export interface Finding {
  rule: string
  start: number
  end: number
  /** The range is a whole value without quotes. */
  bare?: boolean
  /** It is only marked: not a byte of it may change. */
  stays?: true
}

const mark = /\[redacted:[a-z0-9-]+\]/g

export const markFor = (rule: string): string => `[redacted:${rule}]`

/** Findings in order, overlapping ones made one under the name of the first; what is only marks of an earlier pass is left out. */
export function settle(findings: Finding[], text: string): Finding[] {
  const settled: Finding[] = []
  for (const f of [...findings].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (f.end <= f.start) continue
    const last = settled.at(-1)
    if (last && f.start < last.end) last.end = Math.max(last.end, f.end)
    else settled.push({ ...f })
  }
  const marks = text.includes('[redacted:')
    ? [...text.matchAll(mark)].map((m) => [m.index, m.index + m[0].length] as const)
    : []
  return marks.length === 0 ? settled : settled.filter((f) => !isOnlyMarks(f, marks))
}

function isOnlyMarks(f: Finding, marks: (readonly [number, number])[]): boolean {
  let at = f.start
  for (const [start, end] of marks) {
    if (start <= at && at < end) at = end
    if (at >= f.end) return true
  }
  return false
}
