import type { DetectionReason, DetectionReasons, KnownFile, OtherFormat } from '../model/messages/detection'
import { textOf, type Catalogue } from './catalogue'

const FILE_NAMES: Record<KnownFile, string> = {
  bzip2: 'bzip2 file',
  gzip: 'gzip file',
  sqlite: 'SQLite database (receipts.db)',
  xz: 'xz file',
  zip: 'zip archive',
  zstd: 'zstd file',
}

/** Formats by their own names, and what gives them away. */
const OTHER_FORMATS: Record<OtherFormat, { name: string; by: string }> = {
  atif: { name: 'ATIF trajectory', by: '`schema_version`' },
  'claude-telemetry': { name: 'OpenTelemetry data', by: 'its logs, spans or attributes' },
  'codex-exec': { name: 'Codex exec events', by: 'thread, turn and item events' },
  'codex-rollout': { name: 'Codex rollout', by: 'records with a payload' },
  'gemini-chat': { name: 'Gemini CLI chat', by: '`projectHash`' },
  'gemini-output': { name: 'Gemini CLI output', by: 'the shape of its records' },
  opencode: { name: 'OpenCode events', by: '`sessionID`' },
  'swe-agent': { name: 'SWE-agent trajectory', by: '`trajectory`' },
}

/** Why the head of a file says no format that is read. */
export const DETECTION_WORDS: Catalogue<DetectionReasons> = {
  empty: () => 'the file is empty',
  blank: () => 'the file contains only whitespace',
  known_file: ({ file }) => `it starts like a ${FILE_NAMES[file]}`,
  other_format: ({ format }) =>
    `${OTHER_FORMATS[format].name}, recognised by ${OTHER_FORMATS[format].by}; this version cannot read it yet`,
  not_text: () => 'it contains bytes that are not text',
  no_json: ({ start }) => `no JSON record found; it starts with “${start}”`,
  unknown_keys: ({ keys }) => `JSON of an unknown kind, with the keys ${keys.join(', ') || '(none)'}`,
}

export const detectionText = (why: DetectionReason): string => textOf(DETECTION_WORDS, why)

/** The name of a format that is known and not read. */
export const formatName = (why: Extract<DetectionReason, { id: 'known_file' | 'other_format' }>): string =>
  why.id === 'known_file' ? FILE_NAMES[why.params.file] : OTHER_FORMATS[why.params.format].name
