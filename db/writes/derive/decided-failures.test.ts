import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { CAUSE_CATEGORIES } from '@/lib/model/cause-categories'
import { recordedRun } from '@/lib/sample/recorded-run'
import { readExecution } from '../../queries/execution'
import { DECIDED_FAILURES } from '../../seed/decided-failures'
import { sessionLogRoot } from '../../seed/session-logs'
import { testDb, type TestDb } from '../../testing/test-db'
import { ingestBody } from '../ingest'
import { ensureProject } from '../../projects'

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
    broke: 'The result does not match “plan_path\\s*=\\s*/.+” (1 of 2 expected patterns found)',
    category: 'contract',
    retry: 'cannot-help',
    next: 'Ask for a line that matches “plan_path\\s*=\\s*/.+” in the prompt, or fix the pattern',
    failedAt: 'agent',
  },
  'marker missing, channel A saw the end': {
    broke:
      /^The result lacks the completion marker “%%ORDER_UP::1a2b3c4d%%”, although a result was seen in the output \(channel A\)/,
    category: 'contract',
    retry: 'could-help',
    next: 'the answer was lost in transit',
  },
  'marker missing, no channel': {
    broke: /^The agent stopped without printing its completion marker “%%ORDER_UP::1a2b3c4d%%”/,
    category: 'contract',
    retry: 'could-help',
    next: 'Resume the session and ask for the remaining work',
  },
  'failure signal with a reason': {
    broke: 'The agent declared the run failed: “the staging database is 3 migrations behind”',
    category: 'agent_signal',
    retry: 'unknown',
    next: 'Fix what the agent reported',
  },
  'failure signal without a reason': {
    broke: /without giving a reason$/,
    category: 'agent_signal',
    retry: 'unknown',
    next: 'Read the session to see what it found',
  },
  'time was up': {
    broke: 'Timed out after 15 min 00 s. It printed no result',
    category: 'limit',
    retry: 'unknown',
    next: 'Raise the limit if it was working',
    failedAt: 'cli',
  },
  killed: {
    broke: 'Killed by SIGKILL after 9 seconds. Last output: “memory cgroup out of memory”',
    category: 'process',
    retry: 'unknown',
    next: 'out of memory',
    failedAt: 'cli',
  },
  'went silent': {
    broke: 'went silent and was stopped after 21 min 00 s',
    category: 'process',
    retry: 'could-help',
    next: 'what it is waiting for',
  },
  'exit code without output': {
    broke: 'Exited with code 3. It printed nothing',
    category: 'process',
    retry: 'unknown',
    next: 'Run “claude -p Plan the shop” by hand',
  },
  'exit code with a last word': {
    broke: 'Exited with code 3: “the oven is cold”',
    category: 'process',
    retry: 'unknown',
    next: 'Fix the error above, then rerun it.',
  },
  'command that is not there': {
    broke: 'The command “cluade -p Plan the shop” could not be started (exit code 127)',
    category: 'process',
    retry: 'cannot-help',
    next: 'fix its path',
  },
  'blank result': {
    broke: 'The result is blank, although the process exited with code 0',
    category: 'contract',
    retry: 'could-help',
    next: 'stderr',
  },
  crashed: {
    broke: /AutoSkillit’s own parser crashes on it \(a token counter is no number\)/,
    category: 'result_unreadable',
    retry: 'unknown',
    next: 'fix the program that wrote it',
  },
  'command without its marker': {
    broke: /^Exited with code 3: “cannot find config\.yaml”\nIts output lacks the completion marker “DONE”$/,
    category: 'process',
    retry: 'unknown',
    next: 'Fix the error above, then rerun it',
    failedAt: 'cli',
  },
  'command without its patterns': {
    broke:
      /^Exited with code 4: “error: no plan”\nIts output does not match “plan = \.\+” \(1 of 2 expected patterns found\)$/,
    category: 'process',
    retry: 'unknown',
    next: 'Fix the error above, then rerun it',
  },
  'command whose error is on stdout': {
    broke:
      /^Exited with code 2: “src\/a\.ts:3:5: error TS2345: Argument of type 'string' is not a number”\nIts output lacks/,
    category: 'process',
    retry: 'unknown',
    next: 'Fix the error above, then rerun it',
  },
  'command that ended without its marker': {
    broke: 'The command ended without printing its completion marker “DONE”',
    category: 'contract',
    retry: 'could-help',
    next: 'rerun it',
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
        broke: /^The result was rejected \(contract violation or session error\)/,
        category: 'contract',
        retry: 'cannot-help',
        next: 'Compare the result with what was asked for',
        failedAt: 'agent',
      },
    ],
    [
      'budget',
      {
        broke: /^The result was rejected .*; no attempts left$/,
        category: 'contract',
        retry: 'cannot-help',
        next: 'Compare the attempts',
      },
    ],
    [
      'timeout',
      {
        broke: /^Timed out after \d+ (seconds|min \d\d s)$/,
        category: 'limit',
        retry: 'unknown',
        next: 'Raise the time limit or split the task',
        failedAt: 'cli',
      },
    ],
    [
      'stale',
      {
        broke: /^The run went silent and was stopped after /,
        category: 'process',
        retry: 'could-help',
        next: 'what it is waiting for',
      },
    ],
    [
      'crashed',
      {
        broke: 'FileNotFoundError: [Errno 2] No such file or directory',
        category: 'process',
        retry: 'unknown',
        next: 'Fix the exception',
        failedAt: 'cli',
      },
    ],
    [
      'max_turns',
      {
        broke: 'The turn limit was reached before the work was done (exit code 1)',
        category: 'limit',
        retry: 'could-help',
        next: 'Raise the limit',
      },
    ],
    [
      'drain_race',
      {
        broke: 'The result was blank, although a channel saw the end',
        category: 'contract',
        retry: 'could-help',
        next: 'the answer was lost in transit',
      },
    ],
    [
      'newer_words',
      {
        broke: 'an unknown kind of failure: thinking_only',
        category: 'unexplained',
        retry: 'could-help',
        next: 'Rerun it.',
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
