import { expect, test } from 'vitest'
import { withSecondLook } from './second-look'
import type { Visit } from './visit'

const LATE = 'it could not be used: not ready'
const visit = (more: Partial<Visit>): Visit => ({
  page: 'start',
  troubles: [],
  late: null,
  shown: true,
  ...more,
})

test('a page that was late once is clean; one that is late twice, or did anything else, is not', () => {
  const late = visit({ troubles: [LATE], late: LATE, shown: false })
  expect(withSecondLook(late, visit({}))).toEqual(visit({}))
  expect(withSecondLook(late, late).troubles).toEqual([LATE])
  expect(withSecondLook({ ...late, troubles: [LATE, 'a script ran'] }, visit({})).troubles).toEqual([
    'a script ran',
  ])
  expect(withSecondLook(late, visit({ troubles: ['a dialog opened'] })).troubles).toEqual(['a dialog opened'])
})
