import type { PersonItem } from '@/lib/api/admin-schemas'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'

/** People who hold a role in one of the projects, and those who administer everything, by name. Roles are of these projects only. */
export const listPeople = (db: Db, projectIds: string[]): Promise<PersonItem[]> =>
  db.sql<
    (RowOf<'people', 'id' | 'name' | 'email' | 'createdAt'> &
      Pick<PersonItem, 'globalAdmin' | 'roles' | 'invited' | 'lastSignInAt'>)[]
  >`
    select p.id, p.name, p.email, p.global_role is not distinct from 'admin' as "globalAdmin",
      coalesce((
        select jsonb_agg(jsonb_build_object('project', j.slug, 'role', m.role) order by j.slug)
        from memberships m join projects j on j.id = m.project_id where m.person_id = p.id and m.project_id = any (${projectIds}::uuid[])), '[]') as roles,
      not exists (select 1 from accounts a where a.person_id = p.id and a.password is not null) as invited,
      p.created_at as "createdAt",
      (select max(s.created_at) from sessions s where s.person_id = p.id) as "lastSignInAt"
    from people p
    where p.global_role = 'admin' or exists (select 1 from memberships m where m.person_id = p.id and m.project_id = any (${projectIds}::uuid[]))
    order by p.name, p.id
    limit 1000`
