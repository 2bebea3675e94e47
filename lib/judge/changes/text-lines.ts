import { asObject, type JsonObject } from '../../formats/claude/wire'

export interface TextLine {
  text: string
  /** Whether a line feed ends it; the last line of a file may have none. */
  ended: boolean
}

/** The lines of a file. */
export function linesOf(text: string): TextLine[] {
  const lines = text.split('\n').map((line): TextLine => ({ text: line, ended: true }))
  const last = lines.pop()!
  return last.text === '' ? lines : [...lines, { ...last, ended: false }]
}

/** A file after the edits that a result names; null when it names none, or one of them does not fit. */
export function afterEdit(original: string, record: JsonObject): string | null {
  const edits = Array.isArray(record['edits']) ? record['edits'].map(asObject) : [record]
  let text = original
  for (const edit of edits) {
    const [from, to] = [
      edit?.['oldString'] ?? edit?.['old_string'],
      edit?.['newString'] ?? edit?.['new_string'],
    ]
    if (typeof from !== 'string' || typeof to !== 'string' || from === '' || !text.includes(from)) return null
    // As text: neither of them is a pattern.
    text =
      edit?.['replaceAll'] === true || edit?.['replace_all'] === true
        ? text.split(from).join(to)
        : text.replace(from, () => to)
  }
  return text
}
