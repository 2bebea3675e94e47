import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { NO_INPUT } from '../../model/same-input'
import { changesSomething, type EffectCall, type EffectReceipt, effectsOf, repeatedEffects } from './effects'

const bash = (command: string) =>
  effectsOf({ tool: 'Bash', target: command, inputDigest: 'd' }).map(({ name, input }) => [name, input])
const names = (command: string) => bash(command).map(([name]) => name)

describe('effects of a command', () => {
  test.each([
    ['git push', ['git push']],
    [
      'cd /srv/shop && git -C /srv/shop commit -m "a; git push" && git push --force-with-lease origin main',
      ['git commit', 'git push'],
    ],
    [
      'gh -R acme/shop pr create --title "Round the tax" --body "$(cat <<\'EOF\'\ngit push\nEOF\n)"',
      ['gh pr create'],
    ],
    ['CI=1 npx npm publish --access public', ['npm publish']],
    ['/usr/bin/docker push acme/shop:4', ['docker push']],
    ['kubectl -n shop --context=eu apply -f a.yml', ['kubectl apply']],
    [
      'curl -s -X POST -d \'{"text":"hi"}\' "https://hooks.example/T1?x=2"',
      ['curl POST https://hooks.example/T1'],
    ],
    ['curl --data-binary @a https://a.example/b', ['curl POST https://a.example/b']],
    ['git tag v4.3', ['git tag v4.3'.slice(0, 7)]],
    ['npm test && echo "git push"', []],
    ['git status; git log; git tag; git tag --list', []],
    ['git push --dry-run', []],
    ['curl https://a.example', []],
    ['curl -X POST "$ADDRESS"', []],
    ['cat <<EOF\ngit push\nEOF', []],
    ["echo 'git push", []],
    ['', []],
  ])('%s', (command, expected) => expect(names(command)).toEqual(expected))

  test('the input is the step as it was written', () => {
    expect(bash('cd x && git  commit -m "one two"')).toEqual([['git commit', 'git commit -m "one two"']])
  })

  test('no text makes the reader throw or hang', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => void bash(`git ${text}`)))
    expect(bash(`git ${'-a '.repeat(5000)}push`)).toEqual([])
    expect(bash(`git ${'"\\'.repeat(5000)}`)).toEqual([])
  })
})

test('files that were changed, and tools of servers whose name says that they change something', () => {
  expect(effectsOf({ tool: 'Edit', target: '/a.ts', inputDigest: 'd' })).toEqual([
    { kind: 'file', name: '/a.ts', input: 'Edit d' },
  ])
  expect(effectsOf({ tool: 'Read', target: '/a.ts', inputDigest: 'd' })).toEqual([])
  expect(effectsOf({ tool: 'mcp__slack__post_message', target: null, inputDigest: 'd' })).toEqual([
    { kind: 'tool', name: 'mcp__slack__post_message', input: 'd' },
  ])
  expect(effectsOf({ tool: 'mcp__notion__createPage', target: 'x', inputDigest: 'd' })).toMatchObject([
    { name: 'mcp__notion__createPage x' },
  ])
  for (const tool of ['mcp__slack__postpone', 'mcp__slack__list_messages', 'mcp__slack', 'Task'])
    expect(effectsOf({ tool, target: null, inputDigest: 'd' })).toEqual([])
})

