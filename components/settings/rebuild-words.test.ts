import { expect, test } from 'vitest'
import type { ReingestItem } from '@/lib/api/admin-schemas'
import { isOpen, rebuildWords } from './rebuild-words'

const job = (given: Partial<ReingestItem>): ReingestItem => ({
  id: 'j',
  project: 'default',
  state: 'running',
  phase: 'streams',
  done: 0,
  total: 0,
  streams: 0,
  executions: 0,
  records: 0,
  quarantined: 0,
  problems: [],
  problemsTotal: 0,
  error: null,
  requestedAt: '2026-11-24T10:00:00.000Z',
  startedAt: null,
  endedAt: null,
  url: '/x',
  ...given,
})
const counts = { streams: 1, executions: 2, records: 3012 }

test.each<[Partial<ReingestItem>, boolean, string]>([
  [{ state: 'queued' }, true, 'Queued: waiting for the background jobs of the server'],
  [{ done: 3, total: 1200 }, true, 'Reading 3 of 1,200 streams'],
  [{ phase: 'executions', done: 2, total: 1 }, true, 'Analysing 2 of 2 executions'],
  [{ phase: 'executions', done: 0, total: 1 }, true, 'Analysing 0 of 1 execution'],
  [{ phase: 'fixes' }, true, 'Reading patches'],
  [{ state: 'stopping' }, true, 'Stopping after the current step'],
  [{ state: 'done', ...counts }, false, 'Rebuilt 1 stream, 2 executions and 3,012 records'],
  [
    { state: 'done', ...counts, problemsTotal: 1 },
    false,
    'Rebuilt 1 stream, 2 executions and 3,012 records, with 1 problem',
  ],
  [
    { state: 'stopped', ...counts },
    false,
    'Stopped. Rebuilt so far: 1 stream, 2 executions and 3,012 records',
  ],
  [
    { state: 'failed', error: 'TypeError: x is null', ...counts },
    false,
    'Failed: TypeError: x is null. Rebuilt so far: 1 stream, 2 executions and 3,012 records',
  ],
])('%o', (given, open, words) => {
  expect([isOpen(job(given)), rebuildWords(job(given))]).toEqual([open, words])
})
