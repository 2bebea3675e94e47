import { expect, test } from 'vitest'
import { idInPath } from './id-in-path'

test.each([
  ['/executions/0199', '0199'],
  ['/executions/a%2Fb', 'a/b'],
  ['/executions/100%', '100%'],
  ['/executions/', null],
  ['/executions', null],
  ['/no/such/page', null],
])('%s names %s', (path, want) => expect(idInPath(path)).toBe(want))
