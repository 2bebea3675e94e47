import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPatch } from '../patches/read-patch'
import { fileList } from './file-list'
import type { FixFile } from '../../model/fix'

const files = (text: string | Uint8Array): FixFile[] => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return fileList(bytes, readPatch(bytes), () => '')
}

test('a file that becomes a link is told as one of another kind, and the list stays that of git', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inquest-kind-'))
  try {
    const git = (...args: string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', ...args], {
        cwd: folder,
      })
    git('init', '-q')
    writeFileSync(join(folder, 'a'), 'one\n')
    writeFileSync(join(folder, 'b'), 'one\n')
    git('add', '-A')
    git('commit', '-qm', 'base')
    rmSync(join(folder, 'a'))
    symlinkSync('b', join(folder, 'a'))
    writeFileSync(join(folder, 'b'), 'two\n')
    git('add', '-A')
    const blob = (rev: string): string => git('rev-parse', rev).toString().trim()
    const [gone, made, changed] = files(new Uint8Array(git('diff', '--cached', '--full-index')))
    expect(
      [gone, made, changed].map((one) => [
        one!.status,
        one!.name,
        one!.oldMode,
        one!.newMode,
        one!.oldBlob,
        one!.newBlob,
      ]),
    ).toEqual([
      ['D', 'a', '100644', null, blob('HEAD:a'), null],
      ['T', 'a', '100644', '120000', null, blob(':a')],
      ['M', 'b', '100644', null, blob('HEAD:b'), blob(':b')],
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  expect(files('diff --git a/x b/x\nold mode 100644\nnew mode 120000\n')).toMatchObject([
    { status: 'T', oldMode: '100644', newMode: '120000', oldBlob: null, newBlob: null },
  ])
  expect(files('diff --git a/x b/x\nold mode 100644\nnew mode 100755\n')).toMatchObject([{ status: 'M' }])
})

test('a name that is no UTF-8 keeps its bytes, the old one as well', () => {
  const [renamed] = files(
    'diff --git "a/\\377old" "b/\\376new"\nsimilarity index 100%\nrename from "\\377old"\nrename to "\\376new"\n',
  )
  expect(renamed).toMatchObject({
    status: 'R',
    oldName: '\\377old',
    oldNameBase64: Buffer.from([0xff, ...Buffer.from('old')]).toString('base64'),
    nameBase64: Buffer.from([0xfe, ...Buffer.from('new')]).toString('base64'),
  })
})
