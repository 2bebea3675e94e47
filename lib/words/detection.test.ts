import { expect, test } from 'vitest'
import type { DetectionReasons, KnownFile, OtherFormat } from '../model/messages/detection'
import { DETECTION_WORDS, formatName } from './detection'
import { wordedSamples, type Samples } from './samples.support'

const FILES: KnownFile[] = ['bzip2', 'gzip', 'sqlite', 'xz', 'zip', 'zstd']
const FORMATS: OtherFormat[] = [
  'atif',
  'claude-telemetry',
  'codex-exec',
  'codex-rollout',
  'gemini-chat',
  'gemini-output',
  'opencode',
  'swe-agent',
]
const SAMPLES: Samples<DetectionReasons> = {
  empty: [{}],
  blank: [{}],
  known_file: FILES.map((file) => ({ file })),
  other_format: FORMATS.map((format) => ({ format })),
  not_text: [{}],
  no_json: [{ start: 'Dear reader' }],
  unknown_keys: [{ keys: ['a', 'b'] }, { keys: [] }],
}

test('why a file is of no format that is read', () => {
  expect(wordedSamples(DETECTION_WORDS, SAMPLES)).toMatchSnapshot()
  expect(formatName({ id: 'known_file', params: { file: 'zip' } })).toBe('zip archive')
  expect(formatName({ id: 'other_format', params: { format: 'atif' } })).toBe('ATIF trajectory')
})
