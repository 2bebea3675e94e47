import type { Role } from '@/lib/auth/roles'

/** Who is looking, as far as the screens need to know. */
export interface Viewer {
  name: string
  email: string | null
  /** Projects that may be read, the first one being the reader's usual one. */
  projects: { slug: string; name: string; role: Role }[]
}
