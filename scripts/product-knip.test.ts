import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import knip from '../knip.product.json' with { type: 'json' }
import { listModules } from './architecture'
import { isTestCode, PRODUCT_ENTRIES } from './structure/layers'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'inquest-knip-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

test('code that only the conformance run or a test uses is found', () => {
  copyFileSync(join(root, 'knip.product.json'), join(folder, 'knip.product.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  write(
    'package.json',
    '{"name":"planted","type":"module","scripts":{"conformance":"tsx scripts/conformance.ts"}}',
  )
  write('app/page.tsx', `import { shown } from '../lib/rule'\nexport default shown\n`)
  write('lib/rule.ts', 'export const shown = 1\nexport const planted = 2\nexport const tested = 3\n')
  write('lib/rule.test.ts', `import { tested } from './rule'\nexport default tested\n`)
  write('lib/simulator.ts', 'export const simulated = 4\n')
  write(
    'scripts/conformance.ts',
    `import { planted } from '../lib/rule'\nimport { simulated } from '../lib/simulator'\nexport default [planted, simulated]\n`,
  )
  const { status, stdout } = spawnSync(
    join(root, 'node_modules/.bin/knip'),
    ['--config', 'knip.product.json', '--production', '--no-progress', '--reporter', 'json'],
    { cwd: folder, encoding: 'utf8' },
  )
  const { issues } = JSON.parse(stdout) as {
    issues: { file: string; files?: unknown[]; exports?: { name: string }[] }[]
  }
  expect(status).toBe(1)
  expect(
    issues.map(({ file, exports = [] }) => [file, ...exports.map(({ name }) => name)]).toSorted(),
  ).toEqual([['lib/rule.ts', 'planted', 'tested'], ['lib/simulator.ts']])
})

test('the run begins where the product does', () => {
  const globs = knip.entry.map((glob) => new RegExp(`^${patternOf(glob.replace(/!$/, ''))}$`))
  const modules = listModules(root).filter((path) => !isTestCode(path))
  const matching = (patterns: readonly RegExp[]): string[] =>
    modules.filter((path) => patterns.some((pattern) => pattern.test(path)))
  expect(matching(globs).filter((path) => path !== 'next.config.mjs')).toEqual(matching(PRODUCT_ENTRIES))
})

/** Of the globs that the entries are made of: folders and lists of names. */
const patternOf = (glob: string): string =>
  glob
    .replaceAll('.', '[.]')
    .replaceAll('**/', '(.*/)?')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(${names.replaceAll(',', '|')})`)
