import { z } from 'zod'
import * as receipts from '../receipt-schemas'
import * as documents from '../schemas'
import { done, paged, project, v1, type Operation } from '../operation'

/** Chains of receipts and the keys that verify them. */
export const receiptOperations: Operation[] = [
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
    required: ['id'],
    query: { project, id: z.string().min(1) },
    answers: { 200: receipts.receiptChainItem },
  },
  {
    method: 'get',
    path: v1('receipt-chains/receipts'),
    action: 'read',
    summary: 'Its receipts as they were received, by their numbers',
    required: ['id'],
    query: { project, id: z.string().min(1), ...paged },
    answers: { 200: documents.page(receipts.receiptItem) },
  },
  {
    method: 'get',
    path: v1('receipt-chains/verdict'),
    action: 'read',
    summary: 'The verdict of the server on it, made anew from the bytes',
    required: ['id'],
    query: { project, id: z.string().min(1) },
    answers: { 200: receipts.chainVerdict },
  },
  {
    method: 'get',
    path: v1('receipt-chains/export'),
    action: 'read',
    summary: 'The chain as one HTML file that verifies itself',
    required: ['id'],
    query: { project, id: z.string().min(1) },
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
  {
    method: 'delete',
    path: v1('receipt-keys/{id}'),
    action: 'manage-keys',
    summary: 'Removes a public key',
    answers: { 200: done },
  },
]
