import { httpAddress } from './http-address'
import type { CiRun } from '../../model/ci-run'

type Env = Record<string, string | undefined>

/**
 * Reads which CI run a process is part of; `null` outside of CI. Total: half-set and odd environments give `null` for what is missing, never
 * `undefined` or an empty text. `INQUEST_CI_PROVIDER`, `…_PATH`, `…_RUN`, `…_ATTEMPT`, `…_JOB`, `…_BRANCH`, `…_COMMIT`, `…_URL` and
 * `…_REPOSITORY` count above what a provider says, one by one; with another provider's name they are alone.
 *
 * @see docs/sources/record.md
 */
export function readCiRun(env: Env): CiRun | null {
  const plain = readPlain(env)
  const found = PROVIDERS.find(({ here }) => here(env))?.read(env) ?? null
  const base = plain.provider !== null && plain.provider !== found?.provider ? null : found
  const run = Object.fromEntries(
    FIELDS.map((field) => [field, plain[field] ?? base?.[field] ?? null]),
  ) as unknown as CiRun
  return FIELDS.every((field) => run[field] === null) ? null : run
}

const FIELDS = [
  'provider',
  'path',
  'run',
  'attempt',
  'job',
  'branch',
  'commit',
  'url',
  'repository',
] as const satisfies (keyof CiRun)[]

/** Longer values are no names. */
const CHARS_MAX = 2_000

/** The first of the variables that says anything. */
function first(env: Env, ...names: string[]): string | null {
  for (const name of names) {
    const value = env[name]?.trim()
    if (value !== undefined && value !== '' && value.length <= CHARS_MAX) return value
  }
  return null
}

function count(env: Env, name: string): number | null {
  const text = first(env, name)
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}

const positive = (n: number | null): number | null => (n !== null && n > 0 ? n : null)

/** Both parts or nothing: half a path leads elsewhere. */
const joined = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? null : `${a}/${b}`

/** A commit by its hash: `HEAD` and the like name none. */
function hash(text: string | null): string | null {
  return text !== null && /^[0-9a-f]{7,64}$/i.test(text) ? text : null
}

/** `owner/repo` of an address of git, in any of its spellings. */
function repositoryOf(remote: string | null): string | null {
  if (remote === null) return null
  const path =
    URL.canParse(remote) && remote.includes('://')
      ? new URL(remote).pathname
      : /^[^/:]+:(?!\/\/)(.+)$/.exec(remote)?.[1]
  const name = path?.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return name === undefined || name === '' ? null : name
}

const withoutRemote = (branch: string | null): string | null =>
  branch?.replace(/^(?:refs\/heads\/|refs\/remotes\/)?(?:origin\/)?/, '') || null

const isTrue = (value: string | undefined): boolean => /^(?:true|1|yes)$/i.test(value?.trim() ?? '')

interface Provider {
  here(env: Env): boolean
  read(env: Env): CiRun
}

const PROVIDERS: Provider[] = [
  { here: (env) => isTrue(env.GITHUB_ACTIONS), read: readGithub },
  { here: (env) => isTrue(env.GITLAB_CI), read: readGitlab },
  { here: (env) => isTrue(env.BUILDKITE), read: readBuildkite },
  { here: (env) => isTrue(env.CIRCLECI), read: readCircle },
  {
    here: (env) =>
      first(env, 'JENKINS_URL', 'HUDSON_URL') !== null ||
      first(env, 'BUILD_TAG')?.startsWith('jenkins-') === true,
    read: readJenkins,
  },
]

function readGithub(env: Env): CiRun {
  const path = first(env, 'GITHUB_REPOSITORY')
  const run = first(env, 'GITHUB_RUN_ID')
  const attempt = positive(count(env, 'GITHUB_RUN_ATTEMPT'))
  const server = first(env, 'GITHUB_SERVER_URL')
  const page =
    server === null || path === null || run === null
      ? null
      : `${server.replace(/\/+$/, '')}/${path}/actions/runs/${run}`
  return {
    provider: 'github',
    path,
    run,
    attempt,
    job: first(env, 'GITHUB_JOB'),
    // Of a pull request the ref is `12/merge`, and its branch is in the head.
    branch:
      first(env, 'GITHUB_HEAD_REF') ??
      (env.GITHUB_REF_TYPE === 'branch' ? first(env, 'GITHUB_REF_NAME') : null),
    commit: hash(first(env, 'GITHUB_SHA')),
    url: httpAddress(page !== null && attempt !== null ? `${page}/attempts/${attempt}` : page),
    repository: path,
  }
}

