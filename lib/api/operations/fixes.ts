import { z } from 'zod'
import { EVIDENCE_VERDICTS } from '../../judge/fixes/evidence'
import { SAFETY_VALUES } from '../../model/fix-question'
import { FIX_ORIGINS, FIX_STATES } from '../../model/fix-states'
import { changeDetail, changeItem } from '../change-schemas'
import * as fits from '../fit-schemas'
import * as fixes from '../fix-schemas'
import * as documents from '../schemas'
import { byteNumber, paged, project, v1, type Operation } from '../operation'

const ofFixes = {
  project,
  state: z.string().meta({ description: `states, with commas: ${FIX_STATES.join(', ')}` }),
  origin: z.string().meta({ description: `the same for ${FIX_ORIGINS.join(', ')}` }),
  safety: z.string().meta({ description: `the same for ${SAFETY_VALUES.join(', ')}` }),
  evidence: z.string().meta({ description: `the same for ${EVIDENCE_VERDICTS.join(', ')}` }),
  signal: z.string().meta({ description: 'codes of signals, with commas: any of them' }),
}
const range = {
  start: byteNumber.meta({
    description: 'first byte; checked once the fix is found: for an unknown one 404 comes first',
  }),
  end: byteNumber.meta({ description: 'behind the last byte; checked with start' }),
}

/** What agents changed, and what is proposed as a fix. */
export const fixOperations: Operation[] = [
  {
    method: 'get',
    path: v1('executions/{id}/changes'),
    action: 'read',
    summary: 'What the agent changed in files, as its transcript tells: nobody proposed it',
    query: paged,
    answers: { 200: documents.page(changeItem) },
  },
  {
    method: 'get',
    path: v1('executions/{id}/changes/{ordinal}'),
    action: 'read',
    summary: 'One of these changes with its lines, as a patch assembled from the transcript',
    answers: { 200: changeDetail },
  },
  {
    method: 'get',
    path: v1('executions/{id}/fixes'),
    action: 'read',
    summary: 'Fixes that were proposed for an execution',
    answers: { 200: documents.page(fixes.fixItem) },
  },
  {
    method: 'post',
    path: v1('executions/{id}/fixes'),
    action: 'propose-fix',
    summary:
      'Proposes a fix: the patch as the body, or a form with `patch`, `proposal` (JSON) and `transcript`; 200 when these bytes were proposed for this task before',
    query: {
      task: z.string().max(500),
      title: z.string().max(500),
      fileName: z.string().max(1_000),
      supersedes: z.uuid().meta({ description: 'id of the fix that this one takes the place of' }),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .meta({ description: 'refused when the bytes have another digest' }),
    },
    headers: {
      'Repr-Digest': z
        .string()
        .meta({ description: '`sha-256=:<base64>:` of the patch, refused when it is another one' }),
    },
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
  {
    method: 'get',
    path: v1('fixes/{id}'),
    action: 'read',
    summary: 'One fix with everything but its bytes',
    answers: { 200: fixes.fixDetail },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/files'),
    action: 'read',
    summary: 'The files of its patch, in order',
    query: paged,
    answers: { 200: documents.page(fixes.fixFile) },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/flags'),
    action: 'read',
    summary: 'What rules found in its patch, the weightiest first',
    query: paged,
    answers: { 200: documents.page(fixes.fixFlag) },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/patch'),
    action: 'read',
    summary:
      'Exactly the proposed bytes, also at /fixes/{id}.patch; a range of one with a secret comes with * in its place for who may not have it',
    query: range,
    answers: { 200: 'bytes' },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/patch.sha256'),
    action: 'read',
    summary: 'Their digest, as sha256sum reads it; also at /fixes/{id}.patch.sha256',
    answers: { 200: 'metrics' },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/transcript'),
    action: 'read',
    summary: 'What the proposer wrote down of its work, redacted; also at /fixes/{id}.transcript',
    answers: { 200: 'bytes' },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/bundle'),
    action: 'read',
    summary: 'Patch, transcript, digests and provenance as a zip archive; also at /fixes/{id}.zip',
    answers: { 200: 'bytes' },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/provenance'),
    action: 'read',
    summary:
      'Every link from the failure to what became of the fix, with values, digests and origins, all files and findings, and the bytes in base64',
    query: { bytes: z.enum(['none']).meta({ description: 'without the bytes of the patch' }) },
    answers: { 200: fixes.fixProvenance },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/comments'),
    action: 'read',
    summary: 'What people said of it',
    query: {
      versions: z
        .enum(['own', 'all'])
        .meta({ description: 'all: also what they said of the versions whose place it took' }),
    },
    answers: { 200: documents.page(fixes.fixComment) },
  },
  {
    method: 'post',
    path: v1('fixes/{id}/comments'),
    action: 'comment-fix',
    summary: 'Comments on the fix, a file or lines; resolves, reopens or withdraws',
    body: fixes.newComment,
    answers: { 200: documents.page(fixes.fixComment) },
  },
  {
    method: 'post',
    path: v1('fixes/{id}/reviews'),
    action: 'review-fix',
    summary: 'A person’s decision, or report that it was applied; keys are refused',
    body: fixes.newReview,
    answers: { 200: fixes.fixDetail },
  },
  {
    method: 'post',
    path: v1('fixes/{id}/suggestions'),
    action: 'propose-fix',
    summary:
      'A person’s change of some lines, as a new fix that takes the place of this one; 200 when these bytes were proposed for its task before',
    body: fixes.newSuggestion,
    answers: { 200: fixes.proposedFix, 201: fixes.proposedFix },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/viewed'),
    action: 'read',
    summary: 'Files that the reader has marked as seen',
    answers: { 200: fixes.viewedMarks },
  },
  {
    method: 'post',
    path: v1('fixes/{id}/viewed'),
    action: 'read',
    summary: 'Marks a file as seen, or takes the mark back',
    body: fixes.newViewedMark,
    answers: { 200: fixes.viewedMarks },
  },
  {
    method: 'post',
    path: v1('fixes/{id}/links'),
    action: 'review-fix',
    summary: 'Makes a share link: its holder downloads the patch without an account; keys are refused',
    body: fixes.newFixLink,
    answers: { 201: fixes.madeFixLink },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/links'),
    action: 'review-fix',
    summary: 'Share links of the patch with their downloads, newest first; keys are refused',
    answers: { 200: documents.page(fixes.fixLink) },
  },
  {
    method: 'delete',
    path: v1('fixes/{id}/links/{link}'),
    action: 'review-fix',
    summary: 'Revokes a share link; keys are refused',
    answers: { 200: fixes.fixLink },
  },
  {
    method: 'get',
    path: v1('fixes/{id}/fit'),
    action: 'read',
    summary: 'Whether its patch still fits its base and the head of its branch, as far as was checked',
    answers: { 200: fits.fixFit },
  },
  {
    method: 'post',
    path: v1('fixes/{id}/fit'),
    action: 'check-fit',
    summary: 'Asks for a check in the background; 200 where none can be made, with the reason',
    answers: { 200: fits.fixFit, 202: fits.fixFit },
  },
  {
    method: 'get',
    path: v1('shared-patches/{token}'),
    action: null,
    summary: 'The patch, for the holder of a share link; also at /shared/{token}.patch',
    query: range,
    answers: { 200: 'bytes' },
  },
]
