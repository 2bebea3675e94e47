import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildStaleCli } from './build-cli.mjs'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist/sources')
const inquest = (...args: string[]): string =>
  execFileSync(process.execPath, [join(root, 'bin/inquest.cjs'), ...args], { encoding: 'utf8' })
const builtAt = (): number => statSync(join(root, 'dist/up.mjs')).mtimeMs

beforeAll(() => buildStaleCli())

test('the server starts from files of today’s sources, and no other command waits for a build', () => {
  const [fresh, before] = [readFileSync(stamp, 'utf8'), builtAt()]
  inquest('up', '--help')
  expect(builtAt()).toBe(before)
  writeFileSync(stamp, 'of older sources')
  inquest('import', '--help')
  expect(readFileSync(stamp, 'utf8')).toBe('of older sources')
  inquest('up', '--help')
  expect([readFileSync(stamp, 'utf8'), builtAt() > before]).toEqual([fresh, true])
}, 60_000)
