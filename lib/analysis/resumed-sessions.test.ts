import { describe, expect, test } from 'vitest'
import { resumedSessions, withoutSession } from './resumed-sessions'
import type { RunFact } from '../model/run-facts'

const X = '0a0a0a0a-0000-4000-8000-00000000000a'
const Y = '0a0a0a0a-0000-4000-8000-00000000000b'
const resumedBy = (key: string, command: string[], forkedFrom: string[] = []): string[] =>
  resumedSessions(key, {
    runs: [{ fact: { command } as RunFact, at: null, pointer: { received: '', byteStart: 0, byteEnd: 0 } }],
    forkedFrom,
  })

describe('sessions that an execution goes on from', () => {
  test.each<[string, string[], string[]]>([
    ['--resume X', ['claude', '-p', 'go on', '--resume', X], [X]],
    ['-r X', ['claude', '-r', X, '-p', 'go on'], [X]],
    ['--resume=X', ['claude', `--resume=${X}`, '--fork-session'], [X]],
    ['letters of any case', ['claude', '--resume', X.toUpperCase()], [X]],
    ['both of two', ['claude', '-r', Y, '--resume', X], [X, Y]],
    ['nothing to resume', ['claude', '--resume'], []],
    ['another flag behind it', ['claude', '--resume', '--print'], []],
    ['words to look for', ['claude', '--resume', 'the auth bug'], []],
    ['an id of its own', ['claude', '--session-id', X], []],
    ['the last one, whichever that was', ['claude', '--continue'], []],
    ['a prompt that speaks of it', ['claude', '-p', `claude --resume ${X}`], []],
    ['what stands behind the end of the flags', ['claude', '-p', '--', '--resume', X], []],
    ['a flag that is only alike', ['claude', '--resume-at', X], []],
    ['no command', [], []],
  ])('%s', (_, command, sessions) => expect(resumedBy('another', command)).toEqual(sessions))

  test('itself is none of them, and a part of a session has none', () => {
    expect(resumedBy(X, ['claude', '--resume', X], [X])).toEqual([])
    expect(resumedBy(`${Y}/agent-1`, [], [X])).toEqual([])
  })

  test('are those that its transcript names too, each once', () =>
    expect(resumedBy('another', ['claude', '-r', X], [Y, X])).toEqual([X, Y]))
})

test('a command without its session keeps everything else', () => {
  expect(withoutSession(['claude', '-p', 'x', '-r', X, '--session-id', Y, '--verbose'])).toEqual([
    'claude',
    '-p',
    'x',
    '--verbose',
  ])
  expect(withoutSession(['grep', '-r', 'word', '.'])).toEqual(['grep', '-r', 'word', '.'])
  expect(withoutSession(['claude', '--', `--resume=${X}`])).toEqual(['claude', '--', `--resume=${X}`])
})
