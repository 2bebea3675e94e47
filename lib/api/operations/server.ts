import { z } from 'zod'
import * as admin from '../admin-schemas'
import { v1, type Operation } from '../operation'
import { schemaText } from '../../words/server/schemas'

/** The server itself. */
export const serverOperations: Operation[] = [
  {
    method: 'get',
    path: v1('openapi.json'),
    action: null,
    summary: 'This document',
    answers: { 200: z.looseObject({ openapi: z.string() }) },
  },
  {
    method: 'get',
    path: '/healthz',
    action: null,
    summary: 'The process answers',
    answers: { 200: z.object({ status: z.string() }) },
  },
  {
    method: 'get',
    path: '/readyz',
    action: null,
    summary: 'Whether the server can do its work, in one word',
    answers: { 200: admin.readiness, 503: admin.readiness },
  },
  {
    method: 'get',
    path: '/metrics',
    action: null,
    needs: schemaText.requiresMetricsToken,
    summary: 'Metrics for Prometheus',
    answers: { 200: 'metrics' },
  },
]
