import { z } from 'zod'
import type { Action } from '../auth/permissions'
import { POLICIES } from '../decisions/policies'
import { FACETS } from '../executions/filter-types'
import { DOORS, INGEST_KINDS } from '../ingest/normal-form'
import { EVIDENCE_VERDICTS } from '../fixes/evidence'
import { SAFETY_VALUES } from '../fixes/question'
import { FIX_ORIGINS, FIX_STATES } from '../fixes/states'
import { limits } from '../limits'
import { links } from '../links'
import { DIFFERENCE_KINDS, SEVERITIES } from '../parity/differences'
import { PARITY_WINDOWS } from '../parity/parity-question'
import { CHECK_VERDICTS } from '../parity/stored-check'
import * as admin from './admin-schemas'
import { changeDetail, changeItem } from './change-schemas'
import * as connections from './connection-schemas'
import * as decisions from './decision-schemas'
import { runDiagnosis } from './diagnosis-schemas'
import { parity, parityExecution, parityOverview } from './parity-schemas'
import * as fits from './fit-schemas'
import * as fixes from './fix-schemas'
import * as receipts from './receipt-schemas'
import { policyReplay } from './replay-schemas'
import * as documents from './schemas'

/** One door of the API, as data: the OpenAPI page is made of these, and a test pairs them with the handlers. */
export interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** With `{name}` for each parameter. */
  path: string
  /** What it needs; null: no one need be known. */
  action: Action | null
  summary: string
  query?: Record<string, z.ZodType>
  headers?: Record<string, z.ZodType>
  /** A JSON body, or `bytes` for one of any kind. */
  body?: z.ZodType | 'bytes'
  answers: Record<number, z.ZodType | 'bytes' | 'events' | 'metrics' | 'html'>
}

const v1 = (rest: string): string => `${links.api.root()}/${rest}`
const project = z.string().meta({ description: 'slug; all projects the caller may read when left out' })
const target = z
  .string()
  .meta({ description: 'slug of the project it goes to; may be left out when there is one, or one called `default`' })
const q = z.string().meta({ description: `filter: words, "quoted phrases" and facet:value (${FACETS.join(', ')}); words are looked for by their letters and digits, one without any is left out; attempts also as >1 to >4` })
const cursor = z.string().meta({ description: '`nextCursor` of the page before' })
const limit = z.int().min(1).max(limits.pageRowsMax).meta({ description: `rows of the page; ${limits.pageRows} when left out` })
const paged = { cursor, limit }
const encoded = (what: string): z.ZodType => z.string().meta({ description: `${what}, percent-encoded` })
const POLICY_NAMES = POLICIES.map((policy) => policy.name)
const ofChecks = {
  project,
  window: z.enum(PARITY_WINDOWS).meta({ description: 'how long ago the check may be; `7d` when left out' }),
  kind: z.string().meta({ description: `kinds of differences, with commas: ${DIFFERENCE_KINDS.join(', ')}` }),
  severity: z.string().meta({ description: `the same for ${SEVERITIES.join(', ')}` }),
}
const done = z.object({ id: z.string() })
const ofFixes = {
  project,
  state: z.string().meta({ description: `states, with commas: ${FIX_STATES.join(', ')}` }),
  origin: z.string().meta({ description: `the same for ${FIX_ORIGINS.join(', ')}` }),
  safety: z.string().meta({ description: `the same for ${SAFETY_VALUES.join(', ')}` }),
  evidence: z.string().meta({ description: `the same for ${EVIDENCE_VERDICTS.join(', ')}` }),
  signal: z.string().meta({ description: 'codes of signals, with commas: any of them' }),
}
const range = { start: z.int().meta({ description: 'first byte' }), end: z.int().meta({ description: 'behind the last byte' }) }

const ingestHeaders = {
  'Inquest-Source': encoded('name of the producer, such as the machine'),
  'Inquest-File': encoded('path of the file below its root, with /'),
  'Inquest-Stream': encoded('stream this body goes on, as an earlier answer named it'),
  'Inquest-Offset': z.int().meta({ description: 'where the body begins in the stream; 0 when left out' }),
  'Inquest-More': z.enum(['0', '1']).meta({ description: '1: more of the stream follows at once; a torn last line is left to it' }),
  'Idempotency-Key': z.string().meta({ description: `a repetition within ${limits.idempotencyHours} hours gets the first answer again` }),
  'Content-Encoding': z.string().meta({ description: 'gzip, deflate or br' }),
}

