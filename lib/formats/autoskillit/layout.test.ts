import { describe, expect, test } from 'vitest'
import { isPrunedBySource, logFileName, readLogPath, sessionOfDir } from './layout'

const uuid = '11111111-2222-4333-8444-555555555555'

describe('what a path says', () => {
  test.each([
    ['sessions.jsonl', 'index', null],
    ['logs/sessions.jsonl', 'index', null],
    ['sessions-archive.jsonl', 'index', null],
    [`sessions/${uuid}/summary.json`, 'summary', uuid],
    [`${uuid}/token_usage.json`, 'token_usage', uuid],
    ['/var/logs/sessions/no_session_x/crash_exception.txt', 'crash', 'no_session_x'],
    ['summary.json', 'summary', null],
    ['sessions/summary.json', 'summary', null],
    ['sessions/d/meta.json', null, 'd'],
    ['other/meta.json', null, null],
    ['d/my-summary.json', null, null],
    ['', null, null],
    [null, null, null],
    ['__proto__', null, null],
    ['d/constructor', null, null],
  ])('%s', (path, file, dir) => expect(readLogPath(path)).toEqual({ file, dir }))
})

test('a folder is named after its session; one of a resumed session carries the start as well', () => {
  expect(sessionOfDir(uuid)).toBe(uuid)
  expect(sessionOfDir(`${uuid}_2026-05-02T10-00-00.000000+00-00`)).toBe(uuid)
  expect(sessionOfDir('no_session_2026-05-02T10-00-00')).toBe('no_session_2026-05-02T10-00-00')
})

test.each([
  [`/a/b/sessions/${uuid}/summary.json`, `sessions/${uuid}/summary.json`],
  [`/a/${uuid}/summary.json`, `${uuid}/summary.json`],
  ['/a/sessions.jsonl', 'sessions.jsonl'],
  ['/a/sessions/d/meta.json', null],
  ['summary.json', null],
])('%s is sent as %s', (path, name) => expect(logFileName(path)).toBe(name))

test.each([
  ['/a/sessions/d', true],
  ['/a/sessions/d/summary.json', true],
  ['/a/sessions/d/other.jsonl', false],
  ['/a/sessions.jsonl', false],
  ['/a/d/summary.json', false],
])('the source prunes %s: %s', (path, pruned) => expect(isPrunedBySource(path)).toBe(pruned))