describe('effects that more than one attempt had', () => {
  let ordinal = 0
  const call = (
    executionId: string,
    tool: string,
    target: string,
    more: Partial<EffectCall> = {},
  ): EffectCall => ({
    executionId,
    callId: `c${++ordinal}`,
    ordinal,
    tool,
    target,
    inputDigest: 'd',
    ...more,
  })
  const itself = (id: string): string => id

  test('are told with the first call of each attempt, how often, and whether the input is the same', () => {
    const calls = [
      call('a', 'Write', '/plan.md'),
      call('a', 'Write', '/plan.md', { inputDigest: 'e' }),
      call('a', 'Bash', 'git push'),
      call('a', 'Write', '/only-here.md'),
      call('b', 'Bash', 'npm test && git push'),
      call('b', 'Bash', 'git push --force'),
      call('c', 'Write', '/plan.md'),
    ]
    expect(repeatedEffects(calls, itself)).toEqual([
      {
        kind: 'command',
        name: 'git push',
        done: [
          {
            attemptId: 'a',
            executionId: 'a',
            callId: calls[2]!.callId,
            calls: 1,
            done: true,
            sameInput: true,
            basis: 'inferred',
            receipts: [],
          },
          {
            attemptId: 'b',
            executionId: 'b',
            callId: calls[4]!.callId,
            calls: 2,
            done: true,
            sameInput: false,
            basis: 'inferred',
            receipts: [],
          },
        ],
      },
      {
        kind: 'file',
        name: '/plan.md',
        done: [
          {
            attemptId: 'a',
            executionId: 'a',
            callId: calls[0]!.callId,
            calls: 2,
            done: true,
            sameInput: false,
            basis: 'inferred',
            receipts: [],
          },
          {
            attemptId: 'c',
            executionId: 'c',
            callId: calls[6]!.callId,
            calls: 1,
            done: true,
            sameInput: true,
            basis: 'inferred',
            receipts: [],
          },
        ],
      },
    ])
  })

  test('a call that a fork holds a copy of was made once', () => {
    const push = call('a', 'Bash', 'git push')
    expect(repeatedEffects([push, { ...push, executionId: 'b' }], itself)).toEqual([])
    expect(
      repeatedEffects([push, { ...push, executionId: 'b' }, call('b', 'Bash', 'git push')], itself),
    ).toHaveLength(1)
  })

  test('what an agent did that an attempt started was done by the attempt', () => {
    const calls = [call('a', 'Bash', 'git push'), call('sub-of-a', 'Bash', 'git push')]
    expect(repeatedEffects(calls, () => 'a')).toEqual([])
    expect(repeatedEffects(calls, itself)[0]!.done).toHaveLength(2)
  })

  const receipt = (more: Partial<EffectReceipt> = {}): EffectReceipt => ({
    key: `k${++ordinal}`,
    executionId: 'a',
    sequence: ordinal,
    status: 'success',
    actionType: 'financial.payment.send',
    parametersHash: null,
    ...more,
  })
  const paid = (
    executionId: string,
    parametersHash: string | null,
    more: Partial<EffectCall> = {},
  ): EffectCall =>
    call(executionId, 'pay', 'shop', {
      inputDigest: parametersHash ?? NO_INPUT,
      receipts: [receipt({ executionId, parametersHash })],
      ...more,
    })

  test('are asserted where receipts say the same parameters, and inferred else', () => {
    const told = (...calls: EffectCall[]) =>
      repeatedEffects(calls, itself).map(({ kind, name, done }) => [
        kind,
        name,
        ...done.map((one) => [one.done, one.sameInput, one.basis, one.receipts.length]),
      ])
    expect(told(paid('a', 'sha256:1'), paid('b', 'sha256:1'))).toEqual([
      ['tool', 'pay shop', [true, true, 'inferred', 1], [true, true, 'asserted', 1]],
    ])
    expect(told(paid('a', 'sha256:1'), paid('b', 'sha256:2'))).toEqual([
      ['tool', 'pay shop', [true, true, 'inferred', 1], [true, false, 'inferred', 1]],
    ])
    expect(told(paid('a', null), paid('b', null))).toEqual([
      ['tool', 'pay shop', [true, null, 'inferred', 1], [true, null, 'inferred', 1]],
    ])
    expect(told(paid('a', 'sha256:1', { inputDigest: 'd' }), paid('b', null))).toEqual([
      ['tool', 'pay shop', [true, true, 'inferred', 1], [true, null, 'inferred', 1]],
    ])
  })

  test('of a call that was cut off nobody knows: it stands beside what is certain, gives way to it, and is nothing alone', () => {
    const cut = (executionId: string) => paid(executionId, 'sha256:1', { unsure: true })
    expect(repeatedEffects([cut('a'), paid('b', 'sha256:1')], itself)[0]!.done).toMatchObject([
      { attemptId: 'a', done: null },
      { attemptId: 'b', done: true, basis: 'inferred', sameInput: true },
    ])
    expect(
      repeatedEffects([cut('a'), paid('a', 'sha256:1'), paid('b', 'sha256:1')], itself)[0]!.done,
    ).toMatchObject([
      { attemptId: 'a', done: true, calls: 1 },
      { attemptId: 'b', done: true, basis: 'asserted' },
    ])
    expect(
      repeatedEffects([paid('a', 'sha256:1'), cut('a'), paid('b', 'sha256:1')], itself)[0]!.done,
    ).toMatchObject([{ attemptId: 'a', done: true, calls: 1 }, { attemptId: 'b' }])
    expect(repeatedEffects([cut('a'), cut('b')], itself)).toEqual([])
    expect(
      repeatedEffects([call('a', 'Edit', '/f', { unsure: true }), call('b', 'Edit', '/f')], itself),
    ).toEqual([])
  })
})

test('an action changes something by its last word, whatever its risk', () => {
  for (const type of [
    'filesystem.file.modify',
    'filesystem.file.delete',
    'financial.payment.send',
    'financial.booking.cancel',
    'mcp.github.create_issue',
    'system.browser.form_submit',
    'document.spreadsheet.modify_formula',
  ])
    expect(changesSomething(type), type).toBe(true)
  for (const type of [
    'filesystem.file.read',
    'system.command.execute',
    'filesystem.directory.list',
    'mcp.github.list_issues',
    'network.egress.observed',
    '',
    'x',
  ])
    expect(changesSomething(type), type).toBe(false)
  const by = (tool: string, target: string | null, actionType: string) =>
    effectsOf({
      tool,
      target,
      inputDigest: 'd',
      receipts: [
        { key: 'k', executionId: 'a', sequence: 1, status: 'success', actionType, parametersHash: null },
      ],
    })
  expect(by('write_file', '/a', 'filesystem.file.write')).toEqual([
    { kind: 'file', name: '/a', input: 'write_file d' },
  ])
  expect(by('Bash', '/a', 'mcp.x.delete')).toMatchObject([{ kind: 'tool', name: 'mcp.x.delete /a' }])
  expect(by('Bash', 'git push', 'mcp.x.delete')).toMatchObject([{ kind: 'command', name: 'git push' }])
  expect(by('look', null, 'data.api.read')).toEqual([])
})
