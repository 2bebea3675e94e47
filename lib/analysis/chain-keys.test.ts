import { describe, expect, test } from 'vitest'
import { chainKeysOf, type ChainKey } from './chain-keys'
import type { CiRun } from '../model/ci-run'
import type { RunFact } from '../model/run-facts'

const SESSION = '0a0a0a0a-0000-4000-8000-000000000001'
const GITHUB: CiRun = {
  provider: 'github',
  path: 'acme/shop',
  run: '77',
  attempt: 1,
  job: 'agent',
  branch: 'main',
  commit: null,
  url: null,
  repository: null,
}
const runOf = (more: Partial<RunFact>) => ({
  fact: { command: ['claude', '-p', 'Plan'], chain: null, ci: GITHUB, ...more } as RunFact,
  at: null,
  pointer: { received: '', byteStart: 0, byteEnd: 0 },
})
const keysOf = (...runs: Partial<RunFact>[]): ChainKey[] =>
  chainKeysOf({ runs: runs.map(runOf), recorded: null, result: null, forkedFrom: [] })
const ofCi = (more: Partial<CiRun>, command?: string[]): ChainKey[] =>
  keysOf({ ci: { ...GITHUB, ...more }, ...(command ? { command } : {}) })
const idOf = ([key, ...others]: ChainKey[]): string => {
  expect(others).toEqual([])
  return key!.id
}

describe('attempts of one CI run', () => {
  test('are attempts of one job and one command, by the number that the CI gives', () => {
    const [first] = ofCi({})
    expect(first).toMatchObject({
      rule: 'ci_run_attempts',
      basis: 'recorded',
      attempt: 1,
      name: 'acme/shop, run 77 · agent · claude -p Plan',
    })
    expect(ofCi({ attempt: 2, branch: 'other', commit: 'abc', url: 'https://ci.example' })).toEqual([
      { ...first, attempt: 2 },
    ])
  })

  test.each<[string, ChainKey[]]>([
    ['another command', ofCi({}, ['claude', '-p', 'Build'])],
    ['words cut elsewhere', ofCi({}, ['claude', '-p Plan'])],
    ['a command that only ends otherwise', ofCi({}, ['claude', '-p', `Plan${'n'.repeat(200)}`])],
    ['another job', ofCi({ job: 'review' })],
    ['another run', ofCi({ run: '78' })],
    ['another project', ofCi({ path: 'acme/store' })],
    ['another provider', ofCi({ provider: 'gitlab' })],
  ])('%s is other work', (_, other) => expect(idOf(other)).not.toBe(idOf(ofCi({}))))

  test('two commands that are alike as far as they can be read are still two', () => {
    const long = 'x'.repeat(300)
    expect(idOf(ofCi({}, ['claude', `${long}a`]))).not.toBe(idOf(ofCi({}, ['claude', `${long}b`])))
    expect(ofCi({}, ['claude', long])[0]!.name.length).toBeLessThan(140)
  })

  test('which session an attempt goes on from is no part of its work', () => {
    const plain = idOf(ofCi({}))
    for (const flags of [
      ['--resume', SESSION],
      ['-r', SESSION],
      [`--resume=${SESSION}`],
      ['--resume', SESSION, '--fork-session'],
      ['--session-id', SESSION],
      ['--continue'],
    ])
      expect(idOf(ofCi({ attempt: 2 }, ['claude', ...flags, '-p', 'Plan']))).toBe(plain)
    expect(idOf(ofCi({}, ['claude', '--resume', 'Plan', '-p', 'Plan']))).not.toBe(plain)
  })

  test.each<[string, Partial<CiRun>]>([
    ['provider', { provider: null }],
    ['path', { path: null }],
    ['run', { run: null }],
    ['job', { job: null }],
  ])('without %s nothing is linked', (_, half) => {
    expect(ofCi(half)).toEqual([])
    expect(ofCi({ ...half, attempt: null })).toEqual([])
  })

  test('without a number equal commands of a job are taken for attempts, and that is inferred', () => {
    expect(ofCi({ attempt: null })).toMatchObject([
      { rule: 'same_ci_job_command', basis: 'inferred', attempt: null },
    ])
    expect(keysOf({ ci: { ...GITHUB, attempt: null }, command: [] })).toEqual([])
  })

  test('the name that the caller gives tells work apart and brings it together, beside its own chain', () => {
    const chain = { key: 'order 7', attempt: 3 }
    const [named, ci] = keysOf({ chain })
    expect(named).toMatchObject({ rule: 'named_chain', attempt: 3 })
    expect(ci).toMatchObject({
      rule: 'ci_run_attempts',
      attempt: 1,
      name: 'acme/shop, run 77 · agent · order 7',
    })
    expect(keysOf({ chain, command: ['claude', '-p', 'Plan it again'] })[1]).toEqual(ci)
    expect(keysOf({ chain: { key: 'order 8', attempt: 3 } })[1]!.id).not.toBe(ci!.id)
    // The caller's chain contains all that the job could say.
    expect(keysOf({ chain, ci: { ...GITHUB, attempt: null } }).map(({ rule }) => rule)).toEqual([
      'named_chain',
    ])
  })

  test('the name that the recorder makes of the job brings no two commands together', () => {
    const chain = { key: 'ci/github/acme%2Fshop/77/agent', attempt: 2 }
    expect(keysOf({ chain })[1]!.id).toBe(idOf(ofCi({})))
    expect(keysOf({ chain, command: ['claude', '-p', 'Build'] })[1]!.id).not.toBe(idOf(ofCi({})))
  })

  test('a session that was gone on with in a later attempt is one attempt, the last', () => {
    expect(
      keysOf({}, { ci: { ...GITHUB, attempt: 2 }, command: ['claude', '--resume', SESSION, '-p', 'Plan'] }),
    ).toMatchObject([{ rule: 'ci_run_attempts', attempt: 2 }])
  })

  test('outside of CI there is none', () => expect(keysOf({ ci: null })).toEqual([]))
})
