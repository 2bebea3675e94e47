import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileTrouble, walk } from './walk'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inquest-walk-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const put = (path: string, text = 'x'): string => {
  const full = join(folder, path)
  mkdirSync(join(full, '..'), { recursive: true })
  writeFileSync(full, text)
  return full
}

async function namesBelow(...paths: string[]): Promise<string[]> {
  const names: string[] = []
  for await (const found of walk(paths)) {
    if ('file' in found) names.push(found.file.name)
    else if ('unreadable' in found) names.push(`! ${found.unreadable.because}`)
  }
  return names
}

test('names count from the folder that was named, with forward slashes, in a stable order', async () => {
  put('b/2.jsonl')
  put('b/session/subagents/agent-1.jsonl')
  put('a.jsonl')
  expect(await namesBelow(folder)).toEqual(['a.jsonl', 'b/2.jsonl', 'b/session/subagents/agent-1.jsonl'])
})

test('a file given alone keeps the folders that say whose sub-agent it is', async () => {
  const plain = put('x/1.jsonl')
  const agent = put('x/session/subagents/agent-1.jsonl')
  expect(await namesBelow(plain, agent)).toEqual(['1.jsonl', 'session/subagents/agent-1.jsonl'])
})

test('loops of symbolic links end, and overlapping paths give each file once', async () => {
  put('a/1.jsonl')
  symlinkSync(folder, join(folder, 'a', 'loop'))
  symlinkSync(join(folder, 'a'), join(folder, 'b'))
  expect(await namesBelow(folder, join(folder, 'a'))).toEqual(['a/1.jsonl'])
})

test('a dead link and a path that is not there are told, and the rest goes on', async () => {
  put('1.jsonl')
  symlinkSync(join(folder, 'nowhere'), join(folder, '0-dead'))
  expect(await namesBelow(join(folder, 'missing'), folder)).toEqual([
    '! file not found',
    '! file not found',
    '1.jsonl',
  ])
})

test('folders of other programs are passed by', async () => {
  put('.git/1.jsonl')
  put('node_modules/1.jsonl')
  put('1.jsonl')
  expect(await namesBelow(folder)).toEqual(['1.jsonl'])
})

test('a folder without permission is told, and the rest goes on', async () => {
  put('closed/1.jsonl')
  put('open/1.jsonl')
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'closed'), 0)
  // The superuser may read everything, so the walk is done as somebody else.
  const root = process.getuid?.() === 0
  if (root) process.seteuid!(65_534)
  try {
    expect(await namesBelow(folder)).toEqual(['! permission denied', 'open/1.jsonl'])
  } finally {
    if (root) process.seteuid!(0)
    chmodSync(join(folder, 'closed'), 0o700)
  }
})

test.each([
  ['EACCES', 'permission denied'],
  ['ENOENT', 'file not found'],
  ['ELOOP', 'circular symbolic links'],
  ['EXYZ', 'it could not be read (EXYZ)'],
])('%s has its words', (code, words) =>
  expect(fileTrouble(Object.assign(new Error('x'), { code }))).toBe(words),
)

test('a folder is told before it is read, so that what comes once it is watched is not missed', async () => {
  put('in/1.jsonl')
  const names: string[] = []
  for await (const found of walk([folder])) {
    if ('folder' in found) writeFileSync(join(found.folder.path, 'new.jsonl'), 'x')
    else if ('file' in found) names.push(found.file.name)
  }
  expect(names).toEqual(['in/1.jsonl', 'in/new.jsonl', 'new.jsonl'])
})
