import { recordedRun, RUN_MARKER, type RecordedRun } from './recorded-run'
import { sampleSessionId } from './session-writer'

const SHOP = 'acme/storefront'
const ci = (attempt: number): RecordedRun['ci'] => ({
  provider: 'github',
  path: SHOP,
  run: '11873320415',
  attempt,
  job: 'release-notes',
  branch: 'release/4.3',
  commit: '1bf6fcf1d2a3b4c5d6e7f8091a2b3c4d5e6f7081',
  url: null,
  repository: SHOP,
})

/**
 * The same broken contract four times in a row: the notes were written into the answer, not into a file, and no attempt could do otherwise.
 * Each was started by the attempt before it, and each commented on the pull request that it had begun.
 */
const brokenContract = [1, 2, 3, 4].map(
  (attempt): RecordedRun => ({
    id: sampleSessionId(5 + attempt),
    repository: SHOP,
    branch: 'release/4.3',
    ci: ci(attempt),
    chain: { key: 'release notes of 4.3', attempt },
    command: ['claude', '-p', 'Write the release notes of 4.3 to a file and name its path'],
    expect: ['notes_path\\s*=\\s*/.+'],
    startedAt: `2026-11-19T22:${attempt}0:00.000Z`,
    seconds: 71 + attempt,
    costUsd: 0.34,
    says: ['I will gather what was merged since 4.2.'],
    runs: ['gh pr comment 431 --body "The release notes of 4.3 are being written."'],
    result: `The release notes of 4.3:\n\n- Tax is rounded line by line.\n- The product cache keeps entries for ten minutes.\n${RUN_MARKER}`,
  }),
)

/** The first attempt stopped before its end was seen, the second delivered: a retry that helped. */
const drained = [1, 2].map(
  (attempt): RecordedRun => ({
    id: sampleSessionId(9 + attempt),
    repository: 'acme/warehouse',
    branch: 'feature/stock-table',
    chain: { key: 'plan of the stock table', attempt },
    command: ['claude', '-p', 'Plan the move of the stock table and name the file'],
    expect: ['plan_path\\s*=\\s*/.+'],
    startedAt: `2026-11-20T11:0${attempt}:00.000Z`,
    seconds: 38,
    costUsd: 0.19,
    says: ['I will read the schema first.'],
    ...(attempt === 1
      ? { result: 'The plan has three steps; I am writing them down now.' }
      : {
          writes: ['/srv/warehouse/plans/stock-table.md'],
          result: `plan_path = /srv/warehouse/plans/stock-table.md\n${RUN_MARKER}`,
        }),
  }),
)

/** The agent says itself that it failed, and the process ended with 0 all the same. */
const refused: RecordedRun = {
  id: sampleSessionId(12),
  expect: [],
  command: ['claude', '-p', 'Publish the packages'],
  repository: SHOP,
  branch: 'main',
  startedAt: '2026-11-20T18:45:00.000Z',
  seconds: 24,
  costUsd: 0.08,
  says: ['I will look for the token of the registry.'],
  result: `<octopus-task-failed>The registry refused the token: it ended on 1 November.</octopus-task-failed>\n${RUN_MARKER}`,
}

/** Runs as `inquest record` keeps them: what was printed, and what was seen of the process. */
export const sampleRecords = (): { kind: 'claude-stream' | 'record'; text: string }[] =>
  [...brokenContract, ...drained, refused].flatMap((run) => {
    const { stream, record } = recordedRun(run)
    return [
      { kind: 'claude-stream' as const, text: stream! },
      { kind: 'record' as const, text: record },
    ]
  })
