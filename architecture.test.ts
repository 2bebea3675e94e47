import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cruiseFiles, listModules } from './scripts/architecture'
import { LIB_LAYERS, placesAbove } from './scripts/structure/lib-layers.mjs'
import { checkStructure } from './scripts/structure/check'

const root = import.meta.dirname

test('every module keeps to its room, and every module was looked at', async () => {
  const files = listModules(root).filter((path) => existsSync(join(root, path)))
  expect(files.length).toBeGreaterThan(20)
  const cruised = await cruiseFiles(root, files)
  expect(cruised.modules.toSorted()).toEqual(files.toSorted())
  expect(cruised.violations).toEqual([])
  expect(checkStructure(cruised)).toEqual([])
})

/** One breach for each rule: a check that finds none of them looks at nothing. */
const breaches: Record<string, Record<string, string>> = {
  'lib-stands-alone': { 'lib/a.ts': `import '../db/b'`, 'db/b.ts': 'export {}' },
  'lib-does-no-io': { 'lib/a.ts': `import 'postgres'` },
  'lib-runs-anywhere': { 'lib/a.ts': `import 'node:fs'` },
  'db-knows-only-lib': { 'db/a.ts': `import '../app/b'`, 'app/b.ts': 'export {}' },
  'components-never-query': { 'components/a.tsx': `import '../db/b'`, 'db/b.ts': 'export {}' },
  'server-knows-lib-and-db': { 'server/a.ts': `import '../cli/b'`, 'cli/b.ts': 'export {}' },
  'cli-speaks-http': { 'cli/a.ts': `import type { B } from '../db/b'`, 'db/b.ts': 'export type B = 1' },
  'app-is-the-top': { 'app/a.ts': `import '../cli/b'`, 'cli/b.ts': 'export {}' },
  'nobody-imports-tests': { 'lib/a.ts': `import './b.test'`, 'lib/b.test.ts': 'export {}' },
  'no-cycles': {
    'lib/a.ts': `import { b } from './b'; export const a = b`,
    'lib/b.ts': `import { a } from './a'; export const b = a`,
  },
  'nothing-unresolved': { 'lib/a.ts': `import './nowhere'` },
  ...Object.fromEntries(
    LIB_LAYERS.slice(0, -1).map(({ name, paths }) => [
      `lib-layer-${name}`,
      breachOfLayer(paths, placesAbove(name)),
    ]),
  ),
}

/** A module of a layer that imports one of the next layer; of a layer with several places each of them does. */
function breachOfLayer(from: readonly string[], to: readonly string[]): Record<string, string> {
  const modules = (paths: readonly string[]): string[] =>
    paths.map((path) => (path.endsWith('.ts') ? path : `${path}/a.ts`))
  const [target = ''] = modules(to)
  const up = (path: string): string => '../'.repeat(path.split('/').length - 1)
  return Object.fromEntries([
    ...modules(from).map((path) => [path, `import type { A } from '${up(path)}${target.slice(0, -3)}'`]),
    [target, 'export type A = 1'],
  ])
}

describe('a planted breach is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inquest-breach-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(Object.entries(breaches))('%s', async (rule, files) => {
    const base = join(folder, rule)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(base, path)), { recursive: true })
      writeFileSync(join(base, path), `${text}\n`)
    }
    symlinkSync(join(root, 'node_modules'), join(base, 'node_modules'))
    const cruised = await cruiseFiles(base, Object.keys(files))
    expect(cruised.violations.map((v) => v.rule)).toContain(rule)
    if (rule.startsWith('lib-layer-')) expect(cruised.violations).toHaveLength(Object.keys(files).length - 1)
  })

  test('no rule is without its breach', async () => {
    const { default: rules } = (await import('./.dependency-cruiser.mjs')) as {
      default: { forbidden: { name: string }[] }
    }
    expect(rules.forbidden.map((rule) => rule.name).toSorted()).toEqual(Object.keys(breaches).toSorted())
  })
})