export const OPERATIONS: Operation[] = [
  {
    method: 'post',
    path: v1('ingest/{kind}'),
    action: 'ingest',
    summary: `Takes in what agents leave behind; kind: auto, ${INGEST_KINDS.join(', ')}`,
    query: { project: target },
    headers: ingestHeaders,
    body: 'bytes',
    answers: { 200: documents.ingestAnswer },
  },
  {
    method: 'get',
    path: v1('ingest/streams/{streamId}'),
    action: 'ingest',
    summary: 'How far a stream was received',
    query: { project },
    headers: { 'Inquest-Source': ingestHeaders['Inquest-Source'] },
    answers: { 200: admin.streamStanding },
  },
  {
    method: 'post',
    path: '/api/hooks/claude-code',
    action: 'ingest',
    summary: 'Takes in one hook frame and decides nothing',
    query: { project: target },
    headers: { 'Inquest-Source': ingestHeaders['Inquest-Source'] },
    body: 'bytes',
    answers: { 200: z.object({}) },
  },
  {
    method: 'post',
    path: '/receipts',
    action: 'ingest',
    summary: 'Takes in one receipt, by the protocol of the collector of Agent Receipts',
    query: { project: target },
    headers: { 'Inquest-Source': ingestHeaders['Inquest-Source'] },
    body: 'bytes',
    answers: { 201: z.object({ id: z.string(), receipt_hash: z.string().nullable() }) },
  },
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
  { method: 'get', path: v1('executions/{id}'), action: 'read', summary: 'One execution', answers: { 200: documents.executionDetail } },
  {
    method: 'get',
    path: v1('executions/{id}/events'),
    action: 'read',
    summary: `Its records in order (doors: ${DOORS.join(', ')})`,
    query: {
      ...paged,
      around: z.string().meta({ description: 'sha256:start-end: begin a little before the record that holds this place' }),
    },
    answers: { 200: documents.page(documents.event) },
  },
  {
    method: 'get',
    path: v1('executions/{id}/attempts'),
    action: 'read',
    summary: 'Its calls, as tries of their pieces of work',
    query: { ...paged, failed: z.enum(['1']).meta({ description: 'only calls that failed' }) },
    answers: { 200: documents.page(documents.attempt) },
  },
  {
    method: 'get',
    path: v1('executions/{id}/parity'),
    action: 'read',
    summary: 'Whether what the kept bytes of an execution give now is what its rows say, difference by difference',
    answers: { 200: parity },
  },
  {
    method: 'get',
    path: v1('executions/{id}/diagnosis'),
    action: 'read',
    summary: 'What became of the diagnoses of the agents that failed in it, beside its first and last failing row',
    answers: { 200: runDiagnosis },
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
    path: v1('executions/{id}/receipt-chains'),
    action: 'read',
    summary: 'The chains that hold receipts of it',
    answers: { 200: documents.page(receipts.receiptChainItem) },
  },
  {
    method: 'get',
    path: v1('executions/{id}/receipt-chains/export'),
    action: 'read',
    summary: 'All of these chains as one HTML file that verifies itself',
    answers: { 200: 'html' },
  },
  {
    method: 'get',
    path: v1('receipt-chains'),
    action: 'read',
    summary: 'A chain of receipts',
    query: { project, id: z.string() },
    answers: { 200: receipts.receiptChainItem },
  },
  {
    method: 'get',
    path: v1('receipt-chains/receipts'),
    action: 'read',
    summary: 'Its receipts as they were received, by their numbers',
    query: { project, id: z.string(), ...paged },
    answers: { 200: documents.page(receipts.receiptItem) },
  },
  {
    method: 'get',
    path: v1('receipt-chains/verdict'),
    action: 'read',
    summary: 'The verdict of the server on it, made anew from the bytes',
    query: { project, id: z.string() },
    answers: { 200: receipts.chainVerdict },
  },
  {
    method: 'get',
    path: v1('receipt-chains/export'),
    action: 'read',
    summary: 'The chain as one HTML file that verifies itself',
    query: { project, id: z.string() },
    answers: { 200: 'html' },
  },
  {
    method: 'get',
    path: v1('receipt-keys'),
    action: 'read',
    summary: 'Public keys by which receipts are verified',
    query: { project },
    answers: { 200: documents.page(receipts.receiptKey) },
  },
  {
    method: 'post',
    path: v1('receipt-keys'),
    action: 'manage-keys',
    summary: 'Registers a public key',
    body: receipts.newReceiptKey,
    answers: { 201: receipts.receiptKey },
  },
  { method: 'delete', path: v1('receipt-keys/{id}'), action: 'manage-keys', summary: 'Removes a public key', answers: { 200: done } },
  {
    method: 'get',
    path: v1('policies/replay'),
    action: 'read',
    summary: 'Decisions of a filter under two policies: what flips, and which tries no retry was asked for',
    query: {
      project,
      q,
      from: z.enum(POLICY_NAMES),
      to: z.enum(POLICY_NAMES),
      cell: z.string().meta({ description: 'list what stands in a cell instead of what flips: `policies.retriable.failed`, `stored.failed.unknown`' }),
    },
    answers: { 200: policyReplay },
  },
  {
    method: 'get',
    path: v1('executions/{id}/changes'),
    action: 'read',
    summary: 'What the agent changed in files, as its transcript tells: nobody proposed it',
    query: paged,
    answers: { 200: documents.page(changeItem) },
  },
  { method: 'get', path: v1('executions/{id}/changes/{ordinal}'), action: 'read', summary: 'One of these changes with its lines, as a patch assembled from the transcript', answers: { 200: changeDetail } },
  { method: 'get', path: v1('executions/{id}/fixes'), action: 'read', summary: 'Fixes that were proposed for an execution', answers: { 200: documents.page(fixes.fixItem) } },
  {
    method: 'post',
    path: v1('executions/{id}/fixes'),
    action: 'propose-fix',
    summary: 'Proposes a fix: the patch as the body, or a form with `patch`, `proposal` (JSON) and `transcript`; 200 when these bytes were proposed for this task before',
    query: {
      task: z.string(), title: z.string(), fileName: z.string(), supersedes: z.string().meta({ description: 'id of the fix that this one takes the place of' }),
      sha256: z.string().meta({ description: 'refused when the bytes have another digest' }),
    },
    headers: { 'Repr-Digest': z.string().meta({ description: '`sha-256=:<base64>:` of the patch, refused when it is another one' }) },
    body: 'bytes',
    answers: { 200: fixes.proposedFix, 201: fixes.proposedFix },
  },
  {
    method: 'get',
    path: v1('fixes'),
    action: 'read',
    summary: 'Proposed fixes, newest first; the first page carries the facets',
    query: { ...ofFixes, ...paged },
    answers: { 200: documents.page(fixes.fixItem).extend({ facets: fixes.fixFacets.nullable() }) },
  },
  { method: 'get', path: v1('fixes/{id}'), action: 'read', summary: 'One fix with everything but its bytes', answers: { 200: fixes.fixDetail } },
  { method: 'get', path: v1('fixes/{id}/files'), action: 'read', summary: 'The files of its patch, in order', query: paged, answers: { 200: documents.page(fixes.fixFile) } },
  { method: 'get', path: v1('fixes/{id}/patch'), action: 'read', summary: 'Exactly the proposed bytes; also at /fixes/{id}.patch', query: range, answers: { 200: 'bytes' } },
  { method: 'get', path: v1('fixes/{id}/patch.sha256'), action: 'read', summary: 'Their digest, as sha256sum reads it; also at /fixes/{id}.patch.sha256', answers: { 200: 'metrics' } },
  { method: 'get', path: v1('fixes/{id}/transcript'), action: 'read', summary: 'What the proposer wrote down of its work, redacted; also at /fixes/{id}.transcript', answers: { 200: 'bytes' } },
  { method: 'get', path: v1('fixes/{id}/bundle'), action: 'read', summary: 'Patch, transcript, digests and provenance as a zip archive; also at /fixes/{id}.zip', answers: { 200: 'bytes' } },
  { method: 'get', path: v1('fixes/{id}/comments'), action: 'read', summary: 'What people said of it', answers: { 200: documents.page(fixes.fixComment) } },
  { method: 'post', path: v1('fixes/{id}/comments'), action: 'comment-fix', summary: 'Comments on the fix, a file or lines; resolves, reopens or withdraws', body: fixes.newComment, answers: { 200: documents.page(fixes.fixComment) } },
  { method: 'post', path: v1('fixes/{id}/reviews'), action: 'review-fix', summary: 'A person’s decision, or report that it was applied; keys are refused', body: fixes.newReview, answers: { 200: fixes.fixDetail } },
  { method: 'get', path: v1('fixes/{id}/viewed'), action: 'read', summary: 'Files that the reader has marked as seen', answers: { 200: fixes.viewedMarks } },
  { method: 'post', path: v1('fixes/{id}/viewed'), action: 'read', summary: 'Marks a file as seen, or takes the mark back', body: fixes.newViewedMark, answers: { 200: fixes.viewedMarks } },
  { method: 'post', path: v1('fixes/{id}/links'), action: 'review-fix', summary: 'A link by which somebody without an account downloads the patch, until it expires', body: fixes.newFixLink, answers: { 201: fixes.fixLink } },
  { method: 'get', path: v1('fixes/{id}/fit'), action: 'read', summary: 'Whether its patch still fits its base and the head of its branch, as far as was checked', answers: { 200: fits.fixFit } },
  { method: 'post', path: v1('fixes/{id}/fit'), action: 'check-fit', summary: 'Asks for a check in the background; 200 where none can be made, with the reason', answers: { 200: fits.fixFit, 202: fits.fixFit } },
  { method: 'get', path: v1('shared-patches/{token}'), action: null, summary: 'The patch, for who holds such a link; also at /shared/{token}.patch', query: range, answers: { 200: 'bytes' } },
  {
    method: 'get',
    path: v1('parity'),
    action: 'read',
    summary: 'How the newest checks of executions came out, and at which places those within a window found differences',
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
      show: z.enum(CHECK_VERDICTS).meta({ description: 'without a cell: the verdict; `different` when left out' }),
      ...paged,
    },
    answers: { 200: documents.page(parityExecution) },
  },
  {
    method: 'get',
    path: v1('ci-runs'),
    action: 'read',
    summary: 'The executions of one CI run, what failed first',
    query: {
      project,
      provider: z.string(),
      path: z.string().meta({ description: "the provider's own path of the project" }),
      run: z.string(),
      attempt: z.int().min(1).meta({ description: 'only this attempt, and what names none' }),
    },
    answers: { 200: decisions.ciExecutions },
  },
  {
    method: 'get',
    path: v1('executions/{id}/raw'),
    action: 'read',
    summary: 'The kept parts it is made of',
    answers: { 200: documents.page(documents.receivedPart) },
  },
  {
    method: 'get',
    path: v1('received/{sha256}'),
    action: 'read',
    summary: 'Kept bytes; also by Range',
    query: { start: z.int(), end: z.int().meta({ description: 'exclusive' }), as: z.enum(['text']) },
    answers: { 200: 'bytes', 206: 'bytes' },
  },
  {
    method: 'get',
    path: v1('find'),
    action: 'read',
    summary: 'What an id stands for',
    query: { id: z.string(), project },
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
  {
    method: 'get',
    path: v1('sources'),
    action: 'read',
    summary: 'Sources',
    query: { project },
    answers: { 200: documents.page(admin.sourceItem) },
  },
  {
    method: 'post',
    path: v1('sources'),
    action: 'manage-sources',
    summary: 'Adds a source',
    body: admin.newSource,
    answers: { 201: admin.sourceItem },
  },
  {
    method: 'patch',
    path: v1('sources/{id}'),
    action: 'manage-sources',
    summary: 'Switches redaction for what arrives from now on',
    body: admin.sourceChange,
    answers: { 200: done.extend({ redact: z.boolean() }) },
  },
  {
    method: 'delete',
    path: v1('sources/{id}'),
    action: 'manage-sources',
    summary: 'Removes a source that never received anything',
    answers: { 200: done },
  },
  {
    method: 'get',
    path: v1('connections'),
    action: 'manage-sources',
    summary: 'Servers that are asked for their executions, and how that goes',
    query: { project },
    answers: { 200: documents.page(connections.connectionItem) },
  },
  {
    method: 'post',
    path: v1('connections'),
    action: 'manage-sources',
    summary: 'Connects a source by the address of its server; the value of the header never comes out again',
    body: connections.newConnection,
    answers: { 201: connections.connectionItem },
  },
  {
    method: 'patch',
    path: v1('connections/{id}'),
    action: 'manage-sources',
    summary: 'Changes a connection, pauses it or lets it go on',
    body: connections.connectionChange,
    answers: { 200: connections.connectionItem },
  },
  {
    method: 'delete',
    path: v1('connections/{id}'),
    action: 'manage-sources',
    summary: 'Removes a connection and what opened it; what was taken in stays',
    answers: { 200: done },
  },
  {
    method: 'post',
    path: v1('connections/{id}/check'),
    action: 'manage-sources',
    summary: 'Asks its server once and says what came; stores nothing',
    body: connections.connectionCheckBody,
    answers: { 200: connections.connectionCheck },
  },
  { method: 'get', path: v1('mirrors'), action: 'manage-mirrors', summary: 'Repositories of the server that patches are checked against', query: { project }, answers: { 200: documents.page(fits.mirrorItem) } },
  { method: 'post', path: v1('mirrors'), action: 'manage-mirrors', summary: 'Sets a mirror up for a repository, and has its open fixes checked; it must stand below the folder that the operator allows', body: fits.newMirror, answers: { 201: fits.mirrorItem } },
  { method: 'delete', path: v1('mirrors/{id}'), action: 'manage-mirrors', summary: 'Forgets a mirror; the repository is left alone', answers: { 200: done } },
  {
    method: 'get',
    path: v1('keys'),
    action: 'manage-keys',
    summary: 'Keys',
    query: { project },
    answers: { 200: documents.page(admin.keyItem) },
  },
  {
    method: 'post',
    path: v1('keys'),
    action: 'manage-keys',
    summary: 'Makes a key, shown this once',
    body: admin.newKey,
    answers: { 201: admin.madeKey },
  },
  { method: 'delete', path: v1('keys/{id}'), action: 'manage-keys', summary: 'Revokes a key', answers: { 200: done } },
  {
    method: 'get',
    path: v1('people'),
    action: 'manage-people',
    summary: 'People',
    query: { project },
    answers: { 200: documents.page(admin.personItem) },
  },
  {
    method: 'post',
    path: v1('people'),
    action: 'manage-people',
    summary: 'Invites a person: answers the link to hand on',
    body: admin.newPerson,
    answers: { 201: admin.personLink },
  },
  {
    method: 'patch',
    path: v1('people/{id}'),
    action: 'manage-people',
    summary: 'Changes a role, or who administers everything',
    body: admin.personChange,
    answers: { 200: done },
  },
  { method: 'delete', path: v1('people/{id}'), action: 'manage-people', summary: 'Removes a person', answers: { 200: done } },
  {
    method: 'post',
    path: v1('people/{id}/link'),
    action: 'manage-people',
    summary: 'A link to choose a new password',
    answers: { 201: admin.personLink },
  },
  {
    method: 'get',
    path: v1('one-time-links/{token}'),
    action: null,
    summary: 'What a one-time link is for',
    answers: { 200: admin.oneTimeLink },
  },
  {
    method: 'post',
    path: v1('one-time-links/{token}'),
    action: null,
    summary: 'Uses a one-time link up and signs in',
    body: admin.linkRedemption,
    answers: { 200: z.object({ ok: z.boolean() }) },
  },
  {
    method: 'post',
    path: v1('sample'),
    action: 'load-sample',
    summary: 'Loads the sample',
    query: { project: target },
    answers: { 200: documents.ingestAnswer.pick({ accepted: true, duplicates: true, executions: true }) },
  },
  {
    method: 'post',
    path: v1('reingest'),
    action: 'reingest',
    summary: 'Builds everything that is derived anew from the kept bytes',
    body: admin.reingestBody,
    answers: { 200: admin.reingestAnswer },
  },
  {
    method: 'get',
    path: v1('openapi.json'),
    action: null,
    summary: 'This document',
    answers: { 200: z.looseObject({ openapi: z.string() }) },
  },
  { method: 'get', path: '/healthz', action: null, summary: 'The process answers', answers: { 200: z.object({ status: z.string() }) } },
  {
    method: 'get',
    path: '/readyz',
    action: null,
    summary: 'The database answers and is migrated',
    answers: { 200: admin.readiness, 503: admin.readiness },
  },
  { method: 'get', path: '/metrics', action: 'read', summary: 'For Prometheus', answers: { 200: 'metrics' } },
]
