import type { ByteText } from './bytes'

/** A folder of tests, or a file that test runners pick up by its name. */
const TEST_FOLDERS = new Set(['__tests__', 'test', 'tests', 'spec', 'e2e', '__snapshots__', 'fixtures'])
const TEST_FILE = /(?:[._-](?:test|spec)\.[cm]?[jt]sx?|^test_[^/]*\.py|_test\.(?:go|py))$/i
const SNAPSHOT = /(?:^|\/)__snapshots__\/|\.snap$|\.approved\.|-snapshots\//

/** Lock files with the manifests that each may belong to; `*` stands for any name. */
const LOCK_FILES: Record<string, readonly string[]> = {
  'package-lock.json': ['package.json'],
  'npm-shrinkwrap.json': ['package.json'],
  'pnpm-lock.yaml': ['package.json'],
  'yarn.lock': ['package.json'],
  'bun.lock': ['package.json'],
  'bun.lockb': ['package.json'],
  'deno.lock': ['deno.json', 'deno.jsonc', 'package.json'],
  'cargo.lock': ['cargo.toml'],
  'go.sum': ['go.mod'],
  'poetry.lock': ['pyproject.toml'],
  'uv.lock': ['pyproject.toml'],
  'pdm.lock': ['pyproject.toml'],
  'pipfile.lock': ['pipfile'],
  'gemfile.lock': ['gemfile'],
  'composer.lock': ['composer.json'],
  'mix.lock': ['mix.exs'],
  'pubspec.lock': ['pubspec.yaml'],
  'podfile.lock': ['podfile'],
  'package.resolved': ['package.swift'],
  'gradle.lockfile': ['build.gradle', 'build.gradle.kts'],
  'packages.lock.json': ['*.csproj', '*.fsproj', '*.vbproj'],
  'flake.lock': ['flake.nix'],
}
const CI =
  /^(?:\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|\.circleci\/|\.gitlab-ci\.ya?ml$|\.gitlab\/|azure-pipelines[^/]*\.ya?ml$|\.azure-pipelines\/|\.buildkite\/|\.travis\.ya?ml$|bitbucket-pipelines\.ya?ml$|\.drone\.(?:ya?ml|star|jsonnet)$|\.?appveyor\.ya?ml$|\.woodpecker(?:\/|\.ya?ml$)|\.cirrus\.(?:ya?ml|star)$)|(?:^|\/)Jenkinsfile[^/]*$/i
/** Files by which checks are run, or with which: by their names, wherever they lie. */
const CHECK_CONFIG = new RegExp(
  `(?:^|/)(?:${[
    // linters and types
    '\\.eslintrc[^/]*|eslint\\.config\\.[^/]+|\\.eslintignore|\\.oxlintrc\\.json|biome\\.jsonc?|\\.prettier(?:rc[^/]*|ignore)|prettier\\.config\\.[^/]+|\\.stylelint(?:rc[^/]*|ignore)|tsconfig[^/]*\\.json',
    '\\.flake8|\\.?ruff\\.toml|mypy\\.ini|\\.pylintrc|\\.golangci\\.ya?ml|\\.rubocop\\.ya?ml|knip\\.jsonc?|\\.dependency-cruiser\\.[^/]+',
    // tests and what they need before they run
    '(?:vite|vitest|jest|playwright|cypress|ava)\\.config\\.[^/]+|vitest\\.workspace\\.[^/]+|(?:vitest|jest|test)[.-]setup\\.[^/]+|setupTests\\.[^/]+|karma\\.conf\\.[^/]+|\\.mocharc[^/]*|phpunit\\.xml(?:\\.dist)?|pytest\\.ini|conftest\\.py|bunfig\\.toml',
    // coverage
    '\\.nycrc[^/]*|\\.c8rc[^/]*|\\.?codecov\\.ya?ml|\\.coveragerc|sonar-project\\.properties',
    // what runs them
    'tox\\.ini|noxfile\\.py|setup\\.cfg|async\\.pipeline\\.[^/]+|async-pipeline\\.(?:config\\.[^/]+|lock\\.json)|pipeline\\.config\\.[^/]+|turbo\\.json|nx\\.json|Makefile|GNUmakefile|justfile|Taskfile\\.ya?ml|Rakefile|\\.pre-commit-config\\.ya?ml|lefthook\\.ya?ml|\\.husky/[^/]+',
    // what they leave out
    '\\.gitignore|\\.dockerignore',
  ].join('|')})$`,
  'i',
)

const SHELL =
  /\.(?:sh|bash|zsh|ksh|fish|ps1|cmd|bat|ya?ml|mk|make|just|dockerfile)$|^(?:Dockerfile|Containerfile|Makefile|GNUmakefile|justfile|Jenkinsfile)|^package\.json$|^async\.pipeline\.|^pipeline\.config\.|^[^.]+$/i
const PROSE =
  /\.(?:mdx?|markdown|rst|adoc|asciidoc|txt|html?|csv|tsv|svg|ipynb|log|patch|diff)$|^(?:README|CHANGELOG|CHANGES|LICENSE|NOTICE|AUTHORS|CONTRIBUTING)$/i

const base = (path: ByteText): string => path.slice(path.lastIndexOf('/') + 1)

export const isTestPath = (path: ByteText): boolean =>
  path
    .split('/')
    .slice(0, -1)
    .some((folder) => TEST_FOLDERS.has(folder.toLowerCase())) || TEST_FILE.test(base(path))
export const isSnapshotPath = (path: ByteText): boolean => SNAPSHOT.test(path)
export const isLockFile = (path: ByteText): boolean => Object.hasOwn(LOCK_FILES, base(path).toLowerCase())
/** The manifests that a lock file may belong to, beside it, in lower case; `*` stands for any name. */
export const manifestsOf = (path: ByteText): string[] =>
  LOCK_FILES[base(path).toLowerCase()]!.map(
    (name) => path.slice(0, path.lastIndexOf('/') + 1).toLowerCase() + name,
  )
export const isCiConfig = (path: ByteText): boolean => CI.test(path)
export const isCheckConfig = (path: ByteText): boolean => isCiConfig(path) || CHECK_CONFIG.test(path)

/** What the lines of a file are to whoever reads or runs them: commands of a shell, prose, or code. */
export const lineKind = (path: ByteText): 'shell' | 'prose' | 'code' =>
  PROSE.test(base(path)) ? 'prose' : SHELL.test(base(path)) ? 'shell' : 'code'
