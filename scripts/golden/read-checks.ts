import type { Db } from '@/db/client'
import { readFix } from '@/db/queries/fix'
import { readRunDiagnosis } from '@/db/queries/run-diagnosis'
import { checkParity } from '@/db/parity/check-parity'
import type { Conclusions } from './product-rows'

/** Compares the layers of every execution of a project and reads its diagnoses. */
export async function addChecks(db: Db, projectId: string, found: Conclusions): Promise<void> {
  const executions = await db.sql<{ id: string; of: string }[]>`
    select id, external_id as of from executions where project_id = ${projectId} order by external_id`
  for (const { id, of } of executions) {
    const check = await checkParity(db, [projectId], id, { trigger: 'demand' })
    if (check !== null) {
      const [standing] = await db.sql<{ verdict: string }[]>`
        select verdict from parity_standing where project_id = ${projectId} and execution_id = ${id}`
      addParity(found, of, check, standing!.verdict)
    }
    const diagnosis = await readRunDiagnosis(db, [projectId], id)
    for (const one of diagnosis?.diagnoses ?? [])
      found.diagnosis.push({
        ...one,
        execution: of,
        category: one.value?.groupCategory ?? one.elsewhere?.value.groupCategory ?? null,
      })
  }
}

type Check = NonNullable<Awaited<ReturnType<typeof checkParity>>>

/** @param verdict as it is stored, with what the comparison alone cannot know */
function addParity(
  found: Conclusions,
  of: string,
  { compared, layers, stored }: Check,
  verdict: string,
): void {
  const { worst, firstCritical, transitions } = compared
  const differences = transitions.flatMap(({ form, from, to, differences: all }) =>
    all.map((one) => ({ of, form, from, to, ...one })),
  )
  found.parity.push({
    of,
    verdict,
    worst,
    lost: firstCritical,
    differencesTotal: differences.length,
    changedParts: stored.changedParts.length,
    layers,
  })
  found.difference.push(...differences)
}

/** The fixes of a project with what the rules found in them. */
export async function addFixes(db: Db, projectId: string, found: Conclusions): Promise<void> {
  const fixes = await db.sql<{ id: string; execution: string }[]>`
    select f.id, e.external_id as execution from fixes f join executions e on e.project_id = f.project_id
      and e.id = f.execution_id
    where f.project_id = ${projectId}`
  for (const { id, execution } of fixes) {
    const fix = await readFix(db, {
      projectIds: [projectId],
      id,
      reader: { actor: 'system', reviewsIn: [projectId] },
    })
    if (fix === null) continue
    const { reading, sha256, origin, state, verdict: evidence, task, ordinal, flags } = fix
    const of = [execution, task, String(ordinal)]
    const { verdict, safe, files, hunks, additions, deletions } = reading
    const counts = { files, hunks, additions, deletions }
    // The line of a problem is part of a sentence in what is stored.
    found.patch.push({
      of,
      sha256,
      verdict,
      problemLine: null,
      safe,
      applies: null,
      ...counts,
      origin,
      state,
      evidence,
    })
    found.flag.push(...flags.map((flag) => ({ of, ...flag })))
  }
}
