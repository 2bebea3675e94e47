import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readFileRows } from '@/lib/views/fixes/diff-rows'
import type { Interdiff } from '@/lib/views/fixes/interdiff'
import { pairFiles } from '@/lib/views/fixes/since-version'
import type { Thread } from '@/lib/views/fixes/threads'
import { EarlierMark } from './earlier-mark'
import { EarlierRequests } from './earlier-requests'
import { pairSentences } from './interdiff-head'
import { file, fix } from './made-up'
import { RoomHeader } from './room-header'
import { baseWords, cutWords, goneFiles, secretRows, sinceWords } from './since-words'
import type { Since } from './use-since-version'
import type { FixFile } from '@/lib/model/fix'

const text = (node: React.ReactElement): string =>
  renderToStaticMarkup(node)
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
const numbers = { now: 2, before: 1 }
const none: Interdiff = {
  hunks: [],
  rowsLeftOut: 0,
  problem: null,
  origins: new Map(),
  basesDiffer: false,
  isCoarse: false,
  refusal: null,
}

const since = (now: FixFile[], before: FixFile[], total: { now?: number; before?: number } = {}): Since => {
  const version = (ordinal: number, files: FixFile[], count = files.length) => ({
    fix: fix({ ordinal, reading: { ...fix().reading, files: count } }),
    files,
  })
  return {
    now: version(2, now, total.now),
    before: version(1, before, total.before),
    pairs: pairFiles(now, before),
  }
}

test('what became of a file is told in words, and what is not known is not', () => {
  const [same, changed, gone, fresh] = [file(0), file(1), file(2), file(3)]
  const told = since([same, { ...changed, sha256: 'f'.repeat(64) }, fresh], [same, changed, gone])
  expect([0, 1, 3, 9].map((ordinal) => sinceWords(told, ordinal))).toEqual([
    'as in version 1',
    'changed since version 1',
    'not in version 1',
    null,
  ])
  expect([goneFiles(told), cutWords(told)]).toEqual([['src/f2.ts'], null])
  const cut = since([same, fresh], [same, gone], { now: 9_000, before: 9_000 })
  expect([sinceWords(cut, 0), sinceWords(cut, 3), goneFiles(cut)]).toEqual(['as in version 1', null, []])
  expect(cutWords(cut)).toBe(
    'Only the first 2 of 9,000 files of version 1 and the first 2 of 9,000 files of version 2 are compared.',
  )
})

test('different bases is told, and so is one that is not known', () => {
  const on = (commit: string | null, other: string | null): Since => {
    const told = since([], [])
    told.now.fix.base = { ...told.now.fix.base, commit }
    told.before.fix.base = { ...told.before.fix.base, commit: other }
    return told
  }
  expect(baseWords(on('abcdef1', 'abcdef1'))).toBeNull()
  expect(baseWords(on('abcdef1', '1234567'))).toMatch(
    /^Version 1 has a different base, so moved lines show as changed/,
  )
  expect(baseWords(on('abcdef1', null))).toMatch(/is unknown, so moved lines may show as changed/)
})

test('what differs beside lines is said of both versions, and why nothing is compared', () => {
  const say = (now: FixFile | null, before: FixFile | null, read: Interdiff | undefined = undefined) =>
    pairSentences(pairFiles(now ? [now] : [], before ? [before] : [])[0]!, numbers, read)
  expect(say(file(0), file(0))).toEqual([])
  expect(say(file(0), null)).toEqual(['Version 1 doesn’t change this file.'])
  expect(say(null, file(0, { oldMode: '100644', newMode: '100755', hunks: 0 }))).toEqual([
    'Version 2 doesn’t change this file.',
    'Version 1: changed. Mode 100644 (file) becomes 100755 (executable). No line changes.',
  ])
  expect(say(file(0, { status: 'D' }), file(0))).toEqual(['Version 1: changed.', 'Version 2: deleted.'])
  expect(say(file(0, { binary: true }), file(0, { binary: true }))).toEqual([
    'Binary file: changed, not compared.',
  ])
  expect(say(file(0), file(0), none)[0]).toMatch(/^No lines differ/)
  expect(say(file(0), file(0), { ...none, refusal: { version: 'earlier', why: 'too-long' } })).toEqual([
    'Too long in version 1: not compared.',
  ])
  expect(say(file(0), file(0), { ...none, basesDiffer: true, isCoarse: true }).slice(1)).toEqual([
    expect.stringMatching(/different bases/),
    expect.stringMatching(/Both versions are shown in full/),
  ])
})

