import { z } from 'zod'
import { limits } from '../../limits'
import * as admin from '../admin-schemas'
import { ingestAnswer } from '../ingest-schemas'
import { byteNumber, encoded, project, target, v1, type Operation } from '../operation'
import { INGEST_KINDS } from '../../model/ingest-kinds'

const ingestHeaders = {
  'Inquest-Source': encoded({ description: 'name of the producer, such as the machine', charsMax: 120 }),
  'Inquest-File': encoded({ description: 'path of the file below its root, with /', charsMax: 4096 }),
  'Inquest-Stream': encoded({
    description: 'stream this body goes on, as an earlier answer named it',
    charsMax: 512,
  }),
  'Inquest-Offset': byteNumber.meta({ description: 'where the body begins in the stream; 0 when left out' }),
  'Inquest-More': z
    .enum(['0', '1'])
    .meta({ description: '1: more of the stream follows at once; a torn last line is left to it' }),
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\x21-\x7e]+$/)
    .meta({
      description: `a repetition within ${limits.idempotencyHours} hours gets the first answer again`,
    }),
  'Content-Encoding': z.string().meta({ description: 'gzip, deflate or br' }),
}

/** Endpoints that take bytes in, and those that return stored bytes. */
export const receivedOperations: Operation[] = [
  {
    method: 'post',
    path: v1('ingest/{kind}'),
    action: 'ingest',
    summary: `Takes in what agents leave behind; kind: auto, ${INGEST_KINDS.join(', ')}`,
    query: { project: target },
    headers: ingestHeaders,
    body: 'bytes',
    answers: { 200: ingestAnswer },
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
    path: v1('received/{sha256}'),
    action: 'read',
    summary: 'Kept bytes; also by Range',
    query: {
      start: byteNumber.meta({
        description: 'checked once the record is found: for an unknown one 404 comes first',
      }),
      end: byteNumber.meta({ description: 'exclusive; checked with start' }),
      as: z.enum(['text']),
    },
    answers: { 200: 'bytes', 206: 'bytes' },
  },
  {
    method: 'post',
    path: v1('sample'),
    action: 'load-sample',
    summary: 'Loads the sample',
    query: { project: target },
    answers: { 200: ingestAnswer.pick({ accepted: true, duplicates: true, executions: true }) },
  },
  {
    method: 'post',
    path: v1('reingest'),
    action: 'reingest',
    summary:
      'Rebuilds everything that is derived: of one execution at once (200), of a project as a job (202); one job a project at a time (409)',
    body: admin.reingestBody,
    answers: { 200: admin.reingestAnswer, 202: admin.reingestItem },
  },
  {
    method: 'get',
    path: v1('reingest'),
    action: 'reingest',
    summary: 'The newest rebuild of each project',
    query: { project: target },
    answers: { 200: admin.reingestList },
  },
  {
    method: 'get',
    path: v1('reingest/{id}'),
    action: 'reingest',
    summary: 'How far a rebuild is',
    answers: { 200: admin.reingestItem },
  },
  {
    method: 'delete',
    path: v1('reingest/{id}'),
    action: 'reingest',
    summary: 'Stops a rebuild after its current step; what was rebuilt stays',
    answers: { 200: admin.reingestItem },
  },
  {
    method: 'get',
    path: v1('analysis-failures'),
    action: 'read',
    summary: 'Executions whose last analysis failed; POST /api/v1/reingest with an id retries one',
    query: { project },
    answers: { 200: admin.analysisFailureList },
  },
]
