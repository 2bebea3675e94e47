import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { looseTargetOf, TARGET_KEYS, targetOf } from './target'

describe('targets', () => {
  test('the keys are asked for in the order of the rule', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...TARGET_KEYS), { minLength: 1 }), (keys) => {
        const first = TARGET_KEYS.find((key) => keys.includes(key))!
        expect(targetOf(Object.fromEntries(keys.map((key) => [key, `at ${key}`])))).toBe(`at ${first}`)
      }),
    )
  })

  test.each<[string, unknown, string | null]>([
    ['a value that is no text is passed over', { file_path: 12, command: 'ls' }, 'ls'],
    ['so is a blank one', { file_path: '  ', pattern: 'x' }, 'x'],
    ['the text is kept as it is', { command: ' ls  -l ' }, ' ls  -l '],
    ['no key, no target', { prompt: 'do it' }, null],
    ['no object, no target', 'ls', null],
    ['a list is no input', ['ls'], null],
  ])('%s', (_, input, want) => expect(targetOf(input)).toBe(want))
})

test.each<[string, string | undefined]>([
  ['npm test', 'npm test'],
  ['npm run lint -- --fix', 'npm run lint'],
  ['go test ./... 2>&1 | tail -5', 'go test'],
  ['cd /tmp/x && FOO="a b" BAR=1 timeout 30 /usr/bin/make -j4', 'make'],
  ['git -C /x status', 'git'],
  ['export A=1; source env.sh\npython3 run.py --all', 'python3 run.py'],
  ['ls', 'ls'],
  ['   ', undefined],
])('first words of %j', (command, want) => expect(looseTargetOf('Bash', { command })).toBe(want))

test('only shells have a looser target', () => {
  expect(looseTargetOf('Read', { command: 'ls' })).toBeUndefined()
  expect(looseTargetOf('Bash', { command: 5 })).toBeUndefined()
})
