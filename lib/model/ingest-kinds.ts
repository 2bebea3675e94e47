/** Formats that can be ingested, by their name in the ingest endpoint. */
export const INGEST_KINDS = [
  'claude-transcript',
  'claude-stream',
  'claude-hook',
  'record',
  'autoskillit',
  'receipts',
  'noetl',
  'async-pipeline',
] as const

export type IngestKind = (typeof INGEST_KINDS)[number]

/** The producer of a format, which is the kind of its sources: never the channel it came through. A record belongs to the source of what it recorded. */
export const producerOf = (kind: IngestKind): string => PRODUCERS[kind] ?? 'claude-code'

const PRODUCERS: Partial<Record<IngestKind, string>> = {
  autoskillit: 'autoskillit',
  receipts: 'agent-receipts',
  noetl: 'noetl',
  'async-pipeline': 'async-pipeline',
}

/** Formats of which each record is a stream of its own, in no order that could be got wrong. */
export const LOOSE_KINDS = ['claude-hook', 'receipts'] as const satisfies readonly IngestKind[]

export type LooseKind = (typeof LOOSE_KINDS)[number]

export const isLoose = (kind: IngestKind): kind is LooseKind =>
  (LOOSE_KINDS as readonly string[]).includes(kind)
