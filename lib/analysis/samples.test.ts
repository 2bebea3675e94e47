import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { claudeTranscript } from '../formats/claude/claude-transcript'
import { createAnalysis } from './analyse'
import { asEvent, hintOf, linesOf } from './samples.support'
import type { ExecutionSummary } from '../model/summary'

const FOLDER = join(import.meta.dirname, '../../../shared/samples/claude-code')

interface Expected {
  file: string
  records: number
  calls: number
  failed: number
  classes: Record<string, number>
  chains: number
  recovered: number
  noResult: number
}

/** Reads the numbers out of the samples' own README, so that the oracle stays what its authors wrote. */
function readOracle(): Expected[] {
  const rows: Expected[] = []
  for (const line of readFileSync(join(FOLDER, 'README.md'), 'utf8').split('\n')) {
    const cell = line.split('|').map((c) => c.trim())
    const chains = /^(\d+) \((\d+)\)$/.exec(cell[9] ?? '')
    if (!cell[1]?.endsWith('.jsonl') || !chains) continue
    const failed = /^(\d+)(?: \(([^)]*)\))?$/.exec(cell[8]!)!
    const classes = Object.fromEntries(
      (failed[2] ?? '')
        .split(', ')
        .filter((c) => c !== '')
        .map((c) => [c.split(' ')[0], Number(c.split(' ')[1])]),
    )
    rows.push({
      file: cell[1],
      records: Number(cell[6]),
      calls: Number(cell[7]),
      failed: Number(failed[1]),
      classes,
      chains: Number(chains[1]),
      recovered: Number(chains[2]),
      noResult: Number(cell[10]),
    })
  }
  return rows
}

/** Every execution of a file: the parent and the children that are mixed into it. */
function readFile(file: string): Map<string, ExecutionSummary> {
  const bytes = readFileSync(join(FOLDER, file))
  const context = claudeTranscript.start(hintOf(bytes, file, claudeTranscript.peek))
  const analyses = new Map<string, ReturnType<typeof createAnalysis>>()
  for (const line of linesOf(bytes)) {
    const record = claudeTranscript.read(line, context)
    let analysis = analyses.get(record.executionKey)
    if (!analysis) analyses.set(record.executionKey, (analysis = createAnalysis(record.executionKey)))
    analysis.add(asEvent(record, file, claudeTranscript.channel))
  }
  return new Map([...analyses].map(([key, analysis]) => [key, analysis.finish()]))
}

const sumOf = (summaries: Iterable<ExecutionSummary>) => {
  const sum = { records: 0, calls: 0, failed: 0, chains: 0, recovered: 0, noResult: 0 }
  for (const { counts } of summaries) {
    sum.records += counts.records
    sum.calls += counts.calls
    sum.failed += counts.failedCalls
    sum.chains += counts.chains
    sum.recovered += counts.recoveredChains
    sum.noResult += counts.callsWithoutResult
  }
  return sum
}

describe.runIf(existsSync(FOLDER))('the 39 sample transcripts', () => {
  const oracle = existsSync(FOLDER) ? readOracle() : []

  test('the oracle lists 39 files', () => expect(oracle).toHaveLength(39))

  test.each(oracle)('$file gives the numbers of the README', ({ file, classes: _classes, ...expected }) => {
    expect({ file, ...sumOf(readFile(file).values()) }).toEqual({ file, ...expected })
  })

  test('the failure classes are those of the README, but for one call that its search anywhere in the text misread', () => {
    for (const { file, classes } of oracle) {
      const own: Record<string, number> = {}
      for (const { counts } of readFile(file).values())
        for (const [name, n] of Object.entries(counts.failedByClass)) own[name] = (own[name] ?? 0) + (n ?? 0)
      const expected = { ...classes }
      if (file === 'viewer-fe5e1c67.jsonl') {
        // `npx tsc` failed on "src/hooks/useTodos.test.ts(6,33): error TS2307": the README took the folder's name for a hook that blocked.
        delete expected['hook']
        expected['other']! += 1
      }
      expect({ file, ...own }).toEqual({ file, ...expected })
    }
  })

  test('the totals are 4400 records, 1117 calls, 121 failed, 101 chains, 35 recovered, 9 without result', () => {
    const all = oracle.flatMap(({ file }) => [...readFile(file).values()])
    expect(sumOf(all)).toEqual({
      records: 4400,
      calls: 1117,
      failed: 121,
      chains: 101,
      recovered: 35,
      noResult: 9,
    })
  })

  test('every failed run, and every run with failed calls, has a cause of at most 240 characters with a pointer and an advice', () => {
    for (const { file } of oracle)
      for (const [key, { counts, outcome, cause, advice }] of readFile(file)) {
        if (counts.failedCalls === 0 && !['failed', 'retriable', 'interrupted'].includes(outcome)) continue
        expect(cause, `${file} ${key}`).not.toBeNull()
        expect(cause!.text.length, cause!.text).toBeLessThanOrEqual(240)
        expect(cause!.pointer!.byteEnd, cause!.text).toBeGreaterThan(cause!.pointer!.byteStart)
        expect(advice!.next).not.toBe('')
      }
  })

  test('the quote of a cause stands at its pointer, byte for byte, whenever it was taken from a failed call', () => {
    let landed = 0
    for (const { file } of oracle) {
      const bytes = readFileSync(join(FOLDER, file))
      for (const { cause } of readFile(file).values()) {
        const quote = /“([^“”]+?)(?:…)?”[^“”]*$/.exec(cause?.text ?? '')?.[1]
        if (
          !cause?.pointer ||
          quote === undefined ||
          !['call_failures', 'tool_failure'].includes(cause.category)
        )
          continue
        const written = bytes.subarray(cause.pointer.byteStart, cause.pointer.byteEnd).toString('utf8')
        // The bytes are JSON source: read them as such, and fold white space as the sentence does.
        const decoded = (JSON.parse(written.startsWith('"') ? written : `"${written}"`) as string).replace(
          /\s+/g,
          ' ',
        )
        expect(decoded, `${file}: ${cause.text}`).toContain(quote)
        landed++
      }
    }
    expect(landed).toBeGreaterThan(20)
  })
})