/** GitLab counts no attempts of a pipeline: a job that is tried again is another job of the same pipeline. */
function readGitlab(env: Env): CiRun {
  const path = first(env, 'CI_PROJECT_PATH')
  return {
    provider: 'gitlab',
    path,
    run: first(env, 'CI_PIPELINE_ID'),
    attempt: null,
    job: first(env, 'CI_JOB_NAME'),
    branch:
      first(env, 'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_BRANCH') ??
      (first(env, 'CI_COMMIT_TAG') === null ? first(env, 'CI_COMMIT_REF_NAME') : null),
    commit: hash(first(env, 'CI_COMMIT_SHA')),
    url: httpAddress(first(env, 'CI_JOB_URL', 'CI_PIPELINE_URL')),
    repository: path,
  }
}

function readBuildkite(env: Env): CiRun {
  const retries = count(env, 'BUILDKITE_RETRY_COUNT')
  return {
    provider: 'buildkite',
    path: joined(first(env, 'BUILDKITE_ORGANIZATION_SLUG'), first(env, 'BUILDKITE_PIPELINE_SLUG')),
    run: first(env, 'BUILDKITE_BUILD_NUMBER'),
    attempt: retries === null ? null : retries + 1,
    // The id of a job is another one at each attempt; what names the step is not.
    job: first(env, 'BUILDKITE_STEP_KEY', 'BUILDKITE_LABEL', 'BUILDKITE_STEP_ID'),
    branch: first(env, 'BUILDKITE_BRANCH'),
    commit: hash(first(env, 'BUILDKITE_COMMIT')),
    url: httpAddress(first(env, 'BUILDKITE_BUILD_URL')),
    repository: repositoryOf(first(env, 'BUILDKITE_REPO')),
  }
}

/** CircleCI runs again as another workflow: it counts no attempts. */
function readCircle(env: Env): CiRun {
  const path = joined(first(env, 'CIRCLE_PROJECT_USERNAME'), first(env, 'CIRCLE_PROJECT_REPONAME'))
  return {
    provider: 'circleci',
    path,
    run: first(env, 'CIRCLE_WORKFLOW_ID', 'CIRCLE_BUILD_NUM'),
    attempt: null,
    job: first(env, 'CIRCLE_JOB'),
    branch: first(env, 'CIRCLE_BRANCH'),
    commit: hash(first(env, 'CIRCLE_SHA1')),
    url: httpAddress(first(env, 'CIRCLE_BUILD_URL')),
    repository: repositoryOf(first(env, 'CIRCLE_REPOSITORY_URL')) ?? path,
  }
}

function readJenkins(env: Env): CiRun {
  return {
    provider: 'jenkins',
    path: first(env, 'JOB_NAME'),
    run: first(env, 'BUILD_NUMBER', 'BUILD_ID'),
    attempt: null,
    job: first(env, 'STAGE_NAME'),
    branch: withoutRemote(first(env, 'CHANGE_BRANCH', 'BRANCH_NAME', 'GIT_BRANCH')),
    commit: hash(first(env, 'GIT_COMMIT')),
    url: httpAddress(first(env, 'BUILD_URL')),
    repository: repositoryOf(first(env, 'GIT_URL', 'GIT_URL_1')),
  }
}

function readPlain(env: Env): CiRun {
  return {
    provider: first(env, 'INQUEST_CI_PROVIDER')?.toLowerCase() ?? null,
    path: first(env, 'INQUEST_CI_PATH'),
    run: first(env, 'INQUEST_CI_RUN'),
    attempt: positive(count(env, 'INQUEST_CI_ATTEMPT')),
    job: first(env, 'INQUEST_CI_JOB'),
    branch: first(env, 'INQUEST_CI_BRANCH'),
    commit: first(env, 'INQUEST_CI_COMMIT'),
    url: httpAddress(first(env, 'INQUEST_CI_URL')),
    repository: first(env, 'INQUEST_CI_REPOSITORY'),
  }
}

/** A CI run that can be found: by provider, path and number. */
export const isFindable = (run: CiRun): run is CiRun & { provider: string; path: string; run: string } =>
  run.provider !== null && run.path !== null && run.run !== null

/** Name of the work of one job, for a caller that counts its attempts and does not name it. `null` when the run has no name. */
export function chainKeyOf(ci: CiRun): string | null {
  if (!isFindable(ci)) return null
  return ['ci', ci.provider, ci.path, ci.run, ...(ci.job === null ? [] : [ci.job])]
    .map(encodeURIComponent)
    .join('/')
}