test('a row is masked when the patch of either version has a secret in its line', () => {
  const secret = (line: number) => fix({ secretLines: [{ start: line, end: line }] })
  const origins = new Map([
    [1, { earlier: 5, later: null }],
    [2, { earlier: 8, later: 8 }],
    [3, { earlier: null, later: 9 }],
    [4, { earlier: 9, later: 5 }],
  ])
  const { has } = secretRows({ origins }, secret(5), secret(9))
  expect([1, 2, 3, 4].filter(has)).toEqual([1, 3])
})

const row = readFileRows(new TextEncoder().encode('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+const token = 1\n'), 1)
  .hunks[0]!.rows[1]!
const thread = (more: Partial<Thread> = {}): Thread => ({
  id: 't',
  fix: 'first',
  version: 1,
  sha256: '',
  file: 0,
  path: 'src/f.ts',
  side: 'new',
  lineStart: 1,
  lineEnd: 1,
  isResolved: false,
  resolvedBy: null,
  comments: [
    {
      id: 't',
      thread: 't',
      fix: 'first',
      ordinal: 1,
      kind: 'comment',
      by: 'ana',
      isMine: false,
      at: '2026-11-20T08:00:00.000Z',
      text: 'Why?',
      sha256: '',
      file: 0,
      path: 'src/f.ts',
      side: 'new',
      lineStart: 1,
      lineEnd: 1,
    },
  ],
  earlier: {
    at: { file: 0, lines: { side: 'new', start: 1, end: 1 } },
    standing: 'outdated',
    quote: [{ row, isMasked: false, isHidden: false }],
  },
  ...more,
})

test('an outdated thread names its version and quotes its line, which stays masked where it holds a secret', () => {
  const mark = (one: Thread): string => text(<EarlierMark thread={one} earlier={one.earlier!} />)
  expect(mark(thread())).toMatch(/outdated.*on version 1 .*src\/f\.ts.*const token = 1/)
  expect(renderToStaticMarkup(<EarlierMark thread={thread()} earlier={thread().earlier!} />)).toContain(
    'href="/fixes/first#file-1-new-1"',
  )
  expect(
    mark(thread({ earlier: { ...thread().earlier!, quote: [{ row, isMasked: true, isHidden: false }] } })),
  ).not.toContain('token')
  expect(mark(thread({ earlier: { ...thread().earlier!, standing: 'unread', quote: [] } }))).toContain(
    'line could not be loaded',
  )
})

test('what was asked for on each earlier version stands in order, and its open threads are counted in the head', () => {
  const version = (id: string, ordinal: number, supersedes: string | null, asked: string[]) => ({
    id,
    ordinal,
    supersedes,
    state: 'superseded',
    sha256: '',
    receivedAt: '',
    requests: asked.map((comment) => ({ by: 'ana', at: '2026-11-20T08:00:00.000Z', comment })),
  })
  const third = fix({
    id: 'third',
    ordinal: 3,
    supersedes: 'second',
    versions: [
      version('first', 1, null, ['Smaller.']),
      version('second', 2, 'first', ['Exact.']),
      version('beside', 4, null, ['Never seen.']),
    ],
  })
  const threads = [
    thread(),
    thread({ id: 'u', isResolved: true }),
    thread({ id: 'v', fix: 'second', version: 2 }),
    thread({ id: 'w', fix: 'third', version: 3, earlier: null }),
  ]
  const said = text(
    <EarlierRequests
      fix={third}
      threads={threads}
      busy={false}
      mayComment
      onSend={() => undefined}
      onGo={() => undefined}
    />,
  )
  expect(said).toMatch(/of version 1 .*Smaller\. .*of version 2 .*Exact\./)
  expect(said).not.toContain('Never seen')
  expect(
    text(
      <RoomHeader fix={third} threads={threads}>
        {null}
      </RoomHeader>,
    ),
  ).toContain('1 request of version 1, 1 request of version 2 unresolved')
})
