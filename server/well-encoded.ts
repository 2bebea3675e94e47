/**
 * An address as it was asked for, with every segment of its path well encoded: one that is not (`100%`, `%E0%A4%A`) means what it says, percent
 * signs and all. Next answers 500 to such addresses before any page of ours could read them.
 */
export function wellEncoded(address: string): string {
  const [path = '', ...search] = address.split('?')
  return [path.split('/').map(encodeStray).join('/'), ...search].join('?')
}

function encodeStray(segment: string): string {
  try {
    decodeURIComponent(segment)
    return segment
  } catch {
    return segment.replaceAll('%', '%25')
  }
}
