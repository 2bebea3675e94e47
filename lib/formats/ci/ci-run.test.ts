import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chainKeyOf, readCiRun } from './ci-run'
import type { CiRun } from '../../model/ci-run'

const sha = '1bf6fcf1d2a3b4c5d6e7f8091a2b3c4d5e6f7081'
const nothing: CiRun = {
  provider: null,
  path: null,
  run: null,
  attempt: null,
  job: null,
  branch: null,
  commit: null,
  url: null,
  repository: null,
}

const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_RUN_ID: '9012345678',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_JOB: 'agent',
  GITHUB_REF_TYPE: 'branch',
  GITHUB_REF_NAME: 'main',
  GITHUB_SHA: sha,
  GITHUB_SERVER_URL: 'https://github.com',
}
const gitlab = {
  GITLAB_CI: 'true',
  CI_PROJECT_PATH: 'acme/tools/deep/shop',
  CI_PIPELINE_ID: '77',
  CI_JOB_ID: '801',
  CI_JOB_NAME: 'agent: fix',
  CI_COMMIT_BRANCH: 'main',
  CI_COMMIT_REF_NAME: 'main',
  CI_COMMIT_SHA: sha,
  CI_JOB_URL: 'https://gitlab.example/acme/tools/deep/shop/-/jobs/801',
}
const buildkite = {
  BUILDKITE: 'true',
  BUILDKITE_ORGANIZATION_SLUG: 'acme',
  BUILDKITE_PIPELINE_SLUG: 'shop',
  BUILDKITE_BUILD_NUMBER: '12',
  BUILDKITE_RETRY_COUNT: '0',
  BUILDKITE_STEP_KEY: 'agent',
  BUILDKITE_JOB_ID: '018f',
  BUILDKITE_BRANCH: 'main',
  BUILDKITE_COMMIT: sha,
  BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/shop/builds/12',
  BUILDKITE_REPO: 'git@github.com:acme/shop.git',
}
const jenkins = {
  JENKINS_URL: 'https://ci.example/',
  JOB_NAME: 'folder/shop/main',
  BUILD_NUMBER: '31',
  STAGE_NAME: 'Agent',
  GIT_BRANCH: 'origin/main',
  GIT_COMMIT: sha,
  BUILD_URL: 'https://ci.example/job/folder/job/shop/job/main/31/',
  GIT_URL: 'https://bot:s3cret@git.example/acme/shop.git',
}
const circle = {
  CIRCLECI: 'true',
  CIRCLE_PROJECT_USERNAME: 'acme',
  CIRCLE_PROJECT_REPONAME: 'shop',
  CIRCLE_WORKFLOW_ID: 'b6f1-11',
  CIRCLE_BUILD_NUM: '5',
  CIRCLE_JOB: 'agent',
  CIRCLE_BRANCH: 'main',
  CIRCLE_SHA1: sha,
  CIRCLE_BUILD_URL: 'https://circleci.com/gh/acme/shop/5',
}

