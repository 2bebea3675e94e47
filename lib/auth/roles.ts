/** What a person may do in a project, weakest first: each role holds what the ones before it hold. */
export const ROLES = ['viewer', 'operator', 'reviewer', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** Reads a stored or posted role; null for anything else. */
export const parseRole = (value: unknown): Role | null =>
  (ROLES as readonly unknown[]).includes(value) ? (value as Role) : null

/** Whether `role` holds everything that `wanted` holds. */
export const atLeast = (role: Role, wanted: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(wanted)
