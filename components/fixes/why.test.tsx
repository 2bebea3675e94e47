import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readFileRows } from '@/lib/views/fixes/diff-rows'
import { diffBlocks } from './diff-blocks'
import { FileBlock } from './file-block'
import { Size } from './fix-row'
import { HunkHead } from './hunk-head'
import { LateReviews } from './late-reviews'
import { file, fix } from './made-up'
import { whyNoSuggestion } from './use-suggestion'

const textOf = (node: React.ReactElement): string =>
  renderToStaticMarkup(node)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
const nothing = (): void => undefined
const {
  hunks: [hunk],
} = readFileRows(Buffer.from('--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-a\n+b\n+c\n'), 1)
const head = (more: Partial<Parameters<typeof HunkHead>[0]> = {}) => (
  <HunkHead
    id="h"
    hunk={hunk!}
    isCurrent={false}
    isMasked={false}
    pairsHidden={0}
    reasons={[]}
    isSilent={false}
    {...more}
  />
)
const block = (why: Parameters<typeof FileBlock>[0]['why']) => (
  <FileBlock
    file={file(0)}
    isOpen
    isCurrent={false}
    isViewed={false}
    isPlain={false}
    since={null}
    why={why}
    flags={[]}
    onToggle={nothing}
    onViewed={nothing}
  >
    {null}
  </FileBlock>
)

test('why a hunk is there is told in the proposer’s words, as text', () => {
  const html = renderToStaticMarkup(
    head({ reasons: [{ file: 'a', line: 2, text: '<b>No\u202e\u001b[31m cents</b>' }] }),
  )
  expect(html).not.toMatch(/<b>|[\u202e\u001b]/)
  expect(textOf(head({ reasons: [{ file: 'a', line: 2, text: 'No cents.' }] }))).toContain(
    'Why line 2 (proposer): No cents.',
  )
})

test('that nothing is said stands once at the file, and at a hunk only beside hunks that have a reason', () => {
  expect(textOf(block(null))).toContain('no reason given')
  expect(textOf(block([]))).not.toContain('not stated')
  expect(textOf(block([{ file: 'src/f0.ts', line: null, text: 'All of it.' }]))).toContain(
    'Why (proposer): All of it.',
  )
  expect(textOf(head())).not.toContain('not stated')
  expect(textOf(head({ isSilent: true }))).toContain('no reason given')
})

test('who was first is told who came late, and with what', () => {
  expect(
    textOf(
      <LateReviews
        fix={fix({
          lateReviews: [{ by: 'Rina\u202e', at: '2026-11-20T10:02:00.000Z', to: 'rejected', seenVersion: 1 }],
        })}
      />,
    ),
  ).toMatch(/Rina ⟨U\+202E⟩ also tried to reject this fix, .*after the fix had been reviewed\./)
})

test('a change is suggested only where it could take the place of the fix', () => {
  expect(
    ['proposed', 'changes_requested', 'approved'].map((state) => whyNoSuggestion({ state }, true)),
  ).toEqual([null, null, null])
  expect(whyNoSuggestion({ state: 'applied' }, true)).toBe('The fix is applied, so it can’t be replaced')
  expect(whyNoSuggestion({ state: 'proposed' }, false)).toBe('Your role can’t propose fixes')
})

test('of a patch that git does not take nothing is counted', () => {
  const { reading } = fix()
  expect(textOf(<Size reading={reading} />)).toMatch(/\+ 1 lines added.*1 file/)
  expect(
    textOf(<Size reading={{ ...reading, verdict: 'error', files: 0, additions: 0, deletions: 0 }} />).trim(),
  ).toBe('unreadable patch')
})

test('a file ends with its last lines, whatever stands below', () => {
  const rows = readFileRows(
    Buffer.from('--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-a\n+b\n+c\n@@ -10 +11 @@\n-d\n+e\n'),
    1,
  )
  const blocks = diffBlocks(
    [file(0), file(1)],
    new Set([0, 1]),
    new Map([
      [0, rows],
      [1, rows],
    ]),
    { layout: 'unified', ignoreSpace: false },
  )
  expect(blocks.flatMap((one) => (one.type === 'slice' ? [one.isLast] : []))).toEqual([
    false,
    true,
    false,
    true,
  ])
})
