import { describe, expect, test } from 'vitest'
import { decisiveLine } from './decisive-line'
import { placeIn } from './places'

const read = (text: string) => {
  const place = placeIn(text, decisiveLine(text)?.text ?? '')
  return place === null ? null : `${place.file}:${place.line}`
}

describe('the place that a failure text names', () => {
  test.each<[string, string, string | null]>([
    [
      'a compiler',
      'Exit code 1\ncmd/cli/config.go:239:15: error returned from package is unwrapped',
      'cmd/cli/config.go:239',
    ],
    [
      'a compiler with parentheses',
      'src/hooks/useTodos.test.ts(6,33): error TS2307: Cannot find module',
      'src/hooks/useTodos.test.ts:6',
    ],
    [
      'a test',
      '--- FAIL: TestX\n    paths_test.go:57: ModelSessionID("x") = "y", want ""',
      'paths_test.go:57',
    ],
    [
      'a traceback: its innermost frame of own code',
      'Traceback (most recent call last):\n  File "/w/app/main.py", line 3, in <module>\n  File "/w/app/setup.py", line 88, in run\n  File "/w/.venv/lib/x.py", line 9, in call\nTypeError: f() got an unexpected keyword',
      '/w/app/setup.py:88',
    ],
    [
      'a traceback of nothing but code of others',
      'Traceback (most recent call last):\n  File "/usr/lib/python3.12/json/x.py", line 9, in f\nValueError: no',
      '/usr/lib/python3.12/json/x.py:9',
    ],
    [
      'a stack: its first frame of own code',
      'TypeError: x is not a function\n    at f (/w/node_modules/next/a.js:3:1)\n    at g (/w/src/b.ts:14:7)\n    at node:internal/x:1:1',
      '/w/src/b.ts:14',
    ],
    ['none', '> Build error occurred\n[TypeError: generate is not a function]', null],
    ['a time is no place', 'Error: failed at 11:25:30 on host:8080', null],
    ['nor is an address', 'Error: connect ECONNREFUSED 127.0.0.1:5432', null],
    ['nor is a link', 'Error: see https://example.com:443/x', null],
  ])('%s', (_, text, want) => expect(read(text)).toBe(want))
})
