import { z } from 'zod'
import * as admin from '../admin-schemas'
import * as connections from '../connection-schemas'
import * as fits from '../fit-schemas'
import * as documents from '../schemas'
import { done, project, v1, type Operation } from '../operation'

/** Where executions come from, and the repositories that patches are checked against. */
export const sourceOperations: Operation[] = [
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
  {
    method: 'get',
    path: v1('mirrors'),
    action: 'manage-mirrors',
    summary: 'Repositories of the server that patches are checked against',
    query: { project },
    answers: { 200: documents.page(fits.mirrorItem) },
  },
  {
    method: 'post',
    path: v1('mirrors'),
    action: 'manage-mirrors',
    summary:
      'Sets a mirror up for a repository, and has its open fixes checked; it must stand below the folder that the operator allows',
    body: fits.newMirror,
    answers: { 201: fits.mirrorItem },
  },
  {
    method: 'delete',
    path: v1('mirrors/{id}'),
    action: 'manage-mirrors',
    summary: 'Forgets a mirror; the repository is left alone',
    answers: { 200: done },
  },
]
