import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeRepository, numbered, scratchFolder, type TestRepository } from '../testing/repository'
import { fitPatch, type Fit, type FitQuestion } from './fit-patch'
import { sweepScratch } from './scratch'

let folder: ReturnType<typeof scratchFolder>
let root: string
let scratchIn: string
let shop: TestRepository
let base: string
beforeEach(() => {
  folder = scratchFolder()
  root = join(folder.path, 'mirrors')
  scratchIn = join(folder.path, 'scratch')
  mkdirSync(scratchIn)
  shop = makeRepository(join(root, 'shop'))
  shop.put('a.txt', numbered(60))
  shop.put('b.txt', numbered(60))
  shop.put('old.md', 'words\n')
  shop.put('logo.bin', Buffer.from([0, 1, 2, 3]))
  base = shop.commit()
})
afterEach(() => {
  // Whatever came of a check, nothing of it is left.
  expect(readdirSync(scratchIn)).toEqual([])
  folder.remove()
})

const twoHunks = (): Buffer => {
  shop.put('a.txt', numbered(60, { 5: 'five' }))
  shop.put('b.txt', numbered(60, { 10: 'ten', 50: 'fifty' }))
  return shop.patch()
}
const fit = (bytes: Uint8Array, more: Partial<FitQuestion> = {}): Promise<Fit> =>
  fitPatch({
    root,
    path: 'shop',
    branch: 'main',
    base: { commit: base, tree: null, subDir: null },
    warnings: [],
    bytes,
    scratchIn,
    ...more,
  })
const outcomes = async (asked: Promise<Fit>): Promise<string[]> => {
  const { base: before, head } = await asked
  return [before, head].map(({ outcome, why }) => why ?? outcome)
}
/** Everything that is in a folder, with sizes and times. */
const stateOf = (path: string): string =>
  shop.git('-C', path, '-c', 'alias.x=!find . -printf "%p %s %T@\\n" | sort', 'x')

describe('a patch', () => {
  test('fits its base and the head; the mirror is not touched', async () => {
    const patch = twoHunks()
    const before = stateOf(shop.path)
    const reading = await fit(patch)
    expect(reading).toMatchObject({
      gitVersion: expect.stringMatching(/^\d+\.\d+/),
      base: { commit: base, outcome: 'fits', troubles: [] },
      head: { commit: base, outcome: 'fits' },
    })
    expect(stateOf(shop.path)).toBe(before)
  })

  test('of which the branch has moved away fits its base alone, and the hunk that does not fit is named with its place', async () => {
    const patch = twoHunks()
    shop.put('b.txt', numbered(60, { 50: 'FIFTY' }).replace('1\n', 'zero\n1\n'))
    const head = shop.commit()
    const reading = await fit(patch)
    expect(reading.base.outcome).toBe('fits')
    expect(reading.head).toEqual({
      commit: head,
      outcome: 'does-not-fit',
      why: null,
      words: null,
      troublesTotal: 1,
      moved: [{ file: 1, hunk: 1, lines: 1 }],
      troubles: [
        {
          kind: 'hunk',
          file: 1,
          name: 'b.txt',
          hunk: 2,
          place: { side: 'old', line: 50 },
          words: 'patch failed: b.txt:47',
        },
      ],
    })
  })

  test('of which several hunks do not fit names each of them, whatever their lines say', async () => {
    shop.put(
      'b.txt',
      numbered(60, {
        8: 'error: while searching for:',
        9: 'error: patch failed: a.txt:2',
        48: 'Checking patch a.txt...',
        49: 'error: a.txt: does not exist in index',
      }),
    )
    base = shop.commit()
    shop.put('a.txt', numbered(60, { 5: 'five' }))
    shop.put(
      'b.txt',
      numbered(60, {
        8: 'error: while searching for:',
        9: 'error: patch failed: a.txt:2',
        48: 'Checking patch a.txt...',
        49: 'error: a.txt: does not exist in index',
        10: 'ten',
        50: 'fifty',
      }),
    )
    const patch = shop.patch()
    shop.put('b.txt', 'nothing of it\n')
    shop.commit()
    const { head } = await fit(patch)
    expect(head.troubles.map(({ kind, name, hunk, place }) => [kind, name, hunk, place?.line])).toEqual([
      ['hunk', 'b.txt', 1, 10],
      ['hunk', 'b.txt', 2, 50],
    ])
  })

  test('that the branch has taken in is already applied', async () => {
    const patch = twoHunks()
    shop.put('a.txt', numbered(60, { 5: 'five' }))
    shop.put('b.txt', numbered(60, { 10: 'ten', 50: 'fifty' }))
    shop.commit()
    expect(await outcomes(fit(patch))).toEqual(['fits', 'already-applied'])
  })

  test('without a base, with one that is not there, or of a branch that is not there says so', async () => {
    const patch = twoHunks()
    expect(await outcomes(fit(patch, { base: { commit: null, tree: null, subDir: null } }))).toEqual([
      'base-unknown',
      'fits',
    ])
    expect(
      await outcomes(
        fit(patch, {
          base: { commit: '0123456789abcdef0123456789abcdef01234567', tree: null, subDir: null },
        }),
      ),
    ).toEqual(['base-missing', 'fits'])
    expect(
      await outcomes(
        fit(patch, { base: { commit: base.slice(0, 10), tree: null, subDir: null }, branch: 'gone' }),
      ),
    ).toEqual(['fits', 'branch-unknown'])
    expect(
      await outcomes(
        fit(patch, { base: { commit: null, tree: shop.git('rev-parse', 'HEAD^{tree}'), subDir: null } }),
      ),
    ).toEqual(['fits', 'fits'])
  })

  test('that renames, changes a mode, deletes or is binary is checked like any other', async () => {
    renameSync(join(shop.path, 'old.md'), join(shop.path, 'new.md'))
    chmodSync(join(shop.path, 'a.txt'), 0o755)
    shop.put('logo.bin', Buffer.from([0, 9, 9, 9]))
    rmSync(join(shop.path, 'b.txt'))
    const patch = shop.patch('-M')
    expect(await outcomes(fit(patch))).toEqual(['fits', 'fits'])
    shop.put('logo.bin', Buffer.from([0, 7]))
    rmSync(join(shop.path, 'old.md'))
    shop.put('new.md', 'in the way\n')
    shop.commit()
    const { head } = await fit(patch)
    expect(head.troubles.map(({ kind, name }) => `${name} ${kind}`).sort()).toEqual([
      'logo.bin binary-differs',
      'new.md file-missing',
    ])
  })

  test('for a folder of the repository, or without context, is checked in that way', async () => {
    shop.put('app/x.txt', numbered(20))
    base = shop.commit()
    shop.put('app/x.txt', numbered(20, { 7: 'seven' }))
    const inFolder = shop.patch('--relative=app')
    expect(await outcomes(fit(inFolder, { base: { commit: base, tree: null, subDir: 'app' } }))).toEqual([
      'fits',
      'fits',
    ])
    expect(await outcomes(fit(inFolder))).toEqual(['does-not-fit', 'does-not-fit'])
    shop.put('a.txt', numbered(60).replace('30\n', '30\nmore\n'))
    const bare = shop.patch('-U0')
    expect(await outcomes(fit(bare, { warnings: ['zero-context'] }))).toEqual(['fits', 'fits'])
  })
})

