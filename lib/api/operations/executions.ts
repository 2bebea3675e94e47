import { z } from 'zod'
import { POLICIES } from '../../judge/decisions/policies'
import { MATRICES } from '../../judge/decisions/replay-cell'
import { INPUT_CHANNELS } from '../../model/normal-form'
import { limits } from '../../limits'
import * as admin from '../admin-schemas'
import * as decisions from '../decision-schemas'
import { policyReplay } from '../replay-schemas'
import { receivedPart } from '../ingest-schemas'
import * as documents from '../schemas'
import { paged, project, q, v1, type Operation } from '../operation'

const POLICY_NAMES = POLICIES.map((policy) => policy.name)

/** Executions and what was made of them. */
export const executionOperations: Operation[] = [
  {
    method: 'get',
    path: v1('executions'),
    action: 'read',
    summary: 'Executions, newest first',
    query: { project, q, ...paged },
    answers: { 200: documents.page(documents.executionItem) },
  },
  {
    method: 'get',
    path: v1('executions/facets'),
    action: 'read',
    summary: 'Facet values with their counts',
    query: { project, q },
    answers: { 200: documents.facets },
  },
  {
    method: 'get',
    path: v1('executions/{id}'),
    action: 'read',
    summary: 'One execution',
    answers: { 200: documents.executionDetail },
  },
  {
    method: 'get',
    path: v1('executions/{id}/events'),
    action: 'read',
    summary: `Its records in order (channels: ${INPUT_CHANNELS.join(', ')})`,
    query: {
      ...paged,
      around: z
        .string()
        .regex(/^[0-9a-f]{64}:\d{1,15}-\d{1,15}$/)
        .meta({ description: 'sha256:start-end: begin a little before the record that holds this place' }),
    },
    answers: { 200: documents.page(documents.event) },
  },
  {
    method: 'get',
    path: v1('executions/{id}/calls'),
    action: 'read',
    summary: 'Its calls, as attempts of their pieces of work',
    query: { ...paged, failed: z.enum(['1']).meta({ description: 'only calls that failed' }) },
    answers: { 200: documents.page(documents.call) },
  },
  {
    method: 'get',
    path: v1('executions/{id}/decision'),
    action: 'read',
    summary: 'What was decided about it, by which rules, and from what',
    answers: { 200: decisions.decision },
  },
  {
    method: 'get',
    path: v1('executions/{id}/chains'),
    action: 'read',
    summary: 'The retry chains of executions that it stands in',
    answers: { 200: documents.page(decisions.executionChain) },
  },
  {
    method: 'get',
    path: v1('policies/replay'),
    action: 'read',
    summary:
      'Decisions of a filter under two policies: what flips, and which attempts no retry was asked for',
    query: {
      project,
      q,
      from: z.enum(POLICY_NAMES),
      to: z.enum(POLICY_NAMES),
      cell: z
        .string()
        .regex(new RegExp(`^(?:${MATRICES.join('|')})[.][^.]+[.][^.]+$`))
        .meta({
          description:
            'list what stands in a cell instead of what flips: `policies.retriable.failed`, `stored.failed.unknown`',
        }),
    },
    answers: { 200: policyReplay },
  },
  {
    method: 'get',
    path: v1('ci-runs'),
    action: 'read-ci-run',
    summary:
      'The executions of one CI run, what failed first; a key that can only ingest gets those of the last 24 hours, without titles and costs',
    required: ['provider', 'path', 'run'],
    query: {
      project,
      provider: z.string().min(1),
      path: z.string().min(1).meta({ description: "the provider's own path of the project" }),
      run: z.string().min(1),
      attempt: z
        .int()
        .min(1)
        .max(999_999_999)
        .meta({ description: 'only this attempt, and what names none' }),
    },
    answers: { 200: decisions.ciExecutions },
  },
  {
    method: 'get',
    path: v1('executions/{id}/raw'),
    action: 'read',
    summary: 'The kept parts it is made of',
    answers: { 200: documents.page(receivedPart) },
  },
  {
    method: 'get',
    path: v1('find'),
    action: 'read',
    summary: 'What an id stands for',
    required: ['id'],
    query: { id: z.string().min(1).max(limits.findIdCharsMax), project },
    answers: { 200: documents.page(admin.found) },
  },
  {
    method: 'get',
    path: v1('live'),
    action: 'read',
    summary: 'Changes as they happen (server-sent events; ids only)',
    query: { project },
    headers: { 'Last-Event-ID': z.string() },
    answers: { 200: 'events' },
  },
]
