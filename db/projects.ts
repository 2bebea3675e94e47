import { v7 } from 'uuid'
import type { Sql } from './client'
import type { RowOf } from './schema/rows'

export type Project = RowOf<'projects', 'id' | 'slug' | 'name'>

/** The project with this slug; made when there is none. Safe to call by several processes at once. */
export async function ensureProject(
  sql: Sql,
  { slug, name }: { slug: string; name: string },
): Promise<Project> {
  await sql`insert into projects (id, slug, name) values (${v7()}, ${slug}, ${name}) on conflict (slug) do nothing`
  const [project] = await sql<Project[]>`select id, slug, name from projects where slug = ${slug}`
  return project!
}
