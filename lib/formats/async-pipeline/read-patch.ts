import { createSha256 } from '../../bytes/sha256'
import { spanOf } from '../claude/span'
import { capText } from '../../text/cap-text'
import type { PatchFileFact } from '../../model/pipeline-facts'
import type { RunElement } from './read-element'
import type { LineInput } from '../../model/adapter'

/** A patch that lies with a run; null for a declared output that is none. */
export function readPatch({ kind, stem, path, base64 }: RunElement, line: LineInput): PatchFileFact | null {
  if (base64 === null || stem === null || (kind === 'output' && !/\.(?:patch|diff)$/i.test(path))) return null
  const bytes = bytesOf(base64)
  if (bytes === null) return null
  const hash = createSha256()
  hash.update(bytes)
  return {
    origin: kind === 'fix' ? 'fixes-dir' : 'stdout-artifact',
    fileName: capText(path.slice(path.lastIndexOf('/') + 1), 300),
    of: stem,
    size: bytes.length,
    sha256: hash.hex(),
    span: spanOf(line, ['base64']),
  }
}

/** Null: no base64. */
function bytesOf(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
  } catch {
    return null
  }
}
