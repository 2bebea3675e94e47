import { expect, test } from 'vitest'
import type { FixFit } from '@/lib/api/fit-schemas'
import { FIT_OUTCOMES, notChecked, sideWithout, type FitTrouble } from '@/lib/judge/fixes/fit'
import { appliedSentence, OUTCOMES, sideSentence, staleSentence, troublePlace } from './fit-words'

const trouble: FitTrouble = { kind: 'hunk', file: 1, name: 'b.txt', hunk: 2, place: null, words: '' }

test('each outcome has a word of its own and a sentence', () => {
  expect(new Set(FIT_OUTCOMES.map((outcome) => OUTCOMES[outcome].word)).size).toBe(FIT_OUTCOMES.length)
  for (const outcome of FIT_OUTCOMES) expect(sideSentence(sideWithout(outcome))).toMatch(/\.$/)
})

test('a side says how much does not fit, what would land elsewhere, and why nothing was checked', () => {
  expect(sideSentence({ ...sideWithout('does-not-fit'), troubles: [trouble], troublesTotal: 1 })).toBe(
    'The patch does not apply: 1 place does not fit.',
  )
  expect(sideSentence({ ...sideWithout('fits'), moved: [{ file: 0, hunk: 1, lines: 3 }] })).toBe(
    'The patch applies. 1 hunk would apply at different lines than the patch says.',
  )
  expect(sideSentence(notChecked('no-git'))).toBe('git is not installed on the server.')
})

test('a place is named by file and hunk, as far as git names them', () => {
  expect(
    [
      trouble,
      { ...trouble, hunk: null },
      { ...trouble, name: null, hunk: null },
      { ...trouble, name: null, file: null, hunk: null },
    ].map(troublePlace),
  ).toEqual(['b.txt, hunk 2', 'b.txt', 'file 2', 'the patch'])
})

test('a check that is older than the branch says so', () => {
  const fit = { branch: 'main', headNow: 'a'.repeat(40) } as FixFit
  expect(staleSentence({ ...fit, stale: 'head-moved' })).toBe(
    `The branch main has moved since, to ${'a'.repeat(12)}.`,
  )
  expect(staleSentence({ ...fit, stale: null })).toBeNull()
})

test('a report that something was applied is told apart from what was seen', () => {
  const applied = {
    outcome: 'seen' as const,
    why: null,
    commit: 'a'.repeat(40),
    repository: 'shop',
    branch: null,
    others: [],
    othersTotal: 0,
  }
  expect(appliedSentence(applied, 'Ana')).toMatch(
    /^Applied, as reported by Ana, and seen in aaaaaaaaaaaa: .* \(inferred from the mirror\)\.$/,
  )
  expect(appliedSentence({ ...applied, outcome: 'not-seen', branch: 'main', othersTotal: 2 }, 'Ana')).toMatch(
    /^Reported as applied by Ana, not seen in aaaaaaaaaaaa, the head of main: 2 files differ/,
  )
  expect(
    appliedSentence({ ...applied, outcome: 'not-checked', why: 'no-mirror', commit: null }, 'Ana'),
  ).toMatch(/^Reported as applied by Ana; not checked: This repository has no mirror/)
})
