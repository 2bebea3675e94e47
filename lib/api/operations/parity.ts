import { CHECK_VERDICTS, DIFFERENCE_KINDS, SEVERITIES } from '../../model/parity'
import { z } from 'zod'
import { PARITY_WINDOWS } from '../../judge/parity/parity-question'
import { runDiagnosis } from '../diagnosis-schemas'
import { parity, parityExecution, parityOverview } from '../parity-schemas'
import * as documents from '../schemas'
import { paged, project, someOf, v1, type Operation } from '../operation'

const ofChecks = {
  project,
  window: z.enum(PARITY_WINDOWS).meta({ description: 'how long ago the check may be; `7d` when left out' }),
  kind: someOf(DIFFERENCE_KINDS).meta({
    description: `kinds of differences, with commas: ${DIFFERENCE_KINDS.join(', ')}`,
  }),
  severity: someOf(SEVERITIES).meta({ description: `the same for ${SEVERITIES.join(', ')}` }),
}

/** Diagnoses, and how the layers of an execution compare. */
export const parityOperations: Operation[] = [
  {
    method: 'get',
    path: v1('executions/{id}/parity'),
    action: 'read',
    summary:
      'Whether what the kept bytes of an execution give now is what its rows say, difference by difference; nothing is stored',
    answers: { 200: parity },
  },
  {
    method: 'post',
    path: v1('executions/{id}/parity'),
    action: 'check-parity',
    summary: 'The same comparison, stored as the newest check of the execution',
    answers: { 200: parity },
  },
  {
    method: 'get',
    path: v1('executions/{id}/diagnosis'),
    action: 'read',
    summary:
      'What became of the diagnoses of the agents that failed in it, beside its first and last failing row',
    answers: { 200: runDiagnosis },
  },
  {
    method: 'get',
    path: v1('parity'),
    action: 'read',
    summary:
      'How the newest checks of executions came out, and at which places those within a window found differences',
    query: ofChecks,
    answers: { 200: parityOverview },
  },
  {
    method: 'get',
    path: v1('parity/executions'),
    action: 'read',
    summary: 'Executions by their newest check, the one checked last first',
    query: {
      ...ofChecks,
      path: z.string().meta({ description: 'with `from` and `to`: a cell of the heat map' }),
      from: z.string(),
      to: z.string(),
      show: z
        .enum(CHECK_VERDICTS)
        .meta({ description: 'without a cell: the verdict; `different` when left out' }),
      ...paged,
    },
    answers: { 200: documents.page(parityExecution) },
  },
]
