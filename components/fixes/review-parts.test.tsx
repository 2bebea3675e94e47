import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readFileRows } from '@/lib/views/fixes/diff-rows'
import { ApplyBox } from './apply-box'
import { Budget } from './budget'
import { blockOf, diffBlocks, openAtFirst } from './diff-blocks'
import { firstChange, placeOfPatchLine } from './diff-place'
import { changeWords, isGenerated } from './file-words'
import { Evidence } from './evidence'
import { leadingFix } from './fix-line'
import { FixRow } from './fix-row'
import { HunkSlice } from './hunk-slice'
import { provenanceLinks, type ProvenanceFacts } from '@/lib/views/fixes/provenance'
import { file, fix, flag } from './made-up'
import { ProvenanceLinks } from './provenance'
import { RoomHeader } from './room-header'
import { byWeight, type MaskedLines, secretLines, signalsToAcknowledge } from './words'

const textOf = (html: string): string =>
  html
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
const text = (node: React.ReactElement): string => textOf(renderToStaticMarkup(node))
const utf8 = new TextEncoder()
const PATCH =
  'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-<script>alert(1)</script>\r\n+b\u202e\u001b[31mé\u200b\n c\n'
const rows = () => readFileRows(utf8.encode(PATCH), 1)

const slice = (
  layout: 'split' | 'unified',
  masked: MaskedLines = { has: () => false, hidden: false },
): string => {
  const [block] = diffBlocks([file(0)], new Set([0]), new Map([[0, rows()]]), {
    layout,
    ignoreSpace: false,
  }).filter((one) => one.type === 'slice')
  return renderToStaticMarkup(
    <HunkSlice
      lines={block!.type === 'slice' ? block!.lines : []}
      status="M"
      layout={layout}
      words
      masked={masked}
      colours={undefined}
      name="f"
      isChosen={() => false}
      onChoose={() => undefined}
      below={(row) => (row.line === 7 ? <p>below seven</p> : null)}
    />,
  )
}

test.each(['split', 'unified'] as const)('hostile text is text with marks, never markup (%s)', (layout) => {
  const html = slice(layout)
  expect(html).not.toContain('<script')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect([...html.matchAll(/class="made-visible"/g)]).toHaveLength(4)
  expect(textOf(html)).toContain('⟨U+202E⟩')
  expect(html).not.toMatch(/[\u202e\u001b\u200b\r]/)
  expect(html).toContain('below seven')
})

test('a line with a secret is masked, on its own side and in the words of the other, whatever the flags are', () => {
  const html = slice('split', secretLines(fix({ flags: [], secretLines: [{ start: 6, end: 6 }] })))
  expect(html).not.toContain('alert(1)')
  expect(textOf(html)).toContain('this line may contain a secret Show the line')
  expect(textOf(html)).toContain('⟨U+202E⟩')
})

test('who may not have the bytes cannot ask for the line', () => {
  const shown = textOf(
    slice('split', secretLines(fix({ secretLines: [{ start: 6, end: 6 }], secretsHidden: true }))),
  )
  expect(shown).toContain('this line may contain a secret; requires the role reviewer')
  expect(shown).not.toContain('Show the line')
})

test('every line of a run is masked, however long it is, and no other; all are while nobody knows', () => {
  const { has } = secretLines(
    fix({
      secretLines: [
        { start: 3, end: 5_000 },
        { start: 5_002, end: 9_000_000 },
      ],
    }),
  )
  expect([2, 3, 1_500, 4_999, 5_000, 5_001, 5_002, 9_000_000, 9_000_001].map(has)).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
    true,
    true,
    false,
  ])
  expect([
    secretLines(fix({ secretLines: [] })).has(1),
    secretLines(fix({ secretLines: null })).has(1),
  ]).toEqual([false, true])
})

test('each line is told by a sign and a word, with its numbers', () => {
  const html = slice('unified')
  expect([...html.matchAll(/data-sign="(.)"/g)].map(([, sign]) => sign).join('')).toBe(' -+ ')
  expect(textOf(html)).toMatch(/deleted: .*added: /)
  expect(
    [...html.matchAll(/aria-label="Line (\d+) of the (old|new) f"/g)].map(
      ([, line, side]) => `${side} ${line}`,
    ),
  ).toEqual(['old 1', 'new 1', 'old 2', 'new 2', 'old 3', 'new 3'])
})

