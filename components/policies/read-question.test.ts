import { describe, expect, test } from 'vitest'
import { readQuestion } from './read-question'
import { replayAddress } from './replay-address'

const NOTHING = { q: null, project: null, from: null, to: null, cell: null }

describe('the address of the page', () => {
  test('without anything compares the rules of before with those of now, over everything', () => {
    const { question, problems } = readQuestion(NOTHING)
    expect(problems).toEqual([])
    expect(replayAddress(question)).toBe('/api/v1/policies/replay?from=legacy-promote-all&to=current')
  })

  test('gives the same question however its filter is written', () => {
    const addresses = ['branch:main  outcome:failed', 'outcome:failed branch:"main"'].map((q) =>
      replayAddress(readQuestion({ ...NOTHING, q, to: 'pr-415', cell: 'stored.failed.unknown' }).question),
    )
    expect(addresses[0]).toBe(addresses[1])
    expect(addresses[0]).toContain('to=pr-415&cell=stored.failed.unknown')
  })

  test('falls back from what nobody knows, and says so', () => {
    const { question, problems } = readQuestion({ ...NOTHING, from: 'nobody', cell: 'nowhere' })
    expect(question).toMatchObject({
      from: { name: 'legacy-promote-all' },
      to: { name: 'current' },
      cell: null,
    })
    expect(problems).toEqual([
      'No policy “nobody” (known: current, pr-415, legacy-promote-all). Using legacy-promote-all.',
      'No cell “nowhere”. Showing all changed decisions.',
    ])
  })
})
