import { proseOf } from '../support/sessions'
import type { Random } from '../support/random'

const CONTEXT = 3
const EDITED = 12

const indent = (random: Random): string => '  '.repeat(random.int(4))
const codeLine = (random: Random): string =>
  `${indent(random)}const ${proseOf(random, 12).replace(/\W+/g, '_')} = await read(${JSON.stringify(proseOf(random, 30))}, ${random.int(9000)})`

/** One file with hunks of edited lines in their context, `lines` of them altogether. */
function fileOf(random: Random, name: string, lines: number): string {
  const hunks: string[] = []
  let [from, shift] = [1, 0]
  for (let left = lines; left > 0; ) {
    const edited = 1 + random.int(EDITED)
    const [removed, added] = [edited, edited + random.int(3)]
    const context = (): string[] => Array.from({ length: CONTEXT }, () => ` ${codeLine(random)}`)
    const body = [
      ...context(),
      ...Array.from({ length: removed }, () => `-${codeLine(random)}`),
      ...Array.from({ length: added }, () => `+${codeLine(random)}`),
      ...context(),
    ]
    hunks.push(
      `@@ -${from},${removed + 2 * CONTEXT} +${from + shift},${added + 2 * CONTEXT} @@ function ${proseOf(random, 10).replace(/\W+/g, '_')}() {`,
      ...body,
    )
    from += removed + 2 * CONTEXT + 5 + random.int(60)
    shift += added - removed
    left -= body.length
  }
  return `diff --git a/${name} b/${name}\nindex 1111111..2222222 100644\n--- a/${name}\n+++ b/${name}\n${hunks.join('\n')}\n`
}

/** A patch of `files` files with about `lines` lines in hunks, as git writes them. */
export const makePatch = (random: Random, { files, lines }: { files: number; lines: number }): string =>
  Array.from({ length: files }, (_, n) =>
    fileOf(random, `src/part-${n % 20}/module-${n}.ts`, Math.ceil(lines / files)),
  ).join('')
