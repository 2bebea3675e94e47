import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { CAUSE_CATEGORIES } from '@/lib/executions/cause-categories'
import { recordedRun } from '@/lib/sample/recorded-run'
import { readExecution } from '../queries/execution'
import { DECIDED_FAILURES } from '../seed/decided-failures'
import { sessionLogRoot } from '../seed/session-logs'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from './ingest'
import { ensureProject } from './projects'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterAll(() => db.close())

const take = (kind: 'claude-stream' | 'record', text: string) =>
  ingestBody(db, { projectId, source: null, kind, bytes: Buffer.from(text) })

interface Row {
  broke: string | RegExp
  category: string
  retry: NonNullable<ExecutionDetail['advice']>['retry']
  next: string | RegExp
  failedAt?: string
}

function check(execution: ExecutionDetail, { broke, category, retry, next, failedAt }: Row): void {
  const { cause, advice } = execution
  expect(cause!.text).toMatch(broke)
  expect(cause!.text.length).toBeLessThanOrEqual(240)
  expect(cause).toMatchObject({ category, pointer: { received: expect.any(String) } })
  expect(CAUSE_CATEGORIES).toContain(category)
  expect(advice!.retry).toBe(retry)
  expect(advice!.next).toMatch(next)
  // Each of the answers says more than the sentence above it.
  expect(new Set([cause!.text, advice!.retryBecause, advice!.next]).size).toBe(3)
  if (failedAt !== undefined) expect(execution.failedAt).toBe(failedAt)
}

/** What a stranger has to be able to say of each, from the first screen alone (docs/cause-readability.md). */
const ROWS: Record<keyof typeof DECIDED_FAILURES, Row> = {
  'contract violation': {
    broke: 'The result holds nothing that matches “plan_path\\s*=\\s*/.+” (1 of 2 expected patterns found)',
    category: 'contract',
    retry: 'cannot-help',
    next: 'Ask for a line that matches “plan_path\\s*=\\s*/.+” in the prompt, or mend the pattern',
    failedAt: 'agent',
  },
  'marker missing, channel A saw the end': {
    broke:
      /“%%ORDER_UP::1a2b3c4d%%” is not in the result, although a result was seen in the output \(channel A\)/,
    category: 'contract',
    retry: 'could-help',
    next: 'lost on its way',
  },
  'marker missing, no channel': {
    broke: /“%%ORDER_UP::1a2b3c4d%%” is not in the result: the agent stopped/,
    category: 'contract',
    retry: 'could-help',
    next: 'Resume the session and ask for what is still to be done',
  },
  'failure signal with a reason': {
    broke: 'The agent declared the run failed: “the staging database is 3 migrations behind”',
    category: 'agent_signal',
    retry: 'unknown',
    next: 'Look into what the agent reported',
  },
  'failure signal without a reason': {
    broke: /without giving a reason$/,
    category: 'agent_signal',
    retry: 'unknown',
    next: 'Read in Timeline what it found',
  },
  'time was up': {
    broke: 'The time was up: the process was stopped after 15 min 00 s. It had printed no result',
    category: 'limit',
    retry: 'unknown',
    next: 'raise the time limit when it was at work',
    failedAt: 'cli',
  },
  killed: {
    broke:
      'ended by SIGKILL after 9 seconds. It had printed no result. Its last words: “memory cgroup out of memory”',
    category: 'process',
    retry: 'unknown',
    next: 'want of memory',
    failedAt: 'cli',
  },
  'went silent': {
    broke: 'went silent and was stopped after 21 min 00 s',
    category: 'process',
    retry: 'could-help',
    next: 'what it was waiting for',
  },
  'exit code without output': {
    broke: 'The process ended with exit code 3. It had printed nothing',
    category: 'process',
    retry: 'unknown',
    next: 'Run “claude -p Plan the shop” by hand',
  },
  'exit code with a last word': {
    broke: 'exit code 3. Its last words: “the oven is cold”',
    category: 'process',
    retry: 'unknown',
    next: 'Mend what the last words name',
  },
  'command that is not there': {
    broke: 'The command “cluade -p Plan the shop” could not be started (exit code 127)',
    category: 'process',
    retry: 'cannot-help',
    next: 'mend its path',
  },
  'blank result': {
    broke: 'The result is blank, although the process ended with exit code 0',
    category: 'contract',
    retry: 'could-help',
    next: 'standard error',
  },
  crashed: {
    broke: /AutoSkillit, whose rules these are, breaks off on it \(a token counter is no number\)/,
    category: 'result_unreadable',
    retry: 'unknown',
    next: 'what is wrong stands in the output itself',
  },
}

test.each(Object.entries(ROWS))('%s', async (name, row) => {
  const id = `0c0c0c0c-0000-4000-8000-${String(Object.keys(ROWS).indexOf(name)).padStart(12, '0')}`
  const { stream, record } = recordedRun({ id, ...DECIDED_FAILURES[name as keyof typeof ROWS] })
  if (stream !== null) await take('claude-stream', stream)
  const answer = await take('record', record)
  check((await readExecution(db, [projectId], answer.executions[0]!.id))!, row)
})

describe('what only AutoSkillit recorded', () => {
  const root = sessionLogRoot({ runs: 40 })
  beforeAll(async () => {
    for (const [fileName, text] of root.files)
      await ingestBody(db, {
        projectId,
        source: { kind: 'autoskillit', name: 'kitchen' },
        kind: 'autoskillit',
        bytes: Buffer.from(text),
        fileName,
      })
  })

  test.each<[string, Row]>([
    [
      'contract_violation',
      {
        broke: 'which pattern was missing the source does not keep',
        category: 'contract',
        retry: 'cannot-help',
        next: 'Compare what was asked for with the result',
        failedAt: 'agent',
      },
    ],
    [
      'budget',
      {
        broke: /did not hold what was asked for.*; no attempt of the budget is left$/,
        category: 'contract',
        retry: 'cannot-help',
        next: 'Compare the attempts in Calls',
      },
    ],
    [
      'timeout',
      {
        broke: /^The time was up after \d+ (seconds|min \d\d s)$/,
        category: 'limit',
        retry: 'unknown',
        next: 'raise the time limit or split the task',
        failedAt: 'cli',
      },
    ],
    [
      'stale',
      {
        broke: /^The run went silent and was stopped after /,
        category: 'process',
        retry: 'could-help',
        next: 'what it was waiting for',
      },
    ],
    [
      'crashed',
      {
        broke: 'FileNotFoundError: [Errno 2] No such file or directory',
        category: 'process',
        retry: 'unknown',
        next: 'Mend what the exception names',
        failedAt: 'cli',
      },
    ],
    [
      'max_turns',
      {
        broke: 'The turns were used up before the work was done (exit code 1)',
        category: 'limit',
        retry: 'could-help',
        next: 'raise the limit',
      },
    ],
    [
      'drain_race',
      {
        broke: 'The result was blank, although a channel saw the end',
        category: 'contract',
        retry: 'could-help',
        next: 'lost on its way',
      },
    ],
    [
      'newer_words',
      {
        broke: 'a kind that is new here: thinking_only',
        category: 'unexplained',
        retry: 'could-help',
        next: 'Run it again.',
      },
    ],
  ])('%s', async (name, row) => {
    const run = root.runs.find(({ ending, stoppedByBudget }) =>
      name === 'budget' ? stoppedByBudget === true : ending === name,
    )!
    const [found] = await db.sql<
      { id: string }[]
    >`select id from executions where external_id = ${run.sessionId ?? run.dir}`
    check((await readExecution(db, [projectId], found!.id))!, row)
  })
})
