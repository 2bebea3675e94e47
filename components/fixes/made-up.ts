import type { FixDetail, FixFile, FixFlag } from '@/lib/api/fix-schemas'

export const file = (ordinal: number, more: Partial<FixFile> = {}): FixFile => ({
  ordinal, status: 'M', name: `src/f${ordinal}.ts`, nameBase64: null, oldName: `src/f${ordinal}.ts`, newName: `src/f${ordinal}.ts`, oldNameBase64: null, oldBlob: null, newBlob: null, oldMode: null, newMode: null, similarity: null, binary: false,
  additions: 1, deletions: 1, hunks: 1, byteStart: 0, byteEnd: 10, line: 1, sha256: `${ordinal}`.padStart(64, '0'), ...more,
})

export const flag = (more: Partial<FixFlag> = {}): FixFlag => ({ family: 'signal', code: 'skip-added', weight: 'high', sentence: 'A test is skipped.', detail: null, file: 0, lines: { start: 6, end: 6 }, ...more })

const SHA = 'a'.repeat(64)

export const fix = (more: Partial<FixDetail> = {}): FixDetail => ({
  id: '01900000-0000-7000-8000-000000000001', project: 'main', executionId: '01900000-0000-7000-8000-000000000002', executionTitle: 'Make the tests pass', executionOutcome: 'failed', cause: 'expected 19.98 to be 19.99', task: 'test', ordinal: 1,
  title: null, origin: 'upload', state: 'proposed', version: 1, sha256: SHA, size: 100, proposedBy: 'loop', notEnabled: false, agent: null, model: null, verdict: 'not-run',
  reading: { verdict: 'ok', problem: null, files: 1, additions: 1, deletions: 1, hunks: 1, safe: true, blocking: [], warnings: [], signals: [], rules: '1' },
  comments: 0, supersedes: null, supersededBy: null, proposedAt: null, receivedAt: '2026-11-20T08:00:00.000Z', changedAt: '2026-11-20T08:00:00.000Z', expiresAt: null, url: '',
  explanation: null, fileName: null, downloadName: 'x.patch', run: { source: 'shop', id: 'run-1' }, base: { repository: null, commit: null, tree: null, branch: null, dirty: null, dirtyDigest: null, subDir: null },
  budget: { attempts: { limit: null, used: null }, wallClockMs: { limit: null, used: null }, endedBy: null },
  agentDetail: { name: null, version: null, profile: null, model: null, promptSha256: null, policySha256: null, grantedCommands: null, workspace: null, workspaceKind: null, workspaceId: null }, verification: [], contextPackSha256: null, transcript: null,
  mode: null, enabledBy: null, facts: { endsWithNewline: true, byteOrderMark: false, lineEndings: 'lf', validUtf8: true, hasNul: false, longestLine: 10, replacementCharacters: 0 },
  files: [file(0)], flags: [], flagsTotal: 0, reasons: [], secretLines: [], secretsHidden: false, reviews: [], lateReviews: [], mayBecome: ['approved', 'changes_requested', 'rejected'], mayReview: true, whyNotReview: null, byOwnKey: false, versions: [], ...more,
})
