/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** With the digest and the longest ending all of them stay within 120 characters. */
const PART_CHARS = { source: 24, run: 36, task: 30 }

/** Letters, digits, `.`, `_` and `-`; never a leading dot or dash, never two dots, never the name of a device. */
function part(text: string, charsMax: number): string {
  const plain = text
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '')
    .slice(0, charsMax)
    .replace(/[.-]+$/, '')
  return DEVICE.test(plain) ? `_${plain}` : plain
}

/** What a download is named after: what stays as it is for ever. */
export interface NamedAfter {
  /** Name of the pipeline, else of the source, when the fix came. */
  runSource: string
  /** Id of the run at its source. */
  runId: string
  task: string
  sha256: string
}

/**
 * The name under which a patch is downloaded. The digest keeps tasks apart whose names come out alike.
 *
 * @param end what is behind the digest: `.patch`, `.patch.sha256`, `.transcript`
 */
export const downloadName = ({ runSource, runId, task, sha256 }: NamedAfter, end = '.patch'): string =>
  [
    part(runSource, PART_CHARS.source),
    part(runId, PART_CHARS.run),
    part(task, PART_CHARS.task),
    sha256.slice(0, 8),
  ]
    .filter((one) => one !== '')
    .join('-') + end
