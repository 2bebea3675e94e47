import { z } from 'zod'
import { CORRECTION_STATES } from '../../model/cause-correction'
import { correctionList, newCorrection } from '../correction-schemas'
import { causeCorrection } from '../correction-document'
import { paged, project, v1, type Operation } from '../operation'

/** What people say against judged causes. */
export const correctionOperations: Operation[] = [
  {
    method: 'post',
    path: v1('executions/{id}/cause-correction'),
    action: 'correct-cause',
    summary:
      'Says which failed call is the cause, or that nothing needs attention; 200 where the caller said the same before',
    body: newCorrection,
    answers: { 200: causeCorrection, 201: causeCorrection },
  },
  {
    method: 'delete',
    path: v1('executions/{id}/cause-correction'),
    action: 'correct-cause',
    summary: 'Undoes the active correction; it stays in the list as undone',
    query: {
      correction: z
        .uuid()
        .meta({ description: 'only this one: 409 if another one is active, 200 if it was undone before' }),
    },
    answers: { 200: causeCorrection },
  },
  {
    method: 'get',
    path: v1('cause-corrections'),
    action: 'read',
    summary: 'Corrections of causes, newest first; the first page carries the counts of each rule',
    query: {
      project,
      rule: z.string().meta({ description: 'only corrections of causes by this rule' }),
      state: z.enum(CORRECTION_STATES).meta({ description: 'both when left out' }),
      ...paged,
    },
    answers: { 200: correctionList },
  },
  {
    method: 'get',
    path: v1('cause-corrections/export'),
    action: 'read',
    summary: 'The active corrections in the format of labelled sessions, a JSON object a line',
    query: { project },
    answers: { 200: 'bytes' },
  },
]
