import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from './all'
import { openApi } from './openapi'

const document = openApi('1.2.3', 'http://127.0.0.1:4790')

describe('the OpenAPI document', () => {
  test('is one, by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
    const broken = { ...document, paths: { '/x': { get: { responses: 'none' } } } }
    expect((await new Validator().validate(broken)).valid).toBe(false)
  })

  test('names each endpoint once, with an id of its own and every parameter of its path', () => {
    const ids = new Set<string>()
    for (const { method, path } of OPERATIONS) {
      const operation = (
        document.paths as Record<
          string,
          Record<string, { operationId: string; parameters: { name: string; in: string }[] }>
        >
      )[path]![method]!
      ids.add(operation.operationId)
      const named = operation.parameters.filter((one) => one.in === 'path').map((one) => `{${one.name}}`)
      expect(named).toEqual(path.match(/\{\w+\}/g) ?? [])
    }
    expect(ids.size).toBe(OPERATIONS.length)
  })
})
