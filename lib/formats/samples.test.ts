import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parsePart } from './parse-part'
import { splitBody } from '../bytes/record-spans'
import { claudeTranscript, type TranscriptContext } from './claude/claude-transcript'

const folder = join(import.meta.dirname, '../../../shared/samples/claude-code')

describe.runIf(existsSync(folder))('the sample transcripts', () => {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []
  const parse = (
    bytes: Uint8Array,
    offset = 0,
    context: TranscriptContext = claudeTranscript.start({}),
    redact = true,
  ) => parsePart({ adapter: claudeTranscript, bytes, offset, context, redact, final: true })

  test('lose 27 mail addresses and nothing else', async () => {
    const rules: Record<string, number> = {}
    let records = 0
    for (const name of files) {
      const bytes = new Uint8Array(readFileSync(join(folder, name)))
      const part = await parse(bytes)
      records += part.records.length
      for (const { rule } of part.marks) rules[rule] = (rules[rule] ?? 0) + 1
      if (part.marks.length === 0) expect(Buffer.from(part.kept).equals(bytes)).toBe(true)
    }
    expect({ files: files.length, records, rules }).toEqual({ files: 39, records: 4400, rules: { mail: 27 } })
  })

  test.each(files)('%s gives the same in parts', async (name) => {
    const bytes = new Uint8Array(readFileSync(join(folder, name)))
    const whole = await parse(bytes)
    let context = claudeTranscript.start({})
    const facts: unknown[] = []
    for (const { start, end } of splitBody(bytes, 20_000)) {
      const part = await parse(bytes.subarray(start, end), start, context)
      facts.push(...part.records.map(({ keptStart: _, keptEnd: __, ...rest }) => rest))
      context = part.context
    }
    expect(facts).toEqual(whole.records.map(({ keptStart: _, keptEnd: __, ...rest }) => rest))
    expect(context).toEqual(whole.context)
  })
})
