import { describe, expect, test } from 'vitest'
import { noise } from '../../text/redaction/secret-samples.fixture'
import { readPatch } from '../patches/read-patch'
import { findSecrets } from './find-secrets'
import { boundRuns } from './secret-runs'

const secret = `ghp_${noise(36)}`
const find = (text: string, known: { start: number; end: number }[] = []) => {
  const bytes = new TextEncoder().encode(text)
  return findSecrets(bytes, readPatch(bytes), known)
}
const flagsOf = async (text: string): Promise<[number | null, number][]> =>
  (await find(text)).flags.map(({ file, lines }) => [file, lines!.start])
/** Numbers of the lines that are masked. */
const masked = async (text: string): Promise<number[]> =>
  (await find(text)).runs.flatMap(({ start, end }) =>
    Array.from({ length: end - start + 1 }, (_, i) => start + i),
  )
const file = (name: string, line: string): string =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-old\n+${line}\n`

test('a secret in a hunk is told with its file and line, wherever it stands in a large patch', async () => {
  expect(await flagsOf(file('a', 'plain') + file('b', `token = "${secret}"`))).toEqual([[1, 12]])
  const padding = Array.from({ length: 3_000 }, (_, n) => file(`f${n}`, 'x'.repeat(50)))
  expect(await flagsOf([...padding, file('last', secret)].join(''))).toEqual([[3_000, 3_000 * 6 + 6]])
})

test('a secret in the message around a patch is told, too', async () => {
  expect(await flagsOf(`From: Ada <ada@example.test>\nSubject: ${secret}\n\n${file('a', 'plain')}`)).toEqual([
    [null, 2],
  ])
})

test('so is one in a patch that git refuses', async () => {
  expect(await flagsOf(`diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,5 +1,5 @@\n+${secret}\n`)).toEqual([
    [expect.toBeOneOf([0, null]), 5],
  ])
  expect(await flagsOf(`no patch at all\n${secret}\n`)).toEqual([[null, 2]])
})

test('a mail address is no secret', async () => {
  expect(await flagsOf(file('a', 'Ada <ada@example.test>'))).toEqual([])
})

const hunk = (lines: readonly string[], name = 'a'): string => {
  const count = (sign: string): number => lines.filter((line) => !line.startsWith(sign)).length
  return `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,${count('+')} +1,${count('-')} @@\n${lines.join('\n')}\n`
}

test('each line with a secret is masked, also where a file has more of them than are flagged', async () => {
  const lines = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? `+t = "ghp_${noise(36, n)}"` : '+plain'))
  const { flags, runs } = await find(hunk(lines))
  expect(runs.map(({ start, end }) => [start, end])).toEqual(
    Array.from({ length: 30 }, (_, n) => [5 + 2 * n, 5 + 2 * n]),
  )
  expect([flags.length, flags.at(-1)!.detail]).toEqual([
    20,
    { id: 'more_lines', params: { count: 10, inFile: true } },
  ])
})

test('lines that follow each other are one run and one flag; two files have one each', async () => {
  const lines = Array.from({ length: 25 }, (_, n) => `+ghp_${noise(36, n)}`)
  const { flags, runs } = await find(hunk(lines) + hunk(lines, 'b'))
  expect(flags.map(({ file, lines: at }) => [file, at])).toEqual([
    [0, { start: 5, end: 29 }],
    [1, { start: 34, end: 58 }],
  ])
  const before = hunk(lines).length
  expect(runs.map(({ byteStart, byteEnd }) => [byteStart, byteEnd])).toEqual([
    [before - 25 * 42, before],
    [2 * before - 25 * 42, 2 * before],
  ])
})

describe('a private key in several lines', () => {
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    ...Array.from({ length: 5 }, (_, n) => noise(64, n)),
    '-----END RSA PRIVATE KEY-----',
  ]
  const KEY = [5, 6, 7, 8, 9, 10, 11]

  test.each([
    ['added', '+'],
    ['removed', '-'],
    ['that stays', ' '],
  ])('%s is masked from its first line to its last', async (_, sign) => {
    expect(await masked(hunk([...key.map((line) => sign + line), '+x', ' plain']))).toEqual(KEY)
    expect(await flagsOf(hunk([...key.map((line) => sign + line), '+x']))).toEqual([[0, 5]])
  })

  test('with line ends of Windows, and the one after the other', async () => {
    expect(await masked(hunk([...key.map((line) => `+${line}\r`), '+x']))).toEqual(KEY)
    expect(
      await masked(hunk([...key.map((line) => `-${line}`), ...key.map((line) => `+${line}`), ' x'])),
    ).toEqual(Array.from({ length: 14 }, (_, i) => 5 + i))
  })

  test('of one side, and none of the lines of the other side between them', async () => {
    const [begin, ...body] = key.map((line) => `-${line}`)
    expect(await masked(hunk([begin!, '+plain', ...body, '+x', ' y']))).toEqual([5, 7, 8, 9, 10, 11, 12])
  })

  test('of which some lines change is masked on both sides', async () => {
    expect(
      await masked(
        hunk([
          ...key.slice(0, 3).map((line) => ` ${line}`),
          `-${key[3]}`,
          `+${noise(64, 99)}`,
          ...key.slice(4).map((line) => ` ${line}`),
        ]),
      ),
    ).toEqual([...KEY, 12])
  })

  test('of which the hunk has the end, or only the beginning', async () => {
    expect(await masked(hunk([...key.slice(3).map((line) => ` ${line}`), '+x']))).toEqual([5, 6, 7, 8])
    expect(await masked(hunk(['+x', ...key.slice(0, 3).map((line) => ` ${line}`)]))).toEqual([6, 7, 8])
  })

  test('in a patch that git refuses, and across the window that is looked through at once', async () => {
    expect(await masked(`no patch\n${key.join('\n')}\n`)).toEqual([2, 3, 4, 5, 6, 7, 8])
    const padding = Array.from({ length: (64 * 1024) / 8 - 10 }, () => '+1234567')
    const lines = [...padding, ...key.map((line) => `+${line}`), '+x']
    expect(await masked(hunk(lines))).toEqual(key.map((_, i) => 5 + padding.length + i))
  })

  test('text about keys is none', async () => {
    expect(
      await masked(
        hunk([
          '+A file begins with -----BEGIN PRIVATE KEY-----',
          '+and then some lines.',
          '+-----END PRIVATE KEY----- is its end.',
        ]),
      ),
    ).toEqual([])
  })
})

test('what is known to be secret is masked to its last line', async () => {
  const text = hunk(['+one', '+two', '+three', ' four'])
  const start = text.indexOf('wo')
  expect((await find(text, [{ start, end: start + 5 }])).runs).toEqual([
    { start: 6, end: 7, byteStart: start - 2, byteEnd: text.indexOf(' four') },
  ])
})

test('the header of a file that git reads is flagged and not masked: its name is shown', async () => {
  const { flags, runs } = await find(hunk(['+x', ' y'], secret))
  expect([flags.length, runs]).toEqual([1, []])
})

test('a patch with very many secrets is masked hunk by hunk, and then as a whole', () => {
  const bytes = new TextEncoder().encode('1\n2\n3\n4\n5\n6\n')
  const run = (line: number, zone: number) => ({
    start: line,
    end: line,
    byteStart: 2 * line - 2,
    byteEnd: 2 * line,
    zone,
  })
  const runs = [run(1, 1), run(3, 1), run(4, 3), run(6, 3)]
  expect(boundRuns(bytes, runs, 4)).toHaveLength(4)
  expect(boundRuns(bytes, runs, 2)).toEqual([
    { start: 1, end: 3, byteStart: 0, byteEnd: 6 },
    { start: 4, end: 6, byteStart: 6, byteEnd: 12 },
  ])
  expect(boundRuns(bytes, runs, 1)).toEqual([{ start: 1, end: 6, byteStart: 0, byteEnd: 12 }])
})
