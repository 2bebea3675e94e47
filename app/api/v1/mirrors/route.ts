import { v7 } from 'uuid'
import { actorOf, chooseProject, needsGlobalAdmin, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { mirrorRoots } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json, Refusal } from '@/app/_server/respond'
import { takeMirror } from '@/db/mirrors/look-at-mirror'
import { textOf } from '@/lib/words/catalogue'
import { MIRROR_TROUBLE_WORDS } from '@/lib/words/fixes'
import { listMirrors } from '@/db/queries/mirrors'
import { createMirror } from '@/db/mirrors/mirrors'
import { newMirror, type MirrorItem } from '@/lib/api/fit-schemas'
import type { Page } from '@/lib/model/page'
import { sourceProblemText } from '@/lib/words/server/sources'

export const GET = defineRoute('/api/v1/mirrors', { action: 'manage-mirrors' }, async ({ access, query }) =>
  json({
    items: await listMirrors(db().sql, mirrorRoots(), projectIds(access, query.get('project'))),
    nextCursor: null,
  } satisfies Page<MirrorItem>),
)

export const POST = defineRoute(
  '/api/v1/mirrors',
  { action: 'manage-mirrors' },
  async ({ request, access }) => {
    const { project: slug, repository, path, branch } = await readJson(request, newMirror)
    const project = chooseProject(access, slug)
    // It says which folder of the server's machine git is run in.
    needsGlobalAdmin(access, 'A mirror')
    const taken = await takeMirror(mirrorRoots()(project.slug), path, branch)
    if ('trouble' in taken)
      throw new Refusal('bad-request', `${taken.of}: ${textOf(MIRROR_TROUBLE_WORDS, taken.trouble)}`)
    const id = v7()
    if (
      !(await createMirror(db().sql, {
        projectId: project.id,
        id,
        repository,
        path,
        branch: taken.branch,
        actor: actorOf(access),
      }))
    )
      throw new Refusal(
        'in-use',
        repository === null ? sourceProblemText.otherMirrorExists : sourceProblemText.mirrorExists,
      )
    const [item] = await listMirrors(db().sql, mirrorRoots(), [project.id], id)
    return json(item, { status: 201 })
  },
)
