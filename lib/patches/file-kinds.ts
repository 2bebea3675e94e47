import type { ByteText } from './bytes'

/** A folder of tests, or a file that test runners pick up by its name. */
const TEST_FOLDERS = new Set(['__tests__', 'test', 'tests', 'spec', 'e2e', '__snapshots__', 'fixtures'])
const TEST_FILE = /(?:[._-](?:test|spec)\.[cm]?[jt]sx?|^test_[^/]*\.py|_test\.(?:go|py))$/i
const SNAPSHOT = /(?:^|\/)__snapshots__\/|\.snap$|\.approved\.|-snapshots\//

const LOCK_FILES: Record<string, string> = {
  'package-lock.json': 'package.json', 'npm-shrinkwrap.json': 'package.json', 'pnpm-lock.yaml': 'package.json', 'yarn.lock': 'package.json', 'bun.lock': 'package.json', 'bun.lockb': 'package.json',
  'cargo.lock': 'cargo.toml', 'go.sum': 'go.mod', 'poetry.lock': 'pyproject.toml', 'uv.lock': 'pyproject.toml', 'gemfile.lock': 'gemfile', 'composer.lock': 'composer.json',
}
const CI = /^(?:\.github\/(?:workflows|actions)\/|\.circleci\/|\.gitlab-ci\.ya?ml$|\.gitlab\/|azure-pipelines[^/]*\.ya?ml$|\.azure-pipelines\/|\.buildkite\/)|(?:^|\/)Jenkinsfile[^/]*$/i
const CHECK_CONFIG = /(?:^|\/)(?:\.eslintrc[^/]*|eslint\.config\.[^/]+|\.eslintignore|biome\.jsonc?|\.prettier(?:rc[^/]*|ignore)|prettier\.config\.[^/]+|vitest\.(?:config|workspace)\.[^/]+|jest\.config\.[^/]+|playwright\.config\.[^/]+|cypress\.config\.[^/]+|karma\.conf\.[^/]+|\.mocharc[^/]*|\.nycrc[^/]*|\.c8rc[^/]*|codecov\.ya?ml|\.codecov\.ya?ml|tsconfig[^/]*\.json|\.stylelint(?:rc[^/]*|ignore)|pytest\.ini|tox\.ini|setup\.cfg|\.coveragerc|\.flake8|ruff\.toml|\.ruff\.toml|mypy\.ini|\.pylintrc|\.golangci\.ya?ml|\.rubocop\.ya?ml|sonar-project\.properties|async\.pipeline\.[^/]+|pipeline\.config\.[^/]+|turbo\.json|nx\.json|\.gitignore|\.dockerignore|Makefile)$/i

const base = (path: ByteText): string => path.slice(path.lastIndexOf('/') + 1)

export const isTestPath = (path: ByteText): boolean => path.split('/').slice(0, -1).some((folder) => TEST_FOLDERS.has(folder.toLowerCase())) || TEST_FILE.test(base(path))
export const isSnapshotPath = (path: ByteText): boolean => SNAPSHOT.test(path)
export const isLockFile = (path: ByteText): boolean => Object.hasOwn(LOCK_FILES, base(path).toLowerCase())
/** The manifest that a lock file belongs to, beside it. */
export const manifestOf = (path: ByteText): string => path.slice(0, path.lastIndexOf('/') + 1).toLowerCase() + LOCK_FILES[base(path).toLowerCase()]
export const isCiConfig = (path: ByteText): boolean => CI.test(path)
export const isCheckConfig = (path: ByteText): boolean => isCiConfig(path) || CHECK_CONFIG.test(path)
