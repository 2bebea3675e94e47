import { SEVERITIES } from '@/lib/model/parity'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { threw } from '../../conformance/difference'
import { diagnosisOperations } from '../../conformance/suites/diagnosis-operations'
import type { Input, Operations } from '../../conformance/suites/exact-cases'
import { parityOperations } from '../../conformance/suites/parity-operations'
import { producerOperations } from '../../conformance/suites/producer-operations'
import { digest } from '../codes'
import { noConclusions, type Conclusions } from '../product-rows'
import { hasShared, sharedFiles, sharedFolder, type Source } from './source'

const operations: Operations = { ...diagnosisOperations, ...parityOperations, ...producerOperations }

interface Case {
  id: string
  op: string
  input: Input
}

interface Found {
  path: string
  kind: string
  severity: string
}

/** What comparisons of layers answer goes into the same entries as the checks of stored executions. */
function addCase(found: Conclusions, { id, op, input }: Case, folder: string): void {
  let answer: unknown
  try {
    answer = operations[op]!(input, folder)
  } catch (error) {
    answer = { threw: digest(threw(error)) }
  }
  const {
    transitions,
    differences,
    equal,
    worst,
    first_critical_transition: lost,
  } = answer as {
    transitions?: { from: string; to: string; differences: Found[] }[]
    differences?: Found[]
    equal?: boolean
    worst?: string | null
    first_critical_transition?: string | null
  }
  if (transitions === undefined && differences === undefined)
    return void found.answer.push({ of: id, operation: op, answer })
  const all = (transitions ?? [{ from: 'left', to: 'right', differences: differences! }]).flatMap(
    ({ from, to, differences: own }) =>
      own.map(({ path, kind, severity }) => ({ of: id, form: 'case', from, to, path, kind, severity })),
  )
  const [lostFrom, lostTo] = lost?.split('->') ?? []
  found.parity.push({
    of: id,
    verdict: (equal ?? all.length === 0) ? 'equal' : 'different',
    worst: worst ?? SEVERITIES.find((one) => all.some(({ severity }) => severity === one)) ?? null,
    lost: lostFrom !== undefined && lostTo !== undefined ? { from: lostFrom, to: lostTo } : null,
    differencesTotal: all.length,
    changedParts: 0,
    layers: [],
  })
  found.difference.push(...all)
}

const ofFile = (path: string): Source => ({
  name: path,
  conclude: async () => {
    const found = noConclusions()
    const file = join(sharedFolder, path)
    for (const line of readFileSync(file, 'utf8').split('\n'))
      if (line.trim() !== '') addCase(found, JSON.parse(line) as Case, dirname(file))
    return found
  },
})

/** The documents beside the cases are inputs of the cases that name them. */
export const diagnosisSources: readonly Source[] = hasShared
  ? sharedFiles('conformance/diagnosis')
      .filter((path) => basename(path).endsWith('.jsonl'))
      .map(ofFile)
  : []
