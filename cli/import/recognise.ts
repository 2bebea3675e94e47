import type { FoundFile } from './walk'
import type { IngestKind } from '@/lib/model/ingest-kinds'

/** A file that an endpoint takes. */
export interface Taken {
  kind: IngestKind
  /** The stream the file belongs to, if that can be determined here; otherwise the server decides. */
  streamId: string | null
  /** The session that its records name, where its beginning says it. */
  sessionId?: string | null
  /** One document, which cannot be cut at line ends. */
  whole: boolean
  /** A database of receipts, which is read and not sent as it lies. */
  database?: true
  /** Record of a run, which is sent with the files around it. */
  run?: true
  /** Name to send it under, where that below the import root does not say whose file it is. */
  name?: string
}

/** A file without one. `unfit` tells that it was meant to be taken, so that the exit status must say so. */
export interface Left {
  because: string
  unfit: boolean
  /** It is sent with another file. */
  along?: true
  /** Known for what it is, by name, and there is no endpoint for it yet. */
  unsupported?: true
}

export type Recognition = { taken: Taken } | { left: Left }
export type Recognise = (file: FoundFile, source: string) => Promise<Recognition>
