import { atLeast, type Role } from './roles'

/** Every action of endpoints and pages, with the weakest role that may take it. */
export const ACTIONS = {
  read: 'viewer',
  'read-ci-run': 'viewer',
  ingest: 'operator',
  'load-sample': 'operator',
  'propose-fix': 'operator',
  'comment-fix': 'operator',
  'correct-cause': 'operator',
  'check-fit': 'operator',
  'check-parity': 'operator',
  'review-fix': 'reviewer',
  reingest: 'admin',
  'manage-sources': 'admin',
  'manage-mirrors': 'admin',
  'manage-keys': 'admin',
  'manage-people': 'admin',
} as const satisfies Record<string, Role>
export type Action = keyof typeof ACTIONS

/** Whether a person with this role in a project may take the action there. */
export const can = (role: Role, action: Action): boolean => atLeast(role, ACTIONS[action])

/**
 * What an API key may do. `admin` is the key of the local command line and holds all the others;
 * a key a person makes has any of the first three.
 */
export const SCOPES = ['ingest', 'read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

const SCOPES_OF: Record<Action, readonly Scope[]> = {
  read: ['read'],
  // A CI job reads what failed in its run with the key that it sends its records with; the route narrows what such a key gets.
  'read-ci-run': ['read', 'ingest'],
  ingest: ['ingest'],
  'load-sample': ['ingest'],
  // An agent proposes with the key that it sends its records with; that says nothing yet about what becomes of it.
  'propose-fix': ['ingest', 'write'],
  'comment-fix': ['write'],
  'correct-cause': ['write'],
  'check-fit': ['write'],
  'check-parity': ['write'],
  'review-fix': ['write'],
  reingest: ['write'],
  'manage-sources': ['admin'],
  // It says which folder of the server is read: a person's, as what opens a source is.
  'manage-mirrors': ['admin'],
  'manage-keys': ['admin'],
  'manage-people': ['admin'],
}

/** The scopes of which a key needs one for an action. */
export const scopesOf = (action: Action): readonly Scope[] => SCOPES_OF[action]

/** Whether a key with these scopes may take the action in its project. */
export const keyCan = (scopes: readonly Scope[], action: Action): boolean =>
  scopes.includes('admin') || SCOPES_OF[action].some((scope) => scopes.includes(scope))

/** Reads a stored or posted list of scopes, in the order of the list; unknown names are left out. */
export const parseScopes = (value: unknown): Scope[] =>
  Array.isArray(value) ? SCOPES.filter((scope) => value.includes(scope)) : []
