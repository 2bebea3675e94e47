import { describe, expect, test } from 'vitest'
import type { ExactJson } from '../../text/exact-json'
import { WrittenNumber } from '../../text/exact-number'
import { validateDiagnosis } from './validate-diagnosis'

const good = { category: 'auth', confidence: 0.5, root_cause: 'x', suggested_action: 'y', source: 'ollama' }

describe('a diagnosis', () => {
  test.each<[Record<string, ExactJson>, string[]]>([
    [{}, []],
    [{ confidence: 0 }, []],
    [{ confidence: new WrittenNumber('1.0') }, []],
    [{ confidence: new WrittenNumber('1.00000000000000000001') }, ['confidence_out_of_range']],
    [{ confidence: -0.1 }, ['confidence_out_of_range']],
    [{ confidence: '0.5' }, ['confidence_not_a_number']],
    [{ confidence: true }, ['confidence_not_a_number']],
    [{ confidence: null }, ['confidence_not_a_number']],
    [{ category: 'Auth' }, ['category_not_in_set']],
    [{ source: 'gemini', category: null }, ['category_not_in_set', 'source_not_in_set']],
    [{ root_cause: '', suggested_action: [] }, ['root_cause_empty', 'suggested_action_not_a_string']],
    [{ root_cause: null, suggested_action: '' }, ['root_cause_not_a_string', 'suggested_action_empty']],
    [{ more: 1 }, []],
  ])('with %j: %j', (rest, problems) =>
    expect(validateDiagnosis({ ...good, ...rest })).toMatchObject({ complete: true, missing: [], problems }),
  )

  test('is grouped by its category, or as unknown', () => {
    expect(validateDiagnosis(good)).toMatchObject({ groupCategory: 'auth', confidenceUsable: true })
    expect(validateDiagnosis({ ...good, category: 'quota', confidence: 7 })).toMatchObject({
      groupCategory: 'unknown',
      confidenceUsable: false,
    })
  })

  test('lacks what it lacks', () => {
    expect(validateDiagnosis({ category: 'x', source: 'ollama' })).toEqual({
      complete: false,
      missing: ['confidence', 'root_cause', 'suggested_action'],
      problems: ['category_not_in_set', 'missing_keys'],
      groupCategory: 'unknown',
      confidenceUsable: false,
    })
    for (const value of [null, [good], 'x'])
      expect(validateDiagnosis(value)).toMatchObject({ problems: ['not_an_object'], missing: { length: 5 } })
  })
})
