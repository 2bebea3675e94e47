import fc from 'fast-check'
import { oddText, oddValue } from './values'

/** What is read of a JSON Schema; the rest does not matter for making values. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  format?: string
}

const DEPTH_MAX = 6

/**
 * Values for a body: most keep to the schema, so that the code behind its check is reached, and some have a
 * part that does not. @param known texts that mean something to the server, such as ids
 */
export function fromSchema(schema: Schema, known: readonly string[], depth = 0): fc.Arbitrary<unknown> {
  const fits = fitting(schema, known, depth)
  return fc.oneof({ weight: 12, arbitrary: fits }, { weight: 1, arbitrary: oddValue })
}

function fitting(schema: Schema, known: readonly string[], depth: number): fc.Arbitrary<unknown> {
  if (depth > DEPTH_MAX) return oddValue
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => fromSchema(choice, known, depth + 1)))
  const [type] = [schema.type ?? []].flat()
  switch (type) {
    case 'object':
      return object(schema, known, depth)
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}, known, depth + 1), { maxLength: 3 })
    case 'string':
      return schema.format === 'email'
        ? fc.nat().map((n) => `fuzz-${n}@example.test`)
        : fc.oneof(fc.constantFrom(...known), oddText)
    case 'integer':
      return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer())
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return oddValue
  }
}

function object(schema: Schema, known: readonly string[], depth: number): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, one]) => [name, fromSchema(one, known, depth + 1)] as const,
  )
  return fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [] })
}
