import type { MirrorItem } from '@/lib/api/fit-schemas'
import type { MirrorRoots } from '@/lib/connections/mirror-roots'
import type { MirrorTrouble } from '@/lib/model/messages/mirrors'
import { textOf } from '@/lib/words/catalogue'
import { MIRROR_TROUBLE_WORDS } from '@/lib/words/fixes'
import type { Sql } from '../client'
import { lookAtMirror } from '../mirrors/look-at-mirror'
import type { RowOf } from '../schema/rows'

type Row = Omit<MirrorItem, 'head' | 'trouble'>

/** Mirrors of the projects, oldest first, or the one with this id; each is looked at. */
export async function listMirrors(
  sql: Sql,
  roots: MirrorRoots,
  projectIds: string[],
  id: string | null = null,
): Promise<MirrorItem[]> {
  const rows = await sql<
    (RowOf<'mirrors', 'id' | 'path' | 'branch' | 'createdAt'> & {
      project: RowOf<'projects', 'slug'>['slug']
    } & Pick<Row, 'repository'>)[]
  >`
    select m.id, p.slug as project, nullif(m.repository, '') as repository, m.path, m.branch, m.created_at as "createdAt"
    from mirrors m join projects p on p.id = m.project_id
    where m.project_id = any (${projectIds}::uuid[]) and (${id}::uuid is null or m.id = ${id}::uuid) order by m.created_at, m.id`
  return Promise.all(
    rows.map(async (row) => {
      const look = await lookAtMirror(roots(row.project), row.path, row.branch)
      const trouble: MirrorTrouble | null =
        'trouble' in look
          ? look.trouble
          : look.head === null
            ? { id: 'branch_gone', params: { branch: row.branch } }
            : null
      return {
        ...row,
        head: 'head' in look ? look.head : null,
        trouble: trouble && textOf(MIRROR_TROUBLE_WORDS, trouble),
      }
    }),
  )
}

/** Names of repositories that open fixes are on and that no mirror is set up for; null among them: some name none. */
export async function listUnmirrored(sql: Sql, projectIds: string[]): Promise<(string | null)[]> {
  const rows = await sql<{ repository: string | null }[]>`
    select f.proposal -> 'base' ->> 'repository' as repository from fix_standing s join fixes f on f.project_id = s.project_id and f.id = s.fix_id
    where s.project_id = any (${projectIds}::uuid[]) and s.state in ('proposed', 'changes_requested', 'approved')
      and not exists (select from mirrors m where m.project_id = f.project_id and m.repository = coalesce(f.proposal -> 'base' ->> 'repository', ''))
    group by 1 order by count(*) desc, 1 limit 50`
  return rows.map(({ repository }) => repository)
}
