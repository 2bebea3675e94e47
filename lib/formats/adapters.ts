import { asyncPipeline } from './async-pipeline/adapter'
import { autoskillit } from './autoskillit/adapter'
import { claudeHook } from './claude/claude-hook'
import { claudeStream } from './claude/claude-stream'
import { claudeTranscript } from './claude/claude-transcript'
import { noetl } from './noetl/adapter'
import { receipts } from './receipt/adapter'
import { recordDocument } from './record/adapter'
import type { Adapter } from '../model/adapter'
import type { IngestKind } from '../model/ingest-kinds'

const adapters = {
  'claude-transcript': claudeTranscript,
  'claude-stream': claudeStream,
  'claude-hook': claudeHook,
  record: recordDocument,
  autoskillit,
  receipts,
  noetl,
  'async-pipeline': asyncPipeline,
} satisfies Record<IngestKind, unknown>

/** The adapter of a format. Its context is its own business: plain JSON that is handed back with the next part. */
export const adapterOf = (kind: IngestKind): Adapter<unknown> => adapters[kind] as Adapter<unknown>
