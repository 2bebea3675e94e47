import { expect, test } from 'vitest'
import { noise } from '../ingest/secret-samples.fixture'
import { readPatch } from '../patches/read-patch'
import { secretFlags } from './secret-flags'

const secret = `ghp_${noise(36)}`
const flagsOf = async (text: string): Promise<[number | null, number][]> => {
  const bytes = new TextEncoder().encode(text)
  return (await secretFlags(bytes, readPatch(bytes).sections)).map(({ file, lines }) => [file, lines!.start])
}
const file = (name: string, line: string): string => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-old\n+${line}\n`

test('a secret in a hunk is told with its file and line, wherever it stands in a large patch', async () => {
  expect(await flagsOf(file('a', 'plain') + file('b', `token = "${secret}"`))).toEqual([[1, 12]])
  const padding = Array.from({ length: 3_000 }, (_, n) => file(`f${n}`, 'x'.repeat(50)))
  expect(await flagsOf([...padding, file('last', secret)].join(''))).toEqual([[3_000, 3_000 * 6 + 6]])
})

test('a secret in the message around a patch is told, too', async () => {
  expect(await flagsOf(`From: Ada <ada@example.test>\nSubject: ${secret}\n\n${file('a', 'plain')}`)).toEqual([[null, 2]])
})

test('so is one in a patch that git refuses', async () => {
  expect(await flagsOf(`diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,5 +1,5 @@\n+${secret}\n`)).toEqual([[expect.toBeOneOf([0, null]), 5]])
  expect(await flagsOf(`no patch at all\n${secret}\n`)).toEqual([[null, 2]])
})

test('a mail address is no secret', async () => {
  expect(await flagsOf(file('a', 'Ada <ada@example.test>'))).toEqual([])
})
