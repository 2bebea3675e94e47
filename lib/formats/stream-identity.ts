import { digestOfBytes } from '../bytes/digest'
import type { IngestKind } from '../model/ingest-kinds'

export interface StreamOrigin {
  kind: IngestKind
  sessionId: string | null
  agentId: string | null
  /** Which file of which run, as `peekPart` gives it. */
  file?: string | null
  /** Digest of the first record, as `peekPart` gives it. */
  firstLineDigest: string
}

/**
 * Names a stream by what it says, never by where it lies: the same file under another path is the same stream, files of different sessions
 * never are. Where the format ties a file to its run by the path, that names it: a document that is written anew is the same stream with
 * other bytes, and empty beginnings are all alike. A hook frame is a stream of its own, so that a frame that is sent twice is taken once.
 *
 * Two files of one session that begin with the same record (a resumed session that copied its history) share the name: whoever
 * takes a stream up where it ended must compare what came before.
 */
export function streamIdentity({ kind, sessionId, agentId, file, firstLineDigest }: StreamOrigin): string {
  if (kind === 'claude-hook') return `hook-${firstLineDigest}`
  return digestOfBytes(
    new TextEncoder().encode(
      JSON.stringify(file ? [kind, file] : [kind, sessionId, agentId, firstLineDigest]),
    ),
  )
}
