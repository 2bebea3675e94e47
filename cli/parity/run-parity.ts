import { SEVERITIES } from '@/lib/model/parity'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import { links } from '@/lib/links'
import { LAYERS } from '@/lib/judge/parity/layers'
import { LAYER_STATE_WORDS } from '@/lib/words/parity'
import { oneLine } from '@/lib/text/visible'
import { countOf } from '@/lib/text/amounts'
import { parityText } from '@/lib/words/cli/parity'
import { findExecution } from '../find-execution'
import { CliFailure } from '../exit-codes'
import { askServer, createClient } from '../http'
import type { Output } from '../output'
import { readSettings, type Environment } from '../settings'

/** What `inquest parity` ends with. Statuses 2 to 5 are those of every verb. */
export const parityExit = { equal: 0, different: 1, unknown: 6 } as const

const LISTED_MAX = 20

/** Compares the layers of an execution, by any id that it is known by. */
export async function runParity(id: string, env: Environment, output: Output): Promise<number> {
  const client = createClient(readSettings(env))
  try {
    const execution = await findExecution(client, id)
    const compare = (method: 'GET' | 'POST'): Promise<ParityDocument> =>
      askServer<ParityDocument>(client, { method, path: links.api.parity(execution), idleMs: 10 * 60_000 })
    const document = await compare('POST').catch((error: unknown) => {
      if (!(error instanceof CliFailure) || error.exit !== 'refused') throw error
      output.note(parityText.notStored)
      return compare('GET')
    })
    output.record(document)
    for (const line of parityLines(document)) output.line(line)
    return document.failedControls.length > 0 ? parityExit.unknown : parityExit[document.verdict]
  } finally {
    client.close()
  }
}

/** A comparison in words: the verdict, layers that were not read, then the differences, the worst first. */
export function parityLines({
  executionId,
  verdict,
  worst,
  layers: named,
  transitions,
  firstCritical,
  changedParts,
  versions,
  failedControls,
  sourceCheck,
}: ParityDocument): string[] {
  // Older servers leave them out.
  const rowIssues = sourceCheck?.issues ?? []
  const layers = named.filter(({ counts }) => counts)
  const all = transitions.flatMap(({ from, to, differences }) =>
    differences.map((one) => ({ ...one, between: `${from} → ${to}` })),
  )
  const listed = SEVERITIES.flatMap((severity) => all.filter((one) => one.severity === severity)).slice(
    0,
    LISTED_MAX,
  )
  const isTwofold = new Set(layers.map(({ form }) => form)).size > 1
  const said = {
    equal: `equal: ${namesOf(layers).join(' and ')} match`,
    different: `different (worst: ${worst}): ${countOf(all.length, 'difference')}${transitions.every(({ isWhole }) => isWhole) ? '' : ' and more'}`,
    unknown: parityText.unknown,
  }[verdict]
  return [
    ...(failedControls.length > 0 ? [parityText.unreliable({ failedControls })] : []),
    `${executionId}: ${said}`,
    ...layers.flatMap(({ form, layer, state, why }) =>
      state === 'read' && why === null
        ? []
        : [
            `  ${layer}${isTwofold ? ` (${form})` : ''}: ${LAYER_STATE_WORDS[state]}${why === null ? '' : `. ${oneLine(why)}`}`,
          ],
    ),
    ...changedParts.map((digest) => parityText.rawRecordChanged({ digest })),
    ...versions
      .slice(0, LISTED_MAX)
      .map(({ eventId, received, byteStart, byteEnd }, i) =>
        parityText.rowDiffers({ i, eventId, received, byteStart, byteEnd }),
      ),
    ...(rowIssues.length > 0 ? [parityText.rowsLostData] : []),
    ...rowIssues.slice(0, LISTED_MAX).map(parityText.rowIssue),
    ...(rowIssues.length > LISTED_MAX
      ? [parityText.moreRowIssues({ more: rowIssues.length - LISTED_MAX })]
      : []),
    ...(firstCritical === null || firstCritical.form === 'steps'
      ? []
      : [
          firstCritical.form === 'made'
            ? parityText.diagnosisNeverSaved
            : `  lost between ${firstCritical.from} and ${firstCritical.to}`,
        ]),
    ...listed.map(
      ({ severity, kind, path, between }) => `  ${severity}  ${kind}  ${oneLine(path)}  (${between})`,
    ),
    ...(all.length > listed.length ? [parityText.more({ more: all.length - listed.length })] : []),
  ]
}

/** Each layer once, in the order in which the data travels. */
const namesOf = (layers: ParityDocument['layers']): string[] =>
  LAYERS.filter((name) => layers.some(({ layer }) => layer === name))