test('only what is short together is open at first, and a lock file only when a flag points at it', () => {
  const files = [
    file(0, { additions: 1_500 }),
    file(1, { name: 'a/package-lock.json' }),
    file(2, { additions: 400 }),
    file(3, { additions: 9_000 }),
    file(4),
  ]
  expect([...openAtFirst(files, [])]).toEqual([0, 2])
  expect([...openAtFirst(files, [flag({ file: 1 })])]).toEqual([0, 1, 2])
  expect([...openAtFirst([file(0, { additions: 90_000 })], [])]).toEqual([0])
  expect(['Cargo.lock', 'x/pnpm-lock.yaml', 'lock.ts', 'package.json'].map(isGenerated)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a place is found in its slice, in its file while that is folded, and nowhere without the file', () => {
  const files = [file(0), file(1)]
  const blocks = diffBlocks(files, new Set([0]), new Map([[0, rows()]]), {
    layout: 'split',
    ignoreSpace: false,
  })
  expect(blocks.map((block) => block.type)).toEqual(['file', 'hunk', 'slice', 'file'])
  const at = (of: number, line: number | null) =>
    blockOf(blocks, { file: of, lines: line === null ? null : { side: 'new', start: line, end: line } })
  expect([at(0, 2), at(0, 99), at(1, 5), at(0, null), at(7, null)]).toEqual([2, 0, 3, 0, -1])
  expect(firstChange(rows().hunks[0]!)).toEqual({ side: 'old', start: 2, end: 2 })
  expect([placeOfPatchLine(rows(), 7), placeOfPatchLine(rows(), 2)]).toEqual([
    { side: 'new', start: 2, end: 2 },
    null,
  ])
})

test('modes, links, renames and binary changes are named in words', () => {
  expect(changeWords(file(0, { status: 'R', oldName: 'a', similarity: 100, hunks: 0 }))).toEqual([
    'Renamed from a, 100 % alike.',
    'No line changes.',
  ])
  expect(changeWords(file(0, { oldMode: '100644', newMode: '100755', hunks: 0 }))).toEqual([
    'Mode 100644 (file) becomes 100755 (executable).',
    'No line changes.',
  ])
  expect(changeWords(file(0, { status: 'A', newMode: '120000' }))).toEqual([
    'New symbolic link (mode 120000).',
    'Its line is the target of the link.',
  ])
  expect(changeWords(file(0, { status: 'A', newMode: '104755' }))).toEqual(['New mode 104755.'])
  expect(changeWords(file(0, { oldMode: '160000', newMode: '160000' }))).toEqual([
    'It is a submodule.',
    'Its line is a commit of another repository.',
  ])
  expect(changeWords(file(0, { binary: true, hunks: 0 }))).toEqual([
    'Binary file not shown. Download the patch to get it.',
  ])
  expect(changeWords(file(0, { status: 'A', hunks: 0 }))).toEqual(['The new file is empty.'])
})

test('no command is offered while a blocking flag stands or git refuses the patch', () => {
  expect(text(<ApplyBox fix={fix()} />)).toContain('git apply --check')
  const { reading } = fix()
  for (const hard of [
    { ...reading, safe: false, blocking: ['path-traversal'] },
    { ...reading, verdict: 'error' as const },
  ]) {
    const shown = text(<ApplyBox fix={fix({ reading: hard })} />)
    expect(shown).not.toContain('git apply')
    expect(shown).toContain('No apply commands')
  }
})

test('what nobody said is unknown, a budget that nobody stated is missing, and use above a limit is told', () => {
  const facts: ProvenanceFacts = {
    fix: fix(),
    proposedBy: 'key:k',
    execution: null,
    failure: { attempts: null, place: null, error: null, exitCode: null, received: null, packReceived: null },
    transcriptLines: null,
    flags: [],
    followUps: [],
    applied: null,
  }
  const shown = text(<ProvenanceLinks steps={provenanceLinks(facts)} />)
  for (const known of [
    'Failure task test (by the proposer) attempts unknown',
    'Context pack context pack unknown',
    'commit unknown',
    'kind unknown',
    'Transcript stored, redacted unknown',
    'Decisions decision unknown',
    'Later executions later execution unknown',
  ])
    expect(shown).toContain(known)
  const flags = [
    flag({ lines: { start: 6, end: 6 } }),
    flag({ lines: { start: 9, end: 9 } }),
    flag({ family: 'safety', code: 'symlink', weight: 'warning' }),
  ]
  const followUps = [
    {
      id: 'e2',
      externalId: 'run-2',
      outcome: 'succeeded',
      startedAt: null,
      rule: 'same_pipeline_job_task',
      basis: 'inferred',
    },
  ]
  const told = text(
    <ProvenanceLinks steps={provenanceLinks({ ...facts, proposedBy: 'system', flags, followUps })} />,
  )
  expect(told).toMatch(
    /rules 1 \(computed\).* signal: skip-added high, 2 times \(computed\) safety: symlink warning \(computed\)/,
  )
  expect(told).toMatch(
    /task test \(recorded\).* run-2 succeeded startedAt unknown, linkedBy same_pipeline_job_task \(computed\)/,
  )
  expect(text(<Budget fix={fix()} />)).toMatch(
    /Attempts usage not reported limit not reported.*Wall clock usage not reported limit not reported/,
  )
  expect(
    text(
      <Budget
        fix={fix({
          budget: {
            attempts: { limit: 1, used: 3 },
            wallClockMs: { limit: 300_000, used: 41_000 },
            endedBy: 'attempts',
          },
        })}
      />,
    ),
  ).toMatch(/3 of 1 over the limit .*41 s of 5 min 00 s/)
})

test('evidence is always the proposer’s own, and an approval names the high signals', () => {
  expect(text(<Evidence fix={fix({ verdict: 'reproduced-and-fixed' })} />)).toContain(
    'verified by the proposer',
  )
  const { reading } = fix()
  expect(
    signalsToAcknowledge({
      reading: {
        ...reading,
        signals: [
          { code: 'skip-added', weight: 'high' },
          { code: 'x', weight: 'medium' },
          { code: 'skip-added', weight: 'high' },
        ],
      },
    }),
  ).toEqual(['skip-added'])
  expect(
    byWeight([
      flag({ weight: 'low' }),
      flag({ weight: 'a new one' }),
      flag({ weight: 'blocking' }),
      flag({ weight: 'high' }),
    ]).map((one) => one.weight),
  ).toEqual(['blocking', 'high', 'low', 'a new one'])
})

test('the cause names the fix that was approved before one that is only proposed, and none that was rejected', () => {
  const of = (id: string, state: string) => ({ ...fix(), id, state })
  expect(leadingFix([of('1', 'rejected'), of('2', 'superseded')])).toBeNull()
  expect(leadingFix([of('1', 'approved'), of('2', 'proposed'), of('3', 'rejected')])?.id).toBe('1')
  expect(leadingFix([of('1', 'proposed'), of('2', 'proposed')])?.id).toBe('2')
})

test('a fix of CI that nothing says to have been enabled is marked in the list and in the room', () => {
  const marked = fix({ notEnabled: true, mode: 'ci' })
  expect(text(<FixRow fix={marked} />)).toContain('in CI, not enabled')
  expect(
    text(
      <RoomHeader fix={marked} threads={[]}>
        {null}
      </RoomHeader>,
    ),
  ).toContain(
    'In CI, not enabled. Proposing is off in CI by default, and no record shows that it was enabled.',
  )
  expect(
    [
      <FixRow key="a" fix={fix()} />,
      <RoomHeader key="b" fix={fix({ mode: 'ci', enabledBy: 'the project' })} threads={[]}>
        {null}
      </RoomHeader>,
    ]
      .map(text)
      .join(),
  ).not.toContain('not enabled')
})