describe('a mirror', () => {
  test('can be bare, packed, and of either kind of object id', async () => {
    const patch = twoHunks()
    shop.git('clone', '-q', '--bare', shop.path, join(root, 'bare.git'))
    shop.git('-C', join(root, 'bare.git'), 'gc', '-q')
    expect(await outcomes(fit(patch, { path: 'bare.git' }))).toEqual(['fits', 'fits'])
    const long = makeRepository(join(root, 'long'), '--object-format=sha256')
    long.put('a.txt', numbered(60))
    long.put('b.txt', numbered(60))
    expect(
      await outcomes(fit(patch, { path: 'long', base: { commit: long.commit(), tree: null, subDir: null } })),
    ).toEqual(['fits', 'fits'])
  })

  test('runs nothing that its configuration, its hooks or its attributes name', async () => {
    const patch = twoHunks()
    const ran = join(folder.path, 'ran')
    const program = join(folder.path, 'program')
    writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> ${ran}\ncat\n`, { mode: 0o755 })
    shop.put('.gitattributes', '* filter=evil diff=evil merge=evil text eol=crlf\n')
    base = shop.commit()
    for (const name of [
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'diff.evil.textconv',
      'diff.external',
      'core.fsmonitor',
      'core.pager',
      'pager.rev-parse',
      'pager.apply',
      'core.sshCommand',
      'core.gitProxy',
      'core.editor',
      'core.askPass',
      'uploadpack.packObjectsHook',
      'alias.apply',
      'alias.rev-parse',
    ])
      shop.git('config', name, name.startsWith('alias') ? `!${program}` : program)
    shop.git('config', 'core.hooksPath', join(shop.path, '.git/hooks'))
    shop.git('config', 'filter.evil.required', 'true')
    for (const hook of [
      'post-index-change',
      'applypatch-msg',
      'pre-applypatch',
      'post-checkout',
      'reference-transaction',
      'fsmonitor-watchman',
    ])
      writeFileSync(join(shop.path, '.git/hooks', hook), `#!/bin/sh\n${program}\n`, { mode: 0o755 })
    mkdirSync(join(shop.path, '.git/info'), { recursive: true })
    writeFileSync(join(shop.path, '.git/info/attributes'), '* filter=evil\n')
    expect(await outcomes(fit(patch))).toEqual(['fits', 'fits'])
    expect(existsSync(ran)).toBe(false)
    // The same program is run where git is asked without care, or this would show nothing.
    expect(() => shop.git('status', '--porcelain')).toThrow(/evil/)
    expect(existsSync(ran)).toBe(true)
  })

  test('that lacks objects and says where to fetch them is not made to fetch', async () => {
    const patch = twoHunks()
    const ran = join(folder.path, 'ran')
    const program = join(folder.path, 'program')
    writeFileSync(program, `#!/bin/sh\necho ran >> ${ran}\nexit 1\n`, { mode: 0o755 })
    const blob = shop.git('rev-parse', 'HEAD:b.txt')
    for (const [name, value] of [
      ['remote.origin.url', `ext::${program}`],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.uploadpack', program],
      ['extensions.partialClone', 'origin'],
      ['protocol.ext.allow', 'always'],
      ['core.repositoryFormatVersion', '1'],
    ] as const)
      shop.git('config', name, value)
    rmSync(join(shop.path, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true })
    expect(await outcomes(fit(patch))).toEqual(['objects-missing', 'objects-missing'])
    expect(existsSync(ran)).toBe(false)
  })

  test.each<[string, (path: string) => string, RegExp]>([
    [
      'a link out of the root',
      (outside) => (symlinkSync(outside, join(root, 'link')), 'link'),
      /outside the folder/,
    ],
    ['a path that climbs', () => '../outside', /outside the folder/],
    ['a whole path', (outside) => outside, /outside the folder/],
    [
      'objects that are a link out of the root',
      (outside) => (
        mkdirSync(join(root, 'half')),
        writeFileSync(join(root, 'half/HEAD'), 'ref: refs/heads/main\n'),
        mkdirSync(join(root, 'half/refs')),
        symlinkSync(join(outside, '.git/objects'), join(root, 'half/objects')),
        'half'
      ),
      /outside the folder/,
    ],
    [
      'a borrower from outside of the root',
      (outside) => (
        shop.git('clone', '-q', '--shared', '--bare', outside, join(root, 'borrower')), 'borrower'
      ),
      /uses objects of a repository outside/,
    ],
    [
      'a linked work tree',
      () => (shop.git('worktree', 'add', '-q', join(root, 'tree'), '-b', 'x'), 'tree'),
      /linked work tree/,
    ],
    [
      'a folder without a repository',
      () => (mkdirSync(join(root, 'plain')), 'plain'),
      /Not a git repository/,
    ],
    ['nothing', () => 'nowhere', /Not found in the folder/],
  ])('that is %s is refused', async (_, make, words) => {
    const patch = twoHunks()
    const outside = makeRepository(join(folder.path, 'outside'))
    outside.put('a.txt', 'secret\n')
    outside.commit()
    const path = make(outside.path)
    expect((await fit(patch, { path })).head).toMatchObject({
      outcome: 'not-checked',
      why: 'mirror-gone',
      words: expect.stringMatching(words),
    })
  })
})

