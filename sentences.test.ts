import { describe, expect, test } from 'vitest'
import { listModules } from './scripts/architecture'
import { findSentences, readSentences, type Sentence } from './scripts/sentences/find'

const root = import.meta.dirname

/**
 * Sentences outside `lib/words`, by folder. These only get fewer: who takes some away writes the new number down, so that
 * no other takes their place. `components` has labels, which may stay in the component that shows them.
 */
const LEFT: Record<string, number> = {
  components: 288,
  'lib/formats': 5,
  'lib/judge': 62,
}

/** Folders of `db` and `lib` count apart, and so do their own modules. */
const folderOf = ({ path }: Sentence): string =>
  path
    .split('/')
    .slice(0, /^(?:db|lib)\//.test(path) ? 2 : 1)
    .join('/')

test('sentences of the product are in lib/words', () => {
  const sentences = readSentences(root, listModules(root))
  const counts: Record<string, number> = {}
  for (const sentence of sentences) counts[folderOf(sentence)] = (counts[folderOf(sentence)] ?? 0) + 1
  const changed = Object.keys({ ...LEFT, ...counts }).filter((folder) => counts[folder] !== LEFT[folder])
  const places = sentences
    .filter((sentence) => changed.includes(folderOf(sentence)))
    .map(({ path, line, text }) => `${path}:${line} ${text}`)
  expect(counts, places.join('\n')).toEqual(LEFT)
})

describe('a planted sentence is found', () => {
  const find = (code: string, path = 'cli/a.ts') => findSentences(path, code).map(({ text }) => text)

  test.each([
    ['in an error', "throw new Error('The key could not be read.')", ['The key could not be read.']],
    [
      'in a template',
      'say(`The file ${path} could not be read: ${why}.`)',
      ['The file … could not be read: ….'],
    ],
    ['in a value of a template', "`${isOpen ? 'This one is still open' : ''}`", ['This one is still open']],
    ['under another tag', 'bold`The file could not be read`', ['The file could not be read']],
    ['of three words', "say('No such file')", []],
    ['compared', "if (line === 'Another build is already running') stop()", []],
    ['looked for', "line.includes('Another build is already running')", []],
    [
      'looked for by its name',
      "const OTHER = 'Another build is already running'; if (line === OTHER) stop()",
      [],
    ],
    [
      'looked for by its name, and printed',
      "const OTHER = 'Another build is already running'; if (line !== OTHER) say(OTHER)",
      ['Another build is already running'],
    ],
    [
      'in a set of phrases that are looked for',
      "const SAID = new Set(['Another build is already running']); if (SAID.has(line)) stop()",
      [],
    ],
    [
      'in a list that is printed',
      "const SAID = ['Another build is already running']; SAID.forEach(say)",
      ['Another build is already running'],
    ],
    ['of a pattern', "new RegExp('timed? out|connection (?:reset|closed) by peer')", []],
    ['of a path of keys', "say('one.two.three.four.five')", []],
    ['of a list of words', "const all = ('one two three four ' + 'five six seven eight').split(' ')", []],
    ['of SQL', 'sql`select id from x where name is null`', []],
    ['of tables of SQL', "const TABLES = 'fixes f left join patches p on p.id = f.patch'", []],
    ['of columns of SQL', "const LIST = '… as state, p.size, j.slug, e.title, e.outcome'", []],
    ['of SQL as text', "run('select id from x where id = any($1)')", []],
    ['of a type', "type Why = 'The file could not be read'", []],
  ])('%s', (_, code, found) => expect(find(code)).toEqual(found))

  test.each([
    ['as a label', '<p title="This one is still open">{"Nothing to see in here"}</p>', []],
    ['as a list of classes', "const row = 'flex items center border rounded'", []],
    ['in a handler', "<p onClick={() => say('This one is still open')} />", ['This one is still open']],
  ])('in a component: %s', (_, code, found) => expect(find(code, 'components/a.tsx')).toEqual(found))

  test('but not the descriptions of the contract', () => {
    const code = "z.string().describe('What the run is called').min(1, 'The name must not be empty')"
    expect(find(code, 'lib/api/a.ts')).toEqual(['The name must not be empty'])
    expect(find(code, 'lib/views/a.ts')).toHaveLength(2)
  })
})
