import { expect, test } from 'vitest'
import type { FilterProblems } from '../model/messages/filter'
import { FILTER_PROBLEM_WORDS } from './filter'
import { wordedSamples, type Samples } from './samples.support'

const known = ['a', 'b']
const SAMPLES: Samples<FilterProblems> = {
  query_too_long: [{ chars: 2000 }],
  quote_not_closed: [{}],
  unknown_field: [{ field: '-outcome', known }],
  no_value: [{ field: 'class' }],
  unknown_value: (
    [
      'outcome',
      'class',
      'state',
      'reason',
      'help',
      'decided',
      'attention',
      'differs',
      'attempts',
      'silence',
    ] as const
  ).map((facet) => ({ value: 'x', facet, known })),
  nothing_to_search: [
    { words: ['(('], listsAll: true },
    { words: ['((', '!!'], listsAll: false },
  ],
}

test('what is wrong with a query', () => {
  expect(wordedSamples(FILTER_PROBLEM_WORDS, SAMPLES)).toMatchSnapshot()
})
