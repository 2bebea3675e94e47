import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listModules } from './scripts/architecture'

const HOME = /^lib\/links[.]ts$/
/** A quoted path of ours with something built into it, or a link written by hand. */
const BY_HAND =
  /(['"`])\/(?:executions|x|ci|settings|sign-in|groups|fixes|chains|compare|api\/v1)(?:\/|\?|\1)[^'"`]*\1/g

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/** The name of a route, which says where its file is and leads nowhere; another test compares the two. */
const LABEL = /\bdefineRoute(?:<[^(]*>)?\(\s*'[^']*'/g

const handmade = (text: string): string[] => text.replace(COMMENT, '').replace(LABEL, '').match(BY_HAND) ?? []

test('a hand-made address is recognised', () => {
  expect(handmade('href={`/executions/${id}`}')).toEqual(['`/executions/${id}`'])
  expect(handmade("fetch('/api/v1/executions')")).toEqual(["'/api/v1/executions'"])
  expect(handmade('links.execution(id)')).toEqual([])
  expect(handmade("defineRoute<R, { id: string }>(\n  '/api/v1/fixes/{id}',")).toEqual([])
  expect(handmade('/** What `/api/v1/find` answers. */\n// see `/x/1`')).toEqual([])
})

test('every address in pages, components and the command line comes from lib/links.ts', () => {
  const found = listModules(import.meta.dirname)
    .filter(
      (path) =>
        /^(app|components|cli|lib|db)\//.test(path) &&
        !HOME.test(path) &&
        !/[.]test[.]tsx?$|\/testing\//.test(path),
    )
    .flatMap((path) =>
      handmade(readFileSync(join(import.meta.dirname, path), 'utf8')).map((text) => `${path}: ${text}`),
    )
  expect(found).toEqual([])
})
