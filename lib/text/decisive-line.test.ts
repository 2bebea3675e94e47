import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisiveLine, inJsonString } from './decisive-line'

const cases: [string, string, string][] = [
  [
    'a test runner: the assertion, not the banner',
    'Exit code 1\n[test] $ go test ./...\n[test] ERROR task failed\n\nok  \tx\t1s\n--- FAIL: TestA (0.00s)\n    a_test.go:93: got "x", want ""\nFAIL\nFAIL\tx\t0.2s',
    'a_test.go:93: got "x", want ""',
  ],
  [
    'a compiler: file and line',
    'Exit code 1\n[lint] ERROR task failed\n\ncmd/config.go:239:15: error returned is unwrapped (wrapcheck)\n\treturn nil, err\n1 issues:\n* wrapcheck: 1',
    'cmd/config.go:239:15: error returned is unwrapped (wrapcheck)',
  ],
  [
    'Python: the last line of the traceback',
    'Exit code 1\nTraceback (most recent call last):\n  File "/a/cli.py", line 10, in <module>\n    main()\n    ~~~~^^\nTypeError: setup() got an unexpected keyword argument \'slug\'',
    "TypeError: setup() got an unexpected keyword argument 'slug'",
  ],
  [
    'node: the exception, not the warnings',
    'npm warn Unknown env config "x". This will stop working.\n\n> Build error occurred\n[TypeError: generate is not a function]\n\n> app@0.1.0 build',
    '[TypeError: generate is not a function]',
  ],
  [
    'git push: the rejected reference',
    'Exit code 1\nTo https://example.org/r\n ! [rejected]  topic -> topic (non-fast-forward)\nerror: failed to push some refs\nhint: Updates were rejected because',
    '! [rejected]  topic -> topic (non-fast-forward)',
  ],
  [
    'a message whose object stands on the next line',
    'Exit code 1\nThe following paths are ignored by one of your .gitignore files:\n.entire\nhint: Use -f',
    'The following paths are ignored by one of your .gitignore files:\n.entire',
  ],
  [
    'usage first, error last',
    'Exit code 1\nUsage:\n  tool [command]\n\nUse "tool --help" for more.\n\nError: Unknown command: tool aaaa',
    'Error: Unknown command: tool aaaa',
  ],
  [
    'a tool error: its first line, whatever the code below says',
    '<tool_use_error>String to replace not found in file.\nString: t.Errorf("expected error %v, got nil", err)</tool_use_error>',
    'String to replace not found in file.',
  ],
  [
    'a refusal: what the person said',
    "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nuse a switch?",
    'use a switch?',
  ],
  [
    'a refusal without words',
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit). STOP what you are doing",
    "The user doesn't want to proceed with this tool use.",
  ],
  [
    'a hook: its message, not its command line',
    'PreToolUse:Bash hook error: [command -v x >/dev/null || exit 0]: run the tests first\nmore',
    'run the tests first',
  ],
  [
    'wrong input: what is wrong',
    '<tool_use_error>InputValidationError: Task failed due to the following issue:\nThe required parameter `prompt` is missing</tool_use_error>',
    'The required parameter `prompt` is missing',
  ],
  [
    'an API error: the message in its JSON',
    'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    'Overloaded',
  ],
  [
    'colours do not hide the words',
    'Exit code 1\nstarting\n\u001b[31mError:\u001b[0m disk is full',
    '\u001b[31mError:\u001b[0m disk is full',
  ],
  ['nothing but an exit code', 'Exit code 2', 'Exit code 2'],
]

describe('the decisive line', () => {
  test.each(cases)('%s', (_name, text, want) => expect(decisiveLine(text)?.text).toBe(want))

  test('of any text stands where it says it stands, and there is one unless all is white space', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc
            .array(
              fc.constantFrom(
                'Exit code 1',
                'error: x',
                '',
                '  ',
                'Traceback (most recent call last)',
                'ValueError: y',
                'ends:',
                'ok  \t1',
              ),
              { maxLength: 8 },
            )
            .map((l) => l.join('\n')),
        ),
        (text) => {
          const line = decisiveLine(text)
          expect(line === null).toBe(text.trim() === '')
          if (line) {
            expect(text.slice(line.start, line.end)).toBe(line.text)
            expect(line.text.trim()).toBe(line.text)
          }
        },
      ),
    )
  })

  test('hostile texts are read in linear time: a megabyte on one line, half a million lines, brackets and quotes that never close', () => {
    expect(decisiveLine('error '.repeat(200_000))!.start).toBe(0)
    expect(decisiveLine(`${'a\n'.repeat(500_000)}Error: late`)!.text).toBe('a')
    expect(decisiveLine(`PreToolUse:x hook error: [${']'.repeat(60_000)}`)).not.toBeNull()
    expect(decisiveLine(`API Error: {${'"message":"\\'.repeat(5_000)}`)).not.toBeNull()
  }, 10_000)
})

test('a passage of a decoded JSON string is found in the string as written, whatever had to be escaped', () => {
  const escapedAll = (text: string) =>
    `"${[...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.nat(40),
      fc.nat(40),
      fc.boolean(),
      (text, a, b, all) => {
        const start = Math.min(a, b, text.length)
        const end = Math.min(Math.max(a, b), text.length)
        const raw = all ? escapedAll(text) : JSON.stringify(text)
        const found = inJsonString(raw, start, end)
        expect(JSON.parse(`"${raw.slice(found.start, found.end)}"`)).toBe(text.slice(start, end))
      },
    ),
  )
})
