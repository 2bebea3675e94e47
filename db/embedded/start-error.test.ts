import { expect, test } from 'vitest'
import { ServerStartError } from './start-error'

const message = (log: string): string => new ServerStartError('exit SIGKILL', log, '/data').message

test.each([
  [
    'the last FATAL',
    'a LOG:  starting\na FATAL:  lock file is empty\na LOG:  shut down',
    ': lock file is empty',
  ],
  ['an ERROR', 'a ERROR:  out of memory\na LOG:  shut down', ': out of memory'],
  [
    'what the program prints without a level',
    'initdb: cannot be run as root',
    ': initdb: cannot be run as root',
  ],
  ['no other line of the log', '2026-11-24 13:21:09.071 UTC [1] LOG:  redo is not required', ''],
  ['no hint', 'a LOG:  x\na HINT:  look there', ''],
  ['nothing', '\n', ''],
])('the sentence ends in %s', (_what, log, end) =>
  expect(message(log)).toBe(`The database server could not start (exit SIGKILL)${end}`),
)