describe('each provider', () => {
  test.each<[string, Record<string, string>, Partial<CiRun>]>([
    [
      'GitHub Actions',
      github,
      {
        provider: 'github',
        path: 'acme/shop',
        run: '9012345678',
        attempt: 2,
        job: 'agent',
        branch: 'main',
        commit: sha,
        url: 'https://github.com/acme/shop/actions/runs/9012345678/attempts/2',
        repository: 'acme/shop',
      },
    ],
    [
      'GitLab, with nested groups',
      gitlab,
      {
        provider: 'gitlab',
        path: 'acme/tools/deep/shop',
        run: '77',
        job: 'agent: fix',
        branch: 'main',
        commit: sha,
        url: 'https://gitlab.example/acme/tools/deep/shop/-/jobs/801',
        repository: 'acme/tools/deep/shop',
      },
    ],
    [
      'Buildkite, whose first attempt has the retry count 0',
      buildkite,
      {
        provider: 'buildkite',
        path: 'acme/shop',
        run: '12',
        attempt: 1,
        job: 'agent',
        branch: 'main',
        commit: sha,
        url: 'https://buildkite.com/acme/shop/builds/12',
        repository: 'acme/shop',
      },
    ],
    [
      'Jenkins, without the password of its git address',
      jenkins,
      {
        provider: 'jenkins',
        path: 'folder/shop/main',
        run: '31',
        job: 'Agent',
        branch: 'main',
        commit: sha,
        url: 'https://ci.example/job/folder/job/shop/job/main/31/',
        repository: 'acme/shop',
      },
    ],
    [
      'CircleCI',
      circle,
      {
        provider: 'circleci',
        path: 'acme/shop',
        run: 'b6f1-11',
        job: 'agent',
        branch: 'main',
        commit: sha,
        url: 'https://circleci.com/gh/acme/shop/5',
        repository: 'acme/shop',
      },
    ],
    [
      'plain variables',
      {
        INQUEST_CI_PROVIDER: 'Drone',
        INQUEST_CI_PATH: 'a/b',
        INQUEST_CI_RUN: '4',
        INQUEST_CI_ATTEMPT: '3',
        INQUEST_CI_JOB: 'j',
        INQUEST_CI_BRANCH: 'x',
        INQUEST_CI_COMMIT: 'v1',
        INQUEST_CI_URL: 'https://d.example/4',
      },
      {
        provider: 'drone',
        path: 'a/b',
        run: '4',
        attempt: 3,
        job: 'j',
        branch: 'x',
        commit: 'v1',
        url: 'https://d.example/4',
      },
    ],
  ])('%s', (_, env, want) => expect(readCiRun(env)).toEqual({ ...nothing, ...want }))

  test.each<[string, Record<string, string>, Partial<CiRun>]>([
    [
      'the head of a pull request on GitHub',
      { ...github, GITHUB_REF_NAME: '12/merge', GITHUB_HEAD_REF: 'fix/x' },
      { branch: 'fix/x' },
    ],
    [
      'a tag on GitHub is no branch',
      { ...github, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' },
      { branch: null },
    ],
    [
      'a merge request on GitLab',
      { ...gitlab, CI_COMMIT_BRANCH: '', CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'fix' },
      { branch: 'fix' },
    ],
    [
      'a tag on GitLab is no branch',
      { ...gitlab, CI_COMMIT_BRANCH: '', CI_COMMIT_REF_NAME: 'v1', CI_COMMIT_TAG: 'v1' },
      { branch: null },
    ],
    ['a second attempt on Buildkite', { ...buildkite, BUILDKITE_RETRY_COUNT: '1' }, { attempt: 2 }],
    [
      'a step of Buildkite with a label only',
      { ...buildkite, BUILDKITE_STEP_KEY: '', BUILDKITE_LABEL: ':robot: agent' },
      { job: ':robot: agent' },
    ],
    ['HEAD names no commit', { ...buildkite, BUILDKITE_COMMIT: 'HEAD' }, { commit: null }],
    [
      'a change of a multibranch job on Jenkins',
      { ...jenkins, BRANCH_NAME: 'PR-3', CHANGE_BRANCH: 'feature/origin' },
      { branch: 'feature/origin' },
    ],
    [
      'Jenkins known by its build tag alone',
      { BUILD_TAG: 'jenkins-shop-1', BUILD_NUMBER: '1' },
      { provider: 'jenkins', run: '1', path: null },
    ],
    ['CircleCI without a workflow', { ...circle, CIRCLE_WORKFLOW_ID: '' }, { run: '5' }],
    [
      'a repository in a nested group, by ssh with a port',
      { ...circle, CIRCLE_REPOSITORY_URL: 'ssh://git@git.example:2222/a/b/c.git/' },
      { repository: 'a/b/c' },
    ],
    [
      'a plain variable counts above the provider',
      { ...github, INQUEST_CI_JOB: 'agent (node 22)' },
      { provider: 'github', job: 'agent (node 22)' },
    ],
    [
      'the name of another provider stands alone',
      { ...github, INQUEST_CI_PROVIDER: 'act' },
      { ...nothing, provider: 'act' },
    ],
    [
      'the name of the same provider does not',
      { ...github, INQUEST_CI_PROVIDER: 'GitHub' },
      { provider: 'github', run: '9012345678' },
    ],
  ])('%s', (_, env, want) => expect(readCiRun(env)).toMatchObject(want))
})

describe('half-set and odd environments', () => {
  test.each<[string, Record<string, string | undefined>, CiRun | null]>([
    ['nothing', {}, null],
    ['CI alone names nothing', { CI: 'true' }, null],
    ['only empty texts', { INQUEST_CI_PROVIDER: '', INQUEST_CI_RUN: ' ' }, null],
    ['a provider that is switched off', { GITHUB_ACTIONS: 'false', GITHUB_REPOSITORY: 'a/b' }, null],
    [
      'a provider without anything else',
      { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: undefined },
      { ...nothing, provider: 'github' },
    ],
    ['a run without a provider', { INQUEST_CI_RUN: '7' }, { ...nothing, run: '7' }],
    [
      'half of a path is none',
      { CIRCLECI: 'true', CIRCLE_PROJECT_REPONAME: 'shop' },
      { ...nothing, provider: 'circleci' },
    ],
    [
      'an attempt that is no number',
      { GITHUB_ACTIONS: 'true', GITHUB_RUN_ATTEMPT: 'two' },
      { ...nothing, provider: 'github' },
    ],
    [
      'an attempt of zero',
      { GITHUB_ACTIONS: 'true', GITHUB_RUN_ATTEMPT: '0' },
      { ...nothing, provider: 'github' },
    ],
    [
      'an address that is none',
      { GITLAB_CI: '1', CI_JOB_URL: 'javascript:alert(1)' },
      { ...nothing, provider: 'gitlab' },
    ],
    [
      'a name and password in an address',
      { GITLAB_CI: '1', CI_JOB_URL: 'https://a:b@x.example/1' },
      { ...nothing, provider: 'gitlab', url: 'https://x.example/1' },
    ],
    [
      'a value without end',
      { GITLAB_CI: '1', CI_JOB_NAME: 'x'.repeat(100_000) },
      { ...nothing, provider: 'gitlab' },
    ],
  ])('%s', (_, env, want) => expect(readCiRun(env)).toEqual(want))

  test('no environment gives an undefined or empty part', () => {
    const names = [
      ...new Set([github, gitlab, buildkite, jenkins, circle].flatMap((env) => Object.keys(env))),
      'INQUEST_CI_PROVIDER',
      'INQUEST_CI_RUN',
      'INQUEST_CI_URL',
      'BUILD_TAG',
    ]
    const value = fc.oneof(
      fc.constantFrom('', ' ', 'true', '0', '1', 'origin/', 'https://x', 'git@h:', '/', '.git'),
      fc.string(),
    )
    const env = fc.dictionary(fc.constantFrom(...names), fc.option(value, { nil: undefined }))
    fc.assert(
      fc.property(env, (odd) => {
        for (const part of Object.values(readCiRun(odd) ?? {}))
          expect(part === null || (part !== '' && part !== undefined)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

test('attempts of one job have one chain key, whatever stands in its names; a run without a name has none', () => {
  const run = readCiRun(github)!
  expect(chainKeyOf(run)).toBe('ci/github/acme%2Fshop/9012345678/agent')
  expect(chainKeyOf({ ...run, attempt: 3 })).toBe(chainKeyOf(run))
  expect(chainKeyOf({ ...run, job: null })).toBe('ci/github/acme%2Fshop/9012345678')
  expect(chainKeyOf({ ...run, run: null })).toBeNull()
})
