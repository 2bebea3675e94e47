import { describe, expect, test } from 'vitest'
import { folderChange, isRelative, mayHaveWritten, missingIn } from './missing'

test.each<[string, string | null]>([
  ['(eval):1: no such file or directory: types/README.md', 'types/README.md'],
  ["ls: cannot access 'types/': No such file or directory", 'types/'],
  ['ls: .erk/impl-context/: No such file or directory', '.erk/impl-context/'],
  ['lsd: 3: No such file or directory (os error 2).', '3'],
  ["ENOENT: no such file or directory, open '/x/y.json'", '/x/y.json'],
  ["FileNotFoundError: [Errno 2] No such file or directory: '/a/b'", '/a/b'],
  ["fatal: pathspec '.entire/.gitignore' did not match any files", '.entire/.gitignore'],
  ['(eval):1: no matches found: /u/x*.jsonl', '/u/x*.jsonl'],
  ["Error: Cannot find module './lib/x'", './lib/x'],
  ["ModuleNotFoundError: No module named 'yaml'", 'yaml'],
  ['bash: line 1: mise: command not found', 'mise'],
  ['zsh: command not found: mise', 'mise'],
  ['Error: Tool execution failed with error: Command not found', null],
  ['Error: not found', null],
  ['File does not exist.', null],
  ['error: expected 3 arguments', null],
])('%s names %s', (line, thing) => expect(missingIn(line)).toBe(thing))

test.each<[string, string | null]>([
  ['cd types && npx tsc', 'types'],
  ['cd /a && make; cd "b c" && ls', 'b c'],
  ['pushd x\nmake', 'x'],
  ['(cd sub && make)', null],
  ['echo cd x', null],
  ['make', null],
])('%j changes the folder to %s', (command, folder) => expect(folderChange(command)).toBe(folder))

test.each([
  ['types/', true],
  ['./x', true],
  ['/x', false],
  ['~/x', false],
  ['C:\\x', false],
])('%s is relative: %s', (path, is) => expect(isRelative(path)).toBe(is))

describe('a command that may have written a file', () => {
  test.each([
    ['python3 -c "p = Path(\'src/core/checks.py\')"', '/w/src/core/checks.py', true],
    ["sed -i '' 's/a/b/' core/checks.py", '/w/src/core/checks.py', true],
    ['cat > core/checks.py << EOF', '/w/src/core/checks.py', true],
    ['cat core/checks.py 2>&1', '/w/src/core/checks.py', false],
    ['cat core/checks.py 2>/dev/null', '/w/src/core/checks.py', false],
    ['git add core/checks.py && git commit -m "x -> y"', '/w/src/core/checks.py', false],
    ['python3 -m pytest core/checks.py', '/w/src/core/checks.py', false],
    ['sed -i s/a/b/ core/other.py', '/w/src/core/checks.py', false],
    ['sed -i s/a/b/ b', '/b', false],
  ])('%j, file %s: %s', (command, path, may) => expect(mayHaveWritten(command, path)).toBe(may))
})
