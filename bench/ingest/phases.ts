import { createHash } from 'node:crypto'
import { createAnalysis } from '@/lib/analysis/analyse'
import { adapterOf } from '@/lib/formats/adapters'
import type { NormalRecord } from '@/lib/model/normal-form'
import { parsePart } from '@/lib/formats/parse-part'

export interface Phases {
  digestMs: number
  parseMs: number
  redactMs: number
  analyseMs: number
}

const time = async (work: () => Promise<void> | void): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function parseAll(
  bodies: readonly Buffer[],
  redact: boolean,
  each: (records: NormalRecord[]) => void,
): Promise<void> {
  const adapter = adapterOf('claude-transcript')
  for (const bytes of bodies) {
    const { records } = await parsePart({
      adapter,
      bytes,
      offset: 0,
      context: adapter.start({}),
      redact,
      final: true,
    })
    each(records)
  }
}

/** CPU milliseconds that each step costs by itself, in this process and without a database, on the bodies of the bench. */
export async function measurePhases(bodies: readonly Buffer[]): Promise<Phases> {
  const none = (): void => {}
  const digestMs = await time(() => {
    for (const bytes of bodies) createHash('sha256').update(bytes).digest()
  })
  await parseAll(bodies.slice(0, 5), true, none)
  const parseMs = await time(() => parseAll(bodies, false, none))
  const bothMs = await time(() => parseAll(bodies, true, none))
  const sessions: NormalRecord[][] = []
  await parseAll(bodies, false, (records) => void sessions.push(records))
  const analyseMs = await time(() => {
    for (const records of sessions) {
      const analysis = createAnalysis(records[0]?.executionKey)
      for (const { offset, identity, kind, at, keptStart, keptEnd, facts } of records)
        analysis.add({
          streamId: 'bench',
          channel: 'transcript',
          offset,
          identity,
          kind,
          at,
          received: '0'.repeat(64),
          keptStart,
          keptEnd,
          facts,
        })
      analysis.finish()
    }
  })
  return { digestMs, parseMs, redactMs: bothMs - parseMs, analyseMs }
}
