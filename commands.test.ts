import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * A package runner that is given the bare name of the program runs whatever is published under it wherever the program is not installed,
 * with the key in its environment. So no document, screen, message or action may print such a command.
 */
const FETCHES = /\b(?:npx|bunx|(?:pnpm|yarn) dlx|(?:npm|pnpm) exec)\s+(?:-\S+\s+)*["']?@?inquest\b/

test('no command fetches the program by its name', () => {
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => /\.(?:md|[cm]?[jt]sx?|ya?ml|json|sh|html)$/.test(file))
  expect(files).toEqual(expect.arrayContaining(['README.md', 'action.yml', 'docs/ci.md', 'cli/program.ts']))
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (FETCHES.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

test.each(['npx #', 'npx --yes #', 'npx @#/#', 'bunx #', 'pnpm dlx #', 'npm exec -- #'])(
  'the search would find %s',
  (command) => expect(`run \`${command.replaceAll('#', 'inquest')} doctor\``).toMatch(FETCHES),
)

test.each(['node bin/#.cjs doctor', '# doctor', 'npx playwright test', 'npx vitest run #'])(
  'the search leaves %s alone',
  (command) => expect(`run \`${command.replaceAll('#', 'inquest')}\``).not.toMatch(FETCHES),
)
