import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { differenceOf } from '../difference'
import type { CaseResult, Suite } from '../suite'

export interface DocumentCase {
  id: string
  compare(): { expected: unknown; got: unknown } | Promise<{ expected: unknown; got: unknown }>
}

/** A suite of cases that are in one JSON document, read by `JSON.parse`. @param casesOf gets the path for what lies beside the document */
export function jsonDocument<Doc>(
  name: string,
  recognises: (path: string) => boolean,
  casesOf: (document: Doc, path: string) => Iterable<DocumentCase>,
): Suite {
  return {
    name,
    recognises,
    async *run(path): AsyncIterable<CaseResult> {
      for (const { id, compare } of casesOf(read<Doc>(path), path))
        yield { id, difference: await differenceOf(async () => compare()) }
    },
  }
}

function read<Doc>(path: string): Doc {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Doc
  } catch (error) {
    throw new Error(`${basename(path)} is no JSON`, { cause: error })
  }
}
