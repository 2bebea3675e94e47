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

const markFor = (rule: string): string => `[redacted:${rule}]`

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

/** A mark that is where something was taken out; offsets are UTF-16 in the new text. */
export interface TextMark {
  rule: string
  start: number
  end: number
}

/** A place where something was taken out before anything was written; offsets in the kept bytes of the part. */
export interface RedactionMark {
  rule: string
  byteStart: number
  byteEnd: number
}

export interface Redacted {
  text: string
  marks: TextMark[]
}

/** A text with its findings taken out; marks that were in it before move along. @param findings settled */
export function replace(before: Redacted, findings: Finding[]): Redacted {
  const parts: string[] = []
  const marks: TextMark[] = []
  const older = [...before.marks]
  let done = 0
  let length = 0
  const keep = (until: number) => {
    while (older.length > 0 && older[0]!.end <= until) {
      const old = older.shift()!
      if (old.start >= done)
        marks.push({ rule: old.rule, start: old.start - done + length, end: old.end - done + length })
    }
    parts.push(before.text.slice(done, until))
    length += until - done
  }
  for (const f of findings) {
    keep(f.start)
    // A number that is taken out of JSON leaves a string, or the line would be JSON no more.
    const mark = f.stays
      ? before.text.slice(f.start, f.end)
      : f.bare
        ? `"${markFor(f.rule)}"`
        : markFor(f.rule)
    parts.push(mark)
    marks.push({ rule: f.rule, start: length, end: length + mark.length })
    length += mark.length
    done = f.end
    while (older.length > 0 && older[0]!.start < done) older.shift()
  }
  keep(before.text.length)
  return { text: parts.join(''), marks }
}