describe('git', () => {
  /** Puts a program of this name before git; what it does instead. */
  const before = (script: string): void => {
    const bin = join(folder.path, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
  }
  afterEach(() => vi.unstubAllEnvs())

  test('that is not there is said to be missing', async () => {
    const patch = twoHunks()
    vi.stubEnv('PATH', folder.path)
    expect(await outcomes(fit(patch))).toEqual(['no-git', 'no-git'])
  })

  test('that is not done in time is ended, and so it is when the server stops', async () => {
    const patch = twoHunks()
    before('exec sleep 600')
    expect(await outcomes(fit(patch, { withinMs: 50 }))).toEqual(['over-time', 'over-time'])
    const stop = new AbortController()
    const asked = fit(patch, { signal: stop.signal })
    stop.abort()
    expect(await outcomes(asked)).toEqual(['over-time', 'over-time'])
  })

  test('whose mirror goes in the middle finds no fault with the patch', async () => {
    const patch = twoHunks()
    const real = shop.git('--exec-path')
    before(`case "$*" in *read-tree*) rm -rf '${shop.path}';; esac\nexec '${join(real, 'git')}' "$@"`)
    expect(await outcomes(fit(patch))).toEqual(['mirror-gone', 'mirror-gone'])
  })

  test('that fails otherwise is told in its own words', async () => {
    const patch = twoHunks()
    before('echo "fatal: out of memory" >&2; exit 128')
    expect((await fit(patch)).head).toMatchObject({ why: 'failed', words: 'fatal: out of memory' })
  })
})

test('two checks at once do not meet', async () => {
  const patch = twoHunks()
  expect(await Promise.all([1, 2, 3, 4].map(() => outcomes(fit(patch))))).toEqual(
    Array.from({ length: 4 }, () => ['fits', 'fits']),
  )
})

test('what a killed process left behind is removed once no check can be at it', async () => {
  const [left, fresh] = ['inquest-fit-left', 'inquest-fit-fresh'].map((name) => join(scratchIn, name)) as [
    string,
    string,
  ]
  for (const path of [left, fresh, join(scratchIn, 'other')]) mkdirSync(path)
  utimesSync(left, 0, 0)
  utimesSync(join(scratchIn, 'other'), 0, 0)
  expect(await sweepScratch(scratchIn)).toBe(1)
  expect(readdirSync(scratchIn).sort()).toEqual(['inquest-fit-fresh', 'other'])
  rmSync(fresh, { recursive: true })
  rmSync(join(scratchIn, 'other'), { recursive: true })
})
