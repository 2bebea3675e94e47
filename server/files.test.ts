import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pagesDigest } from './build'
import { ensureSecret } from './secret'
import { readUpSettings } from './settings'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'inquest-files-'))))
afterAll(() => rm(folder, { recursive: true }))

const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8)

describe('the secret', () => {
  test('is made once, also by several at once, and only its owner reads it', async () => {
    const dir = path.join(folder, 'data')
    const made = await Promise.all(Array.from({ length: 6 }, () => ensureSecret(dir, undefined)))
    expect(new Set(made).size).toBe(1)
    expect(made[0]!.length).toBeGreaterThanOrEqual(64)
    expect(await modeOf(path.join(dir, 'secret'))).toBe('600')
    expect(await ensureSecret(dir, undefined)).toBe(made[0])
    expect(await ensureSecret(dir, 'given')).toBe('given')
  })

  test('that was cut short is told, not used', async () => {
    const dir = path.join(folder, 'short')
    await mkdir(dir)
    await writeFile(path.join(dir, 'secret'), 'abc')
    await expect(ensureSecret(dir, undefined)).rejects.toThrow(/shorter than 32/)
  })
})

test('the pages are built anew when a source changed, and not for a test or a note', async () => {
  const root = path.join(folder, 'root')
  await mkdir(path.join(root, 'app'), { recursive: true })
  await writeFile(path.join(root, 'app', 'page.tsx'), 'one')
  const first = await pagesDigest(root)
  await writeFile(path.join(root, 'app', 'page.test.ts'), 'x')
  await writeFile(path.join(root, 'app', 'README.md'), 'x')
  expect(await pagesDigest(root)).toBe(first)
  await writeFile(path.join(root, 'app', 'page.tsx'), 'two')
  const second = await pagesDigest(root)
  await writeFile(path.join(root, 'proxy.ts'), 'x')
  expect(new Set([first, second, await pagesDigest(root)]).size).toBe(3)
})

describe('settings', () => {
  test('have defaults that listen on loopback and keep the data in the project', () => {
    expect(readUpSettings({ HOME: '/home/x' })).toMatchObject({
      host: '127.0.0.1',
      port: 4790,
      stateDir: '/home/x/.local/state/inquest',
      databaseUrl: null,
      directUrl: null,
    })
    expect(readUpSettings({ HOME: '/home/x', PORT: '', DATABASE_URL: '' })).toMatchObject({
      port: 4790,
      databaseUrl: null,
    })
    expect(readUpSettings({ XDG_STATE_HOME: '/s', DATABASE_URL: 'postgres://h/d' })).toMatchObject({
      stateDir: '/s/inquest',
      directUrl: 'postgres://h/d',
    })
    expect(
      readUpSettings({
        INQUEST_STATE: '/t',
        DATABASE_URL: 'postgres://h/d',
        DATABASE_URL_DIRECT: 'postgresql://i/d',
      }),
    ).toMatchObject({
      stateDir: '/t',
      directUrl: 'postgresql://i/d',
    })
  })

  test.each([
    { PORT: '70000' },
    { PORT: 'http' },
    { DATABASE_URL: 'mysql://h/d' },
    { INQUEST_PUBLIC_URL: 'inquest.example' },
    { INQUEST_PUBLIC_URL: 'ftp://x' },
    { INQUEST_FAILURE_TAG: '<x>' },
    { INQUEST_PARITY_SWEEP: 'sometimes' },
  ])('that cannot be meant are told: %o', (env) =>
    expect(() => readUpSettings(env)).toThrow(new RegExp(Object.keys(env)[0]!)),
  )
})
