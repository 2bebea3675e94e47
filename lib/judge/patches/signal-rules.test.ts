import { describe, expect, test } from 'vitest'
import type { FlagCode } from '../../model/flags'
import { readPatch } from './read-patch'
import { signalFlags, type FailureFacts } from './signals'

const flagsOf = (patch: string, failure?: FailureFacts) => {
  const bytes = new TextEncoder().encode(patch)
  return signalFlags(bytes, readPatch(bytes), failure)
}
const codes = (patch: string, failure?: FailureFacts): FlagCode[] =>
  [...new Set(flagsOf(patch, failure).map(({ code }) => code))].sort()

/** A change of one file with these lines in its only hunk. */
const change = (lines: string[], name = 'src/a.ts'): string =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,${lines.filter((line) => line[0] !== '+').length} +1,${lines.filter((line) => line[0] !== '-').length} @@\n${lines.map((line) => `${line}\n`).join('')}`
const adds = (line: string, name?: string): FlagCode[] => codes(change([' a', `+${line}`, ' b'], name))
const loosens = (before: string, after: string, name?: string): boolean =>
  codes(change([' a', `-${before}`, `+${after}`, ' b'], name)).includes('assertion-loosened')

describe('skip-added', () => {
  test.each([
    '@unittest.skip("x")',
    'pytest.skip("x")',
    'it.skipIf(x)("y", f)',
    "it['skip']('x', f)",
    '[Fact(Skip = "x")]',
    'it.only("x", f)',
    'fit("x", f)',
    'this.skip()',
    '#[ignore]',
    '@pytest.mark.skipif(x)',
    't.Skip("x")',
    '[Ignore]',
    '@Disabled',
  ])('%s', (line) => {
    expect(adds(line)).toEqual(['skip-added'])
  })
  test.each([
    'model.fit(X, y)',
    'fitAddon.fit()',
    '@skipLink',
    '@IgnoreForMapping',
    'array.skip(5)',
    'useQuery({ skip: true })',
  ])('not %s', (line) => {
    expect(adds(line)).toEqual([])
  })
  test('an option of a test, in a test', () => {
    expect(adds('test("x", { skip: true }, f)', 'src/a.test.ts')).toContain('skip-added')
  })
})

describe('exit-code-masked', () => {
  test.each<[string, string]>([
    ['npm test || true', 'ci.sh'],
    ['run: npm test || true', '.gitlab-ci.yml'],
    ['\tgo test ./... || :', 'Makefile'],
    ['    "test": "vitest || true",', 'package.json'],
    ['set +ex', 'run-tests'],
    ['exit 0', 'Dockerfile'],
    ["execSync('npm test || true')", 'src/a.ts'],
    ['.catch(() => {})', 'src/a.ts'],
    ['try { x() } catch {}', 'src/a.ts'],
    ['continue-on-error: true', 'x.yml'],
    ['except E: pass', 'a.py'],
    ['process.exit(0)', 'src/a.ts'],
  ])('%s in %s', (line, name) => {
    expect(adds(line, name)).toContain('exit-code-masked')
  })
  test.each<[string, string]>([
    ['const x = a || true', 'src/a.ts'],
    ['if (a || true) {', 'src/a.ts'],
    ['It returns exit 0 on success.', 'docs/a.md'],
    ['npm test || true', 'README.md'],
    ['exit 0', 'notes.txt'],
  ])('not %s in %s', (line, name) => {
    expect(adds(line, name)).toEqual([])
  })
  test('a handler over several lines that does nothing, at the first line that changed', () => {
    const masked = (lines: string[], name?: string) =>
      flagsOf(change(lines, name))
        .filter(({ code }) => code === 'exit-code-masked')
        .map(({ lines: at }) => at!.start)
    expect(masked([' try {', '   x()', '+} catch (e) {', '+  // fine', '+}', ' y()'])).toEqual([7])
    expect(masked([' } catch (e) {', '-  throw e', ' }'])).toEqual([6])
    expect(masked([' try:', '   x()', '+except Exception:', '+    pass'], 'a.py')).toEqual([7])
    expect(masked([' } catch (e) {', '-  throw e', '+  report(e)', ' }'])).toEqual([])
    expect(masked([' } catch (e) {', ' }', '+z()'])).toEqual([])
  })
})

describe('assertion-loosened', () => {
  test.each<[string, string]>([
    ['expect(a).toEqual(1)', 'expect(a).toEqual(expect.any(Number))'],
    ['expect(a).toBeCloseTo(1, 5)', 'expect(a).toBeCloseTo(1, 1)'],
    ['expect(a).toBe(1)', 'expect(a).not.toBe(2)'],
    ['expect(f).toThrow("x")', 'expect(f).toThrow()'],
    ['testTimeout: 1000,', 'testTimeout: 90_000,'],
    ['eslint --max-warnings 0', 'eslint --max-warnings 50'],
    ['expect(x).to.equal(1)', 'expect(x).to.be.ok'],
    ['assert_eq!(a, 1)', 'assert!(a > 0)'],
    ['assert x == 1', 'assert x'],
    ['assertThat(a).isEqualTo(1)', 'assertThat(a).isNotNull()'],
    ['require.Equal(t, 1, a)', 'require.NotNil(t, a)'],
  ])('%s → %s', (before, after) => {
    expect([loosens(before, after), loosens(after, before)]).toEqual([true, false])
  })
  test('a line of a limit counts where checks are set up', () => {
    expect([
      loosens('lines: 90,', 'lines: 50,', 'vitest.config.ts'),
      loosens('lines: 90,', 'lines: 50,', 'src/editor.ts'),
    ]).toEqual([true, false])
  })
  test('words that are common assert only beside something that does', () => {
    expect(loosens('if (a.equals(b)) {', 'if (a.contains(b)) {')).toBe(false)
  })
  test('an inserted line does not hide it, and a line that only moved is none', () => {
    expect(
      flagsOf(change([' x', '-expect(a).toBe(1)', '+const z = 1', '+expect(a).toBeTruthy()', ' y'])).map(
        ({ code, lines }) => [code, lines!.start],
      ),
    ).toEqual([['assertion-loosened', 8]])
    expect(
      codes(change([' x', '-expect(a).toBe(1)', '+expect(a).toBeTruthy()', '+expect(a).toBe(1)', ' y'])),
    ).toEqual([])
  })
})

describe('files by what they are', () => {
  test.each([
    'pyproject.toml',
    'vite.config.ts',
    '.pre-commit-config.yaml',
    '.github/async-pipeline.lock.json',
    'jest.setup.ts',
    'vitest.setup.mts',
    'conftest.py',
    'tox.ini',
    'noxfile.py',
    'Makefile',
    '.husky/pre-commit',
  ])('%s sets checks', (name) => {
    expect(adds('b', name)).toEqual(['check-config-changed'])
  })
  test.each([
    '.travis.yml',
    'bitbucket-pipelines.yml',
    '.drone.yml',
    '.gitea/workflows/a.yml',
    'appveyor.yml',
  ])('%s defines a job', (name) => {
    expect(adds('b', name)).toEqual(['check-config-changed', 'ci-config-changed'])
  })
  test.each<[string, string]>([
    ['Pipfile.lock', 'Pipfile'],
    ['mix.lock', 'mix.exs'],
    ['pubspec.lock', 'pubspec.yaml'],
    ['deno.lock', 'deno.jsonc'],
    ['Podfile.lock', 'Podfile'],
    ['x/gradle.lockfile', 'x/build.gradle.kts'],
    ['x/packages.lock.json', 'x/Shop.csproj'],
    ['bun.lockb', 'package.json'],
    ['composer.lock', 'composer.json'],
  ])('%s belongs to %s', (name, manifest) => {
    expect(flagsOf(change([' a', '+b'], name)).map(({ code, weight }) => [code, weight])).toEqual([
      ['lockfile-changed', 'high'],
    ])
    expect(
      flagsOf(change([' a', '+b'], name) + change([' a', '+b'], manifest)).map(({ code, weight }) => [
        code,
        weight,
      ]),
    ).toEqual([['lockfile-changed', undefined]])
  })
  test('of a manifest only the lines that set checks count', () => {
    expect([
      adds('    "test": "echo ok",', 'package.json'),
      codes(change([' "scripts": {', '+  "x": "true"', ' },'], 'package.json')),
      adds('  "jest": {', 'web/package.json'),
    ]).toEqual([['check-config-changed'], ['check-config-changed'], ['check-config-changed']])
    expect([
      adds('    "jest": "^29.0.0",', 'package.json'),
      adds('  "version": "1.2.0",', 'package.json'),
      codes(change([' "scripts": {', ' },', '+"x": 1'], 'package.json')),
    ]).toEqual([[], [], []])
    expect([
      codes(change([' [tool.ruff]', '+ignore = ["E501"]'], 'pyproject.toml')),
      codes(change([' [project]', '+dependencies = ["x>=1"]'], 'pyproject.toml')),
      adds('requests = "^2.31"', 'pyproject.toml'),
    ]).toEqual([['check-config-changed'], [], []])
  })
})

describe('touches-failing-check', () => {
  const touches = (name: string, failure: Partial<FailureFacts>): boolean =>
    codes(change([' a', '+b'], name), { text: null, inputs: null, ...failure }).includes(
      'touches-failing-check',
    )
  test.each<[string, string]>([
    ['test/sum.test.ts', ' ❯ test/sum.test.ts:3:5'],
    ['test/sum.test.ts', 'at Object.<anonymous> (/repo/test/sum.test.ts:3:5)'],
    ['test/unit/sum.test.ts', 'FAIL sum.test.ts'],
    ['test/sum.test.ts', 'C:\\repo\\test\\sum.test.ts(3,5): error'],
    ['app/(group)/[id]/page.test.tsx', 'FAIL app/(group)/[id]/page.test.tsx > shows'],
    ['test/größe.test.ts', 'FAIL test/größe.test.ts'],
    ['scripts/check.sh', 'Command failed with exit code 1: sh scripts/check.sh --all'],
    ['check', 'Command failed with exit code 1: sh check'],
    ['tools/lint.mjs', '> shop@1.0.0 lint\n> node tools/lint.mjs src'],
  ])('%s in %j', (name, text) => {
    expect(touches(name, { text })).toBe(true)
  })
  test.each<[string, string]>([
    ['src/sum.ts', 'src/sum.ts(3,5): error TS2322'],
    ['src/sum.ts', 'TypeError at sum (/repo/src/sum.ts:3:5)'],
    ['run', 'Command failed with exit code 1: npm run test'],
    ['test/a.test.ts', 'FAIL my-test/a.test.ts'],
    ['test/a.test.ts', 'FAIL test/a.test.tsx'],
    ['test/a.test.ts', 'FAIL test/a.test.ts/x'],
  ])('not %s in %j', (name, text) => {
    expect(touches(name, { text })).toBe(false)
  })
  test('what is told apart is looked at too', () => {
    expect([
      touches('scripts/check.sh', { command: 'bash ./scripts/check.sh' }),
      touches('test/a.test.ts', { logTail: 'not ok 1 - test/a.test.ts' }),
      touches('test/a.test.ts', { claims: ['a › test/a.test.ts'] }),
      touches('test/a.test.ts', {}),
    ]).toEqual([true, true, true, false])
  })
  test('a failing test that is renamed is touched', () => {
    expect(
      codes(
        'diff --git a/test/sum.test.ts b/old/x.txt\nsimilarity index 100%\nrename from test/sum.test.ts\nrename to old/x.txt\n',
        { text: 'FAIL test/sum.test.ts', inputs: null },
      ),
    ).toEqual(['touches-failing-check'])
  })
})

describe('claims-entry-removed', () => {
  const removed = (lines: string[]): boolean =>
    codes(change(lines, 'tests/claims.json')).includes('claims-entry-removed')
  test('an entry on a line, over lines, under a key, or with all of the file', () => {
    expect([
      removed([' [', '-  { "id": "c1", "title": "x" },', ' ]']),
      removed([' [', '-  {', '-    "id": "c1",', '-  },', ' ]']),
      removed([' {', '-  "c1": { "title": "x" },', ' }']),
    ]).toEqual([true, true, true])
    expect(
      codes(
        'diff --git a/tests/claims.json b/tests/claims.json\ndeleted file mode 100644\n--- a/tests/claims.json\n+++ /dev/null\n@@ -1 +0,0 @@\n-[]\n',
      ),
    ).toContain('claims-entry-removed')
    expect(
      codes(
        'diff --git a/tests/claims.json b/old.json\nsimilarity index 100%\nrename from tests/claims.json\nrename to old.json\n',
      ),
    ).toContain('claims-entry-removed')
  })
  test('an entry that is edited or moved stays; one that takes the place of another does not keep it', () => {
    expect([
      removed([' [', '-  { "id": "c1", "title": "x" },', '+  { "id": "c1", "title": "y" },', ' ]']),
      removed([' {', '-  "c1": {},', '   "c2": {},', '+  "c1": {}', ' }']),
      removed([' [', '-  { "id": "c1" },', '+  { "id": "c2" },', ' ]']),
    ]).toEqual([false, false, true])
  })
})

describe('outside-declared-inputs', () => {
  const isOutside = (name: string, inputs: string[]): boolean =>
    codes(change([' a', '+b'], name), { text: null, inputs }).includes('outside-declared-inputs')
  test.each<[string, string[], boolean]>([
    ['src/x.ts', ['src/**/*.{ts,tsx}'], false],
    ['src/a/x.tsx', ['src/**/*.{ts,tsx}'], false],
    ['src/x.js', ['src/**/*.{ts,tsx}'], true],
    ['src/x.ts', ['src/**', '!src/x.ts'], true],
    ['lib/x.ts', ['!src/**'], false],
    ['src/x.ts', ['!src/**'], true],
    ['src/x.ts', ['./src/'], false],
    ['src/xy.ts', ['src/x?.ts'], false],
    ['src/x.ts', ['src/[xy].ts'], false],
    ['a{b.ts', ['a{b.ts'], false],
    ['src/größe.ts', ['src/gr??e.ts'], false],
    ['src/x.ts', ['src/[z-a].ts'], false],
    ['src/x.ts', ['(x'], true],
  ])('%s of %j: %j', (name, inputs, expected) => {
    expect(isOutside(name, inputs)).toBe(expected)
  })
})
