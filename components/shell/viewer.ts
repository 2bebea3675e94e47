import type { Role } from '@/lib/auth/roles'

/** Who is looking, as far as the screens need to know. */
export interface Viewer {
  name: string
  email: string | null
  /** Projects that may be read, the first one being the reader's usual one. */
  projects: { slug: string; name: string; role: Role }[]
}

/** Stands in while the database does not answer: the frame stays, and nothing is said about who looks. */
export const NOBODY_KNOWN: Viewer = { name: '', email: null, projects: [] }
