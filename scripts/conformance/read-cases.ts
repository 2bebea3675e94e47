import { readFileSync } from 'node:fs'
import { readJsonExactly } from '@/lib/judge/decisions/python-json'
import { WrittenNumber } from '@/lib/text/exact-number'

/** The objects of a file with one on each line. Integers that a number cannot hold come out as bigints. */
export function readCases<Case>(path: string): Case[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, i) => (line.trim() === '' ? [] : [readCase<Case>(line, i + 1)]))
}

function readCase<Case>(line: string, number: number): Case {
  try {
    const plain = JSON.parse(line) as Case
    return /\d{16}/.test(line) ? (withNumbers(readJsonExactly(line)) as Case) : plain
  } catch (error) {
    throw new Error(`line ${number} is no JSON`, { cause: error })
  }
}

function withNumbers(value: unknown): unknown {
  if (value instanceof WrittenNumber) {
    const number = Number(value.digits)
    return /^-?\d+$/.test(value.digits) && !Number.isSafeInteger(number) ? BigInt(value.digits) : number
  }
  if (Array.isArray(value)) return value.map(withNumbers)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNumbers(one)]))
  return value
}
