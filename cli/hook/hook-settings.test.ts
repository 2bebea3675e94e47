import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  connectedEvents,
  connectHooks,
  disconnectHooks,
  HOOK_EVENTS,
  hookCommand,
  settingsBlock,
  shellWord,
} from './hook-settings'

const command = hookCommand('/usr/bin/node', '/opt/in quest/bin/inquest.cjs')
const hooksOf = (text: string): Record<string, { hooks: { command: string }[] }[]> => JSON.parse(text).hooks

const existing = `{
    "model": "opus",   // a comment stays
    "permissions": {"allow": ["Bash(ls:*)"],   "deny": []},
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "other-tool inquest hook"}]}
        ]
    },
    "zzz": 1e2
}
`

describe('connecting', () => {
  test('an empty file gets an entry for each event', () => {
    const text = connectHooks('', command)
    expect(Object.keys(hooksOf(text))).toEqual([...HOOK_EVENTS])
    expect(JSON.parse(text)).toEqual(settingsBlock(command))
  })

  test('everything else stays byte for byte, and entries of others stay before ours', () => {
    const text = connectHooks(existing, command)
    for (const line of [
      '"model": "opus",   // a comment stays',
      '"permissions": {"allow": ["Bash(ls:*)"],   "deny": []},',
      '"zzz": 1e2',
    ]) {
      expect(text).toContain(line)
    }
    const without = text.replace('// a comment stays', '')
    expect(hooksOf(without).PreToolUse!.map((group) => group.hooks[0]!.command)).toEqual([
      'other-tool inquest hook',
      command,
    ])
  })

  test('doing it twice changes nothing', () => {
    const once = connectHooks(existing, command)
    expect(connectHooks(once, command)).toBe(once)
  })

  test('a program that moved gets its path put right, once', () => {
    const moved = hookCommand('/usr/bin/node', '/elsewhere/bin/inquest.cjs')
    const text = connectHooks(connectHooks('{}', command), moved)
    expect(JSON.parse(text)).toEqual(settingsBlock(moved))
  })

  test('tabs, CRLF and a byte order mark stay what they are', () => {
    const text = connectHooks('\ufeff{\r\n\t"a": 1\r\n}\r\n', command)
    expect(text.startsWith('\ufeff{\r\n\t"a": 1,\r\n\t"hooks"')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  test.each([
    ['torn JSON', '{"a": ', /not valid JSON/],
    ['a list', '[]', /not a JSON object/],
    ['hooks of another shape', '{"hooks": []}', /"hooks" is not an object/],
    ['an event of another shape', '{"hooks": {"Stop": {}}}', /"hooks.Stop" is not a list/],
  ])('%s is refused, not guessed at', (_, text, words) => {
    expect(() => connectHooks(text, command)).toThrow(words)
  })
})

describe('disconnecting', () => {
  test('takes out what connecting put in, and nothing else', () => {
    expect(disconnectHooks(connectHooks(existing, command))).toBe(existing)
  })

  test('keeps hooks of others in the same entry', () => {
    const mixed = JSON.stringify({
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'command', command },
              { type: 'command', command: 'mine' },
            ],
          },
        ],
      },
    })
    expect(JSON.parse(disconnectHooks(mixed))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
    })
  })

  test('for any settings, connecting and disconnecting gives the same document', () => {
    const other = fc.record({
      matcher: fc.string(),
      hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() }), {
        minLength: 1,
        maxLength: 2,
      }),
    })
    const settings = fc.record(
      {
        model: fc.string(),
        hooks: fc.dictionary(
          fc.constantFrom(...HOOK_EVENTS, 'Newer'),
          fc.array(other, { minLength: 1, maxLength: 2 }),
          { minKeys: 1 },
        ),
      },
      { requiredKeys: ['model'] },
    )
    fc.assert(
      fc.property(settings, fc.constantFrom(0, 2, 4, '\t'), (document, indent) => {
        const text = JSON.stringify(document, null, indent)
        const connected = connectHooks(text, command)
        expect(connectedEvents(connected).toSorted()).toEqual([...HOOK_EVENTS].toSorted())
        expect(JSON.parse(disconnectHooks(connected))).toEqual(JSON.parse(text))
      }),
      { numRuns: 40 },
    )
  })
})

test.each([
  ['/usr/bin/node', '/usr/bin/node'],
  ['/a b/c', "'/a b/c'"],
  ["/it's", `'/it'\\''s'`],
  ['/$HOME/`x`', "'/$HOME/`x`'"],
])('%s is a word for a shell', (text, word) => expect(shellWord(text)).toBe(word))

test('docs/hooks.md shows the block of all events', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/hooks.md'), 'utf8')
  expect(JSON.parse(/```json\n([\s\S]+?)```/.exec(page)![1]!)).toEqual(
    settingsBlock('node /opt/inquest/bin/inquest.cjs hook'),
  )
})
