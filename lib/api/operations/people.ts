import { z } from 'zod'
import * as admin from '../admin-schemas'
import * as documents from '../schemas'
import { done, project, v1, type Operation } from '../operation'

/** People and keys. */
export const peopleOperations: Operation[] = [
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
  {
    method: 'delete',
    path: v1('keys/{id}'),
    action: 'manage-keys',
    summary: 'Revokes a key',
    answers: { 200: done },
  },
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
  {
    method: 'delete',
    path: v1('people/{id}'),
    action: 'manage-people',
    summary: 'Removes a person',
    answers: { 200: done },
  },
  {
    method: 'post',
    path: v1('people/{id}/link'),
    action: 'manage-people',
    summary: 'A link to choose a new password',
    answers: { 201: admin.personLink },
  },
  {
    method: 'post',
    path: v1('first-admin-link'),
    action: 'manage-people',
    summary:
      'A link that makes the first admin, for the key of the local command line; refused once there is one',
    answers: { 201: admin.firstAdminLink },
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
]
