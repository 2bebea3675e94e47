import { countOf } from '../../text/amounts'

/** Keys, people, connections and rebuilds on the command line. */
export const adminText = {
  credentialTooLong: 'The credential on stdin is too long.',
  noCredential: 'No credential on stdin.',
  sourceUnreachable: 'Could not reach the source.',
  sourceAnswers: ({ dialect, executions }: { dialect: null | string; executions: number }) =>
    `It answers${dialect === null ? '' : ` (${dialect})`}; the first page lists ${countOf(executions, 'execution')}.`,
  notAllRows: 'not all of its rows',
  connectionRemoved: ({ id }: { id: string }) => `Removed connection ${id}. Imported data was kept.`,

  noSuchPerson: ({ named }: { named: string }) => `Nobody has the email address or ID ${named}.`,
  oneTimeLink: ({ email, expiresAt }: { email: string; expiresAt: string }) =>
    `Send this one-time link to ${email}. It expires at ${expiresAt}:`,
  firstAdminLink: ({ expiresAt }: { expiresAt: string }) =>
    `Open this one-time link to create the first admin account. It expires at ${expiresAt}:`,
  personRemoved: ({ email }: { email: string }) => `Removed ${email}. Their actions remain in the audit log.`,

  analysisFailed: 'The analysis failed. The execution was left unchanged; its page shows why.',
  stopping: ({ origin, path }: { origin: string; path: string }) =>
    `Stopping after the current step. Press Ctrl-C again to quit at once. Progress: ${origin}${path}`,
  queued: 'Queued: waiting for the background jobs on the server',
  rebuildStopped: ({ counts }: { counts: string }) => `Stopped. Rebuilt so far: ${counts}.`,
  rebuildFailed: ({ error, counts }: { error: null | string; counts: string }) =>
    `The rebuild failed: ${error ?? 'unknown reason'}. Rebuilt so far: ${counts}.`,

  newKey: ({ name, scopes, project }: { name: string; scopes: readonly string[]; project: string }) =>
    `Key "${name}" (${scopes.join(', ')}) for project ${project}. Copy it now; it won't be shown again:`,
}
