import { adapterOf } from '@/lib/formats/adapters'
import { isLoose, type IngestKind } from '@/lib/model/ingest-kinds'

export interface IngestBody {
  projectId: string
  /** Who produced the bytes; null when the caller does not say. */
  source: { kind: string; name: string } | null
  kind: IngestKind
  bytes: Uint8Array
  /** Path of the file below its root, with `/`. */
  fileName?: string | null
  /** Where the body begins in its stream; 0 by default. */
  offset?: number
  /** Stream to continue with, as an earlier answer named it; found from the bytes by default. */
  streamId?: string | null
  /** More of this stream follows at once: a torn last line is left to the next body, and the analysis waits for the last one. */
  more?: boolean
  /** Others about the same executions follow soon, each a stream of its own: their analysis waits for one that does not say so. */
  othersFollow?: boolean
  /** Tag by which failure signals are looked for; unset: the default one. */
  failureTag?: string
}

/** Whether a body may share its transaction with others of its project and source: most of the cost of a small one is that of the transaction. */
export const mayShare = ({
  kind,
  bytes,
  fileName,
  streamId,
  offset,
  more,
  othersFollow,
}: IngestBody): boolean =>
  !isLoose(kind) &&
  !linesStandAlone({ kind, fileName }) &&
  bytes.length > 0 &&
  bytes.length <= SHARED_BYTES_MAX &&
  !streamId &&
  !offset &&
  !more &&
  !othersFollow

/** Whether each line of the body is a stream of its own, which needs neither a name nor a place in one. */
export const linesStandAlone = ({ kind, fileName }: Pick<IngestBody, 'kind' | 'fileName'>): boolean =>
  adapterOf(kind).linesStandAlone?.(fileName ?? null) ?? false

const SHARED_BYTES_MAX = 1024 * 1024
