import { expect, test } from 'vitest'
import { connectionText } from '@/lib/words/server/connections'

test.each([
  [1, '2000 connections are open; 1 more was dropped since the last such message'],
  [2, '2000 connections are open; 2 more were dropped since the last such message'],
])('the line on %i dropped connections', (dropped, line) =>
  expect(connectionText.connectionsDropped({ dropped })).toBe(line),
)
