import { resumeKeyOf } from '@/lib/analysis/chain-keys'
import { resumeChains } from '@/lib/analysis/resume-chains'
import type { Tx } from '../../client'
import { lockExecutions, lockNames } from '../../locks'
import type { RowOf } from '../../schema/rows'

interface Named {
  id: string
  externalId: string
}

type StoredResume = RowOf<'session_resumes', 'session'> & {
  from: RowOf<'session_resumes', 'resumed'>['resumed']
}

/**
 * What the executions of one transaction have to do with sessions that were resumed. Nearly all continue from none and are resumed by none:
 * they wait for nobody.
 */
export class ResumeLinks {
  /** As it was before: what these sessions continue from, and what continues from them. Where there is nothing it is a look into two indexes. */
  private readonly stored: Promise<StoredResume[]>
  private readonly relinked = new Set<string>()
  private readonly made = new Set<string>()

  /** @param sessions external ids of the executions, whose locks were asked for: nobody else comes to resume one of them then */
  constructor(
    private readonly tx: Tx,
    private readonly projectId: string,
    sessions: readonly string[],
  ) {
    this.stored = tx<StoredResume[]>`
      select session, resumed as "from" from session_resumes
      where project_id = ${projectId} and session = any (${[...sessions]}::text[])
      union
      select session, resumed from session_resumes where project_id = ${projectId} and resumed = any (${[...sessions]}::text[])`.execute()
    // Heard of where it is needed.
    this.stored.catch(() => {})
  }

  /**
   * Notes which sessions an execution continues from, and whether the chain around it is to be made anew.
   *
   * @param before its place in time until now; null when there was no row of it
   * @returns whether it was in a chain; then those of the project are held, and what others noted with it can be read
   */
  async note(
    { id, externalId }: Named,
    resumed: readonly string[],
    before: string | null,
    sortAt: string,
  ): Promise<boolean> {
    if (before === null && resumed.length === 0) {
      // Who resumed it before it came is looked at in the end, for all together.
      this.made.add(externalId)
      return false
    }
    const { tx, projectId } = this
    const stored = await this.stored
    const known = stored.filter(({ session }) => session === externalId).map(({ from }) => from)
    if (known.length === 0 && resumed.length === 0 && !stored.some(({ from }) => from === externalId))
      return false
    // Of a session and of one that continues from it, arriving at once, the second has to see the first.
    await lockExecutions(
      tx,
      projectId,
      resumed.filter((session) => !known.includes(session)),
    )
    await this.lock()
    const isSame = known.length === resumed.length && resumed.every((session) => known.includes(session))
    if (!isSame) {
      await tx`
        delete from session_resumes where project_id = ${projectId} and execution_id = ${id} and resumed <> all (${[...resumed]}::text[])`
      await tx`
        insert into session_resumes (project_id, execution_id, session, resumed)
        select ${projectId}, ${id}, ${externalId}, s from unnest(${[...resumed]}::text[]) s on conflict do nothing`
    }
    if (!isSame || before !== sortAt)
      for (const session of [externalId, ...known, ...resumed]) this.relinked.add(session)
    return true
  }

  /** Takes out an execution that is gone. */
  async remove({ id, externalId }: Named): Promise<void> {
    const near = (await this.stored).filter(
      ({ session, from }) => session === externalId || from === externalId,
    )
    if (near.length === 0) return
    await this.lock()
    for (const { session, from } of near) this.relinked.add(session).add(from)
    await this.tx`delete from session_resumes where project_id = ${this.projectId} and execution_id = ${id}`
  }

  /** Makes the chains anew that were touched. @returns chains that have changed, and executions that were taken out of one */
  async link(): Promise<{ chains: string[]; left: string[] }> {
    const awaited = (await this.stored).flatMap(({ from }) => (this.made.has(from) ? from : []))
    if (awaited.length > 0) await this.lock()
    const sessions = [...this.relinked, ...awaited]
    return sessions.length === 0 ? { chains: [], left: [] } : linkResumed(this.tx, this.projectId, sessions)
  }

  /**
   * Chains of resumed sessions grow into one another: of a project, one transaction at a time changes them or what is noted with
   * their attempts.
   */
  private lock(): Promise<void> {
    return lockNames(this.tx, [`resumes ${this.projectId}`])
  }
}

/** Makes the chains anew in which these sessions stand: whatever hangs together through resumed sessions is one. */
async function linkResumed(
  tx: Tx,
  projectId: string,
  sessions: readonly string[],
): Promise<{ chains: string[]; left: string[] }> {
  const links = await tx<StoredResume[]>`
    with recursive reached(key) as (
      select unnest(${[...sessions]}::text[]) collate "C"
      union select n.key from reached r cross join lateral (
        select resumed as key from session_resumes where project_id = ${projectId} and session = r.key
        union all select session from session_resumes where project_id = ${projectId} and resumed = r.key) n)
    select distinct s.session, s.resumed as "from"
    from reached r join session_resumes s on s.project_id = ${projectId} and s.session = r.key`
  const keys = [...new Set([...sessions, ...links.flatMap(({ session, from }) => [session, from])])]
  const members = await tx<
    (RowOf<'executions', 'id' | 'sort_at'> & {
      key: RowOf<'executions', 'external_id'>['external_id']
    })[]
  >`
    select e.id, e.external_id as key, e.sort_at
    from execution_keys k join executions e on e.project_id = k.project_id and e.id = k.execution_id
    where k.project_id = ${projectId} and k.external_id = any (${keys}::text[])`
  const places = resumeChains(links, new Map(members.map(({ key, sort_at }) => [key, sort_at])))
  const placed = members.map(({ id, key }) => {
    const place = places.get(key)
    return { id, sortAt: place?.sortAt ?? null, chain: place ? resumeKeyOf(place.first) : null }
  })
  const ids = placed.map(({ id }) => id)
  const chainIds = placed.map(({ chain }) => chain?.id ?? null)
  const names = placed.map(({ chain }) => chain?.name ?? null)
  const times = placed.map(({ sortAt }) => sortAt)
  const gone = await tx<RowOf<'execution_chains', 'chain_id' | 'execution_id'>[]>`
    delete from execution_chains c using unnest(${ids}::uuid[], ${chainIds}::text[]) m(id, chain_id)
    where c.project_id = ${projectId} and c.execution_id = m.id and c.rule = 'resumed_session' and c.chain_id is distinct from m.chain_id
    returning c.chain_id, c.execution_id`
  const came = await tx<RowOf<'execution_chains', 'chain_id'>[]>`
    insert into execution_chains as c (project_id, chain_id, execution_id, name, rule, basis, attempt, sort_at)
    select ${projectId}, m.chain_id, m.id, m.name, 'resumed_session', 'recorded', null, m.sort_at
    from unnest(${ids}::uuid[], ${chainIds}::text[], ${names}::text[], ${times}::timestamptz[]) m(id, chain_id, name, sort_at)
    where m.chain_id is not null
    on conflict (project_id, chain_id, execution_id) do update set sort_at = excluded.sort_at where c.sort_at <> excluded.sort_at
    returning c.chain_id`
  return {
    chains: [...new Set([...gone, ...came].map((row) => row.chain_id))],
    left: gone.map((row) => row.execution_id),
  }
}
