import type { MessageOf, NoParams } from '../message'

/** Formats that are known by name and not read: by their first bytes, and by keys of their records. */
export type KnownFile = 'bzip2' | 'gzip' | 'sqlite' | 'xz' | 'zip' | 'zstd'
export type OtherFormat =
  | 'atif'
  | 'claude-telemetry'
  | 'codex-exec'
  | 'codex-rollout'
  | 'gemini-chat'
  | 'gemini-output'
  | 'opencode'
  | 'swe-agent'

/** Why the head of a file says no format that is read. */
export interface DetectionReasons {
  empty: NoParams
  blank: NoParams
  known_file: { file: KnownFile }
  other_format: { format: OtherFormat }
  not_text: NoParams
  no_json: { start: string }
  unknown_keys: { keys: readonly string[] }
}
export type DetectionReason = MessageOf<DetectionReasons>
