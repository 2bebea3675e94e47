/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const PART_CHARS = 40

/** Letters, digits, `.`, `_` and `-`; never a leading dot or dash, never two dots, never the name of a device. */
function part(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/\.{2,}/g, '.').slice(0, PART_CHARS).replace(/^[.-]+|[.-]+$/g, '')
  return DEVICE.test(plain) ? `_${plain}` : plain
}

/**
 * The name under which a patch is downloaded. The digest keeps tasks apart whose names come out alike.
 *
 * @param end what stands behind the digest: `.patch`, `.patch.sha256`, `.transcript`
 */
export const downloadName = ({ execution, task, sha256, end = '.patch' }: { execution: string; task: string; sha256: string; end?: string }): string =>
  [part(execution), part(task), sha256.slice(0, 8)].filter((one) => one !== '').join('-') + end
