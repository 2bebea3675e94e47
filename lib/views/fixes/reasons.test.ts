import { expect, test } from 'vitest'
import { file } from '@/components/fixes/made-up'
import { readFileRows } from './diff-rows'
import { reasonsOf, strayReasons } from './reasons'

const { hunks } = readFileRows(
  Buffer.from('--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-a\n+b\n+c\n@@ -10 +11,0 @@\n-d\n'),
  1,
)
const about = (name: string, line: number | null) => ({ file: name, line, text: `${name} ${line}` })

test('a reason stands at the hunk that shows its line; others at the file, or nowhere', () => {
  const one = file(0, { name: 'new.ts', oldName: 'old.ts', newName: 'new.ts' })
  const reasons = [
    about('new.ts', 2),
    about('old.ts', null),
    about('new.ts', 5),
    about('new.ts', 11),
    about('gone.ts', 1),
  ]
  expect(reasonsOf(one, reasons, hunks)).toEqual({
    whole: [reasons[1], reasons[2]],
    hunks: new Map([
      [0, [reasons[0]]],
      [1, [reasons[3]]],
    ]),
    isSilent: false,
  })
  expect(reasonsOf(one, reasons, undefined)).toEqual({
    whole: [reasons[1]],
    hunks: new Map(),
    isSilent: false,
  })
  expect(reasonsOf(file(1), reasons, hunks).isSilent).toBe(true)
  expect(strayReasons([one], reasons)).toEqual([reasons[4]])
})
