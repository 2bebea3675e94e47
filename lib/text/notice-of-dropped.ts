/** The line that a producer puts in front when it drops the beginning of a text that is too long: it names bytes that are gone. */
const DROPPED =
  /^[^\n]{0,300}\b(?:dropped|omitted|truncated)\b[^\n]{0,200}\bbytes?\b[^\n]{0,200}|^[^\n]{0,300}\bbytes?\b[^\n]{0,200}\b(?:dropped|omitted|truncated)\b[^\n]{0,200}/i

/** What of a first line says that bytes before it were dropped; null: nothing. */
export const noticeOfDropped = (line: string): string | null => DROPPED.exec(line)?.[0] ?? null
