import { runInNewContext } from 'node:vm'
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { ENTER, instrument } from './instrument'
import { countLines } from './line-counts'
import { walkFolders } from './stops'

/** Runs an instrumented program, and says how often a function of it was entered. */
function enterings(source: string): { count: number; value: unknown } {
  const { code } = transformSync(instrument(source, 'a.ts', 7), { loader: 'ts' })
  const entered: number[] = []
  const value: unknown = runInNewContext(code, { [ENTER]: (n: number) => entered.push(n) })
  expect(entered.every((n) => n === 7)).toBe(true)
  return { count: entered.length, value }
}

test.each<[string, string, number, unknown]>([
  ['a function', 'function f(a: number): number { return a } f(2)', 1, 2],
  ['an arrow function with an expression', 'const f = (a: number): number => a + 1; f(2)', 1, 3],
  ['an arrow function that yields an object', 'const f = () => ({ a: 1 }); f().a', 1, 1],
  ['arrow functions in each other', 'const f = (a: number) => (b: number) => a + b; f(1)(2)', 2, 3],
  [
    'overloads without a body',
    'function f(a: string): 1; function f(a: number): 1; function f(): 1 { return 1 } f(3)',
    1,
    1,
  ],
  [
    'a constructor of a derived class, a getter and a method',
    'class A {} class B extends A { constructor() { super() } get g() { return 1 } m() { return this.g } }; new B().m()',
    3,
    1,
  ],
  ['a type guard', 'const is = (a: unknown): a is string => typeof a === "string"; is("x")', 1, true],
  ['a callback', '[1, 2, 3].map((n) => n).length', 3, 3],
])('%s is marked, and does what it did', (_, source, count, value) => {
  expect(enterings(source)).toEqual({ count, value })
})

test('code that runs when the module is loaded is not marked', () => {
  expect(enterings('const a = 1; class A { static b = a + 1 } A.b')).toEqual({ count: 0, value: 2 })
})

test('the lines keep their numbers', () => {
  const source = 'const f = () =>\n  1\n\nfunction g() {\n  return f()\n}\n'
  expect(instrument(source, 'a.ts', 1).split('\n')).toHaveLength(source.split('\n').length)
})

test('a change of folder is a stop, a stop in a known folder a return', () => {
  expect(walkFolders(['db/w/a.ts', 'db/w/b.ts', 'lib/x/c.ts', 'db/w/d.ts', 'lib/x/y/e.ts'])).toMatchObject({
    folders: ['db/w', 'lib/x', 'lib/x/y'],
    stops: ['db/w', 'lib/x', 'db/w', 'lib/x/y'],
    returns: 1,
  })
})

test('lines of tests are counted apart', () => {
  const lines = countLines('/', ['lib/a/x.ts', 'lib/a/x.test.ts', 'app/b/c/y.ts'], (file) =>
    file.endsWith('x.test.ts') ? 5 : 3,
  )
  expect(lines).toEqual([
    { folder: 'app', modules: 1, lines: 3, testLines: 0 },
    { folder: 'lib/a', modules: 1, lines: 3, testLines: 5 },
  ])
})
