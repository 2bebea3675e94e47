import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAnalysis, type Analysis } from '@/lib/analysis/analyse'
import { applyDecision } from '@/lib/analysis/apply-decision'
import { asEvent } from '@/lib/analysis/samples.support'
import { recordDocument } from '@/lib/formats/record/adapter'
import { parsePart } from '@/lib/formats/parse-part'
import { decideExecution } from '@/lib/judge/decisions/decide-execution'
import { labelOutcome } from '@/lib/views/corrections/label-line'

/** Real commands, recorded and read twice: what a person should be shown first is a line of their output. */
const FOLDER = join(import.meta.dirname, 'recorded')

interface Reading {
  outcome: string
  attention: boolean
  first_to_see: string[]
}
const labelled = readFileSync(join(FOLDER, 'labels.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { file: string; readings: [Reading, Reading] })

async function judge(file: string) {
  const bytes = new Uint8Array(readFileSync(join(FOLDER, file)))
  const { records } = await parsePart({
    adapter: recordDocument,
    bytes,
    offset: 0,
    context: recordDocument.start({ fileName: file, sessionId: null, agentId: null }),
    redact: true,
    final: true,
  })
  let analysis: Analysis | null = null
  for (const record of records) {
    analysis ??= createAnalysis(record.executionKey)
    analysis.add(asEvent(record, file, recordDocument.channel))
  }
  const inferred = analysis!.finish()
  return applyDecision(inferred, decideExecution(inferred, null))
}

/** Lines as a cause quotes them: on one line, blanks as one. */
const quoted = (line: string): string => line.trim().replace(/\s+/g, ' ')

test('what of the recorded commands is not judged as both readings do', async () => {
  const differences: string[] = []
  for (const { file, readings } of labelled) {
    const { outcome, attention, cause } = await judge(file)
    const [a, b] = readings
    if (a.outcome === b.outcome && labelOutcome(outcome) !== a.outcome)
      differences.push(`${file}: outcome ${labelOutcome(outcome)}, read as ${a.outcome}`)
    if (a.attention === b.attention && attention.needed !== a.attention)
      differences.push(`${file}: attention ${attention.needed}, read as ${a.attention}`)
    const lines = readings.flatMap(({ first_to_see: first }) => first.map(quoted))
    if (lines.length > 0 && !lines.some((line) => cause?.text.includes(line)))
      differences.push(`${file}: cause “${cause?.text ?? ''}”`)
  }
  expect(labelled).toHaveLength(12)
  // A contract is judged of an agent's answer alone; a command that is none is judged by its exit code.
  expect(differences).toMatchInlineSnapshot(`
    [
      "marker-missing.ndjson: outcome succeeded, read as failed",
      "marker-missing.ndjson: attention false, read as true",
      "marker-missing.ndjson: cause “”",
      "pattern-missing.ndjson: outcome succeeded, read as failed",
      "pattern-missing.ndjson: attention false, read as true",
      "pattern-missing.ndjson: cause “”",
      "timed-out.ndjson: outcome failed, read as interrupted",
    ]
  `)
})
