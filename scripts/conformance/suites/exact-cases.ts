import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseExactJson, type ExactJson } from '@/lib/text/exact-json'
import { firstDifference, threw } from '../difference'
import { isReferenceCase } from '../reference-cases'
import type { CaseResult, Suite } from '../suite'

export type Input = Record<string, unknown>

/** What the core returns for an operation of recorded cases, in their spelling. @param folder of the file, for what lies beside it */
export type Operations = Record<string, (input: Input, folder: string) => unknown>

interface OperationCase {
  id: string
  op: string
  input: Input
  expected: unknown
  smoke?: string
}

/** A suite of files whose cases name their operation. An operation that is not known is a difference, not a case that is passed over. */
export function operationCases(
  name: string,
  recognises: (path: string) => boolean,
  operations: Operations,
): Suite {
  return {
    name,
    recognises,
    *run(path): Iterable<CaseResult> {
      for (const [i, line] of readFileSync(path, 'utf8').split('\n').entries()) {
        if (line.trim() === '') continue
        const { id, op, input, expected, smoke } = readCase(line, i + 1)
        const difference = differenceOf(operations[op], op, input, expected, dirname(path))
        yield {
          id,
          difference,
          ...(isReferenceCase(op) && { reference: op }),
          ...(smoke !== undefined && { check: smoke }),
        }
      }
    },
  }
}

/** Apart from texts, the cases hold no number that JavaScript cannot. */
function readCase(line: string, number: number): OperationCase {
  try {
    return JSON.parse(line) as OperationCase
  } catch (error) {
    throw new Error(`line ${number} is no JSON`, { cause: error })
  }
}

function differenceOf(
  operation: Operations[string] | undefined,
  op: string,
  input: Input,
  expected: unknown,
  folder: string,
): string | null {
  if (operation === undefined) return `no operation ${op}`
  try {
    return firstDifference(expected, operation(input, folder))
  } catch (error) {
    return threw(error)
  }
}

/** The value of a text, with every digit. */
export function exactOf(text: unknown): ExactJson {
  const read = parseExactJson(text as string)
  if (!read.ok) throw new Error(read.why)
  return read.value
}
