import { LosslessNumber, parse, stringify } from 'lossless-json'

/** JSON whose numbers keep their digits: what was read holds `LosslessNumber`s, what is written here may hold bigints for long digits. */
export type Json = null | boolean | number | bigint | string | LosslessNumber | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json | undefined
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)

export const isScalar = (value: unknown): boolean =>
  value === null || value instanceof LosslessNumber || typeof value !== 'object'

export const readJson = (text: string): Json => parse(text) as Json

/** @param rounded as a program writes that contains every number in a binary64 one */
export function writeJson(
  value: Json,
  { rounded = false, indent }: { rounded?: boolean; indent?: number } = {},
): string {
  return stringify(rounded ? roundedNumbers(value) : value, null, indent)!
}

/** An id as the digits of a number. It never becomes a JavaScript number on the way. */
export const digits = (id: string): LosslessNumber => {
  if (!/^\d+$/.test(id)) throw new Error(`Not an id: ${id}`)
  return new LosslessNumber(id)
}

export const digitsOrNull = (id: string | null | undefined): Json => (id == null ? null : digits(id))

/** Every number as it comes out of `JSON.stringify(JSON.parse(…))`. */
export function roundedNumbers(value: Json): Json {
  if (value instanceof LosslessNumber) return new LosslessNumber(String(Number(value.value)))
  if (typeof value === 'bigint') return new LosslessNumber(String(Number(value)))
  if (Array.isArray(value)) return value.map(roundedNumbers)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, one === undefined ? undefined : roundedNumbers(one)]),
  )
}
