import type { Suite } from '../suite'
import { diagnosisOperations } from './diagnosis-operations'
import { operationCases } from './exact-cases'
import { parityOperations } from './parity-operations'
import { producerOperations } from './producer-operations'

const operations = { ...diagnosisOperations, ...parityOperations, ...producerOperations }

const files = ['envelope', 'carveout', 'diagnosis', 'wait', 'parity']

/** One suite for each file of the folder. */
export const diagnosisSuites: readonly Suite[] = files.map((file) =>
  operationCases(`diagnosis/${file}`, (path) => path.endsWith(`diagnosis/${file}.jsonl`), operations),
)
