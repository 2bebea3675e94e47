import type { ChangeHunk, RecordedChange } from './read-change'

/** The first line of what is put together here: nobody proposed it. Git passes over it. */
export const ASSEMBLED = 'Assembled by Inquest from the transcript, not proposed by anybody'

/**
 * A change as a patch that git reads: what a screen draws is what this says.
 *
 * @param name of the file, below the folder that the agent worked in where it lies there
 */
export function assemblePatch({ hunks, fit }: Pick<RecordedChange, 'hunks' | 'fit'>, name: string): string {
  const header =
    fit === 'created'
      ? `--- /dev/null\n+++ ${quoted(`b/${name}`)}\n`
      : `--- ${quoted(`a/${name}`)}\n+++ ${quoted(`b/${name}`)}\n`
  return `${ASSEMBLED}\n${header}${hunks.map(hunkText).join('')}`
}

function hunkText({ oldStart, newStart, lines }: ChangeHunk): string {
  const [old, fresh] = (['+', '-'] as const).map((other) => lines.filter(({ sign }) => sign !== other).length)
  return `@@ -${oldStart},${old} +${newStart},${fresh} @@\n${lines.map(({ sign, text, ended }) => `${sign}${text}\n${ended ? '' : '\\ No newline at end of file\n'}`).join('')}`
}

/** A name as git writes one that is not plain: a line feed in it must not begin a line of the patch. */
function quoted(name: string): string {
  if (/^[\w./@+=,-]+$/.test(name)) return name
  const bytes = Array.from(new TextEncoder().encode(name), (byte) =>
    byte < 0x20 || byte >= 0x7f || byte === 0x22 || byte === 0x5c
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  )
  return `"${bytes.join('')}"`
}

/** The name of a file below the folder that the agent worked in; the whole path where it lies elsewhere. */
export function nameBelow(path: string, folder: string | null): string {
  const root = folder === null ? '' : folder.replace(/[/\\]+$/, '')
  const below =
    root !== '' && path.startsWith(root) && /^[/\\]/.test(path.slice(root.length))
      ? path.slice(root.length)
      : path
  return below.replace(/^[/\\]+/, '') || path
}
