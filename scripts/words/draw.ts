import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawTexts } from './draw-texts'
import { readTexts } from './read-texts'

/**
 * Prints a random sample of the texts that a person reads, for a review of the language. A sample that is drawn,
 * not chosen, says how much of the rest still needs work. Decisions are left out: they are not edited later.
 */

const root = join(import.meta.dirname, '../..')
const FILES =
  /^(?:(?:components|app|cli|server|lib\/words|lib\/views)\/.*\.tsx?|lib\/problem\.ts|docs\/.*\.md|README\.md)$/
const LEFT_OUT = /^docs\/decisions\/|\.(?:test|support|fixture)\.tsx?$|\/testing\//

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    in: { type: 'string', default: '' },
  },
})

const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => FILES.test(path) && !LEFT_OUT.test(path) && path.startsWith(values.in))
  .sort()
const texts = paths.flatMap((path) => readTexts(path, readFileSync(join(root, path), 'utf8')))

for (const { path, line, text } of drawTexts(texts, Number(values.seed), Number(values.count)))
  console.log(`${path}:${line}  ${text}`)
console.log(`\n${values.count} of ${texts.length} texts in ${paths.length} files, seed ${values.seed}`)
