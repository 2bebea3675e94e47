import type { NoParams } from '../message'

/** What starting, joining and stopping the embedded database server reports to the log. */
export interface DatabaseServerLog {
  creating_account: NoParams
  runs_as_nobody: NoParams
  files_apart: { readonly home: string; readonly account: string; readonly dir: string }
  copying_programs: { readonly to: string; readonly account: string }
  making_cluster: NoParams
  strange_pid_file: { readonly pid: number }
  joining: { readonly pid: number }
  no_answer: { readonly pid: number }
  /** The last line of the log of the server. */
  start_again: { readonly line: string }
  did_not_end: { readonly pid: number; readonly signal: string }
  restarting: NoParams
  restart_failed: { readonly error: string; readonly nextSeconds: number }
  running_again: NoParams
}

/** Why the embedded database server does not start, or a database cannot be used. */
export interface DatabaseServerProblems {
  other_account: { readonly home: string; readonly uid: number }
  no_account: NoParams
  /** As Node.js names them. */
  no_programs: { readonly platform: string; readonly architecture: string }
  package_missing: { readonly name: string }
  no_cluster: { readonly dir: string }
  start_locked: { readonly file: string }
  disk_full: { readonly dir: string }
  /** How its process ended, and the line of its log that says why. */
  start_failed: { readonly exit: string; readonly reason: string | null }
  ends_at_once: NoParams
  old_version: { readonly version: string }
  other_encoding: { readonly encoding: string }
}
