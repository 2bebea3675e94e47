import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { expect, test } from 'vitest'
import { listModules } from './scripts/architecture'

const root = import.meta.dirname

/** Headings as GitHub turns them into anchors: lower case, blanks become hyphens, other punctuation goes. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading] of readFileSync(join(root, path), 'utf8').matchAll(/^#{1,4} (.+)$/gm)) {
    const anchor = heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-')
    let name = anchor
    for (let n = 1; anchors.has(name); n++) name = `${anchor}-${n}`
    anchors.add(name)
  }
  return anchors
}

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** What is wrong with a link from `from` to `target`, a path below the project with an optional anchor; null when nothing is. */
function problem(from: string, target: string): string | null {
  const [path, anchor] = target.split('#')
  if (!existsSync(join(root, path!))) return `${from}: no file ${path}`
  if (anchor === undefined || statSync(join(root, path!)).isDirectory()) return null
  return anchorsOf(path!).has(anchor) ? null : `${from}: no heading #${anchor} in ${path}`
}

test('every link between documents leads to a file and a heading', () => {
  const problems = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1]!)
      .filter((target) => !/^(https?:|\/)/.test(target))
      .flatMap((target) => {
        const path = target.startsWith('#')
          ? document + target
          : relative(root, normalize(join(root, dirname(document), target)))
        return problem(document, path) ?? []
      })
  })
  expect(problems).toEqual([])
})

test('every document that a comment names is there', () => {
  const problems = listModules(root).flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .filter((line) => /^\s*(?:\/?\*|\/\/)/.test(line))
      .flatMap((line) => line.match(/\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/g) ?? [])
      .flatMap((target) => problem(path, target) ?? []),
  )
  expect(problems).toEqual([])
})
