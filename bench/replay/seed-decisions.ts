import type { Db } from '@/db/client'
import { seedExecutions } from '@/db/seed/executions'
import { ensureSource } from '@/db/writes/receive/ensure-source'
import { ensureProject } from '@/db/projects'
import { writeChains, writeDecision } from '@/db/writes/derive/write-decision'
import { decide, type DecisionFacts } from '@/lib/judge/decisions/decide'
import { CURRENT_POLICY } from '@/lib/judge/decisions/policies'
import { decidingRule, readingOf } from '@/lib/judge/decisions/reading'
import { CHANNELS } from '@/lib/judge/decisions/vocabulary'
import { digestOf } from '@/lib/formats/claude/text'
import type { Random } from '../support/random'
import { variedFacts } from './varied-facts'

export const RECORDED = 'recorded'
const ATTEMPTS_MAX = 5

export interface SeededDecisions {
  projectId: string
  /** Rules that fired somewhere. */
  rules: number
  verdicts: number
  chains: number
}

/** Executions with decisions, in chains of one to five tries, under one source, and others without under another. */
export async function seedDecisions(
  db: Db,
  random: Random,
  { decided, others }: { decided: number; others: number },
): Promise<SeededDecisions> {
  const projectId = (await ensureProject(db.sql, { slug: 'bench', name: 'Bench' })).id
  const newest = new Date('2026-11-15T00:00:00.000Z')
  const sourceOf = (name: string) => db.sql.begin((tx) => ensureSource(tx, projectId, 'claude-code', name))
  await seedExecutions(db.sql, { projectId, sourceId: (await sourceOf(RECORDED)).id, count: decided, newest })
  if (others > 0)
    await seedExecutions(db.sql, {
      projectId,
      sourceId: (await sourceOf('plain')).id,
      from: decided,
      count: others,
      newest,
    })
  const ids = await db.sql<{ id: string; at: string }[]>`
    select execution_id as id, e.sort_at::text as at from execution_keys k join executions e on e.project_id = k.project_id and e.id = k.execution_id
    where k.project_id = ${projectId} and substr(k.external_id, 6)::int < ${decided} order by e.sort_at`
  const [rules, verdicts] = [new Set<string>(), new Set<string>()]
  let chains = 0
  await db.sql.begin(async (tx) => {
    let under: Promise<unknown>[] = []
    for (let at = 0; at < ids.length; ) {
      const attempts = ids.slice(at, at + 1 + random.int(ATTEMPTS_MAX))
      at += attempts.length
      chains++
      const name = `github acme/shop ${1_000 + chains} agent`
      for (const [i, { id, at: sortAt }] of attempts.entries()) {
        const facts = variedFacts(random)
        const decided = decide(facts, CURRENT_POLICY)
        for (const { rule } of decided.trace) rules.add(rule)
        verdicts.add(`${decided.outcome} ${decided.retryReason} ${decided.contentState}`)
        const words = {
          contentState: decided.contentState ?? 'unknown',
          outcome: decided.outcome,
          retryReason: decided.retryReason,
          subtype: decided.subtype,
        }
        const reason = readingOf(decided, facts.way.kind === 'session' ? facts.way.verdict : null)
        under.push(
          writeDecision(tx, projectId, id, {
            ...words,
            basis: 'recomputed',
            policy: CURRENT_POLICY.name,
            rule: decidingRule(decided),
            reason,
            missing: [],
            differs: [],
            recorded: null,
            recomputed: words,
            recorder: null,
            trace: decided.trace,
            evidence: evidenceOf(facts),
            whatIf: { actual: facts, byChannel: otherChannels(facts) },
            inputRedacted: false,
          }),
        )
        under.push(
          writeChains(
            tx,
            projectId,
            id,
            [{ id: digestOf(name), name, rule: 'named_chain', basis: 'recorded', attempt: i + 1 }],
            sortAt,
          ),
        )
      }
      // Sent without waiting for each: the way there and back takes longer than the work.
      if (under.length < 500 && at < ids.length) continue
      await Promise.all(under)
      under = []
    }
  })
  await db.sql`vacuum (analyze)`
  return { projectId, rules: rules.size, verdicts: verdicts.size, chains }
}

/** As long as the one of a real run. */
const evidenceOf = ({ way }: DecisionFacts) => ({
  exit_code: way.kind === 'session' ? way.verdict.exitCode : 0,
  signal: null,
  termination: way.kind,
  marker: '%%ORDER_UP::1a2b3c4d%%',
  patterns: way.kind === 'session' ? way.verdict.patterns.map(({ pattern }) => pattern) : [],
  command: `claude -p ${'Plan the shop and write the plan down. '.repeat(8)}`.slice(0, 400),
  result_chars: 2_400,
  result_tail:
    'I have looked at every file that the plan names and wrote the steps down in the order they have to be done. '
      .repeat(2)
      .slice(0, 200),
})

/** What the recovery of other channels would have made of the same output: as many facts again, twice. */
const otherChannels = (facts: DecisionFacts): Record<string, DecisionFacts> =>
  facts.way.kind !== 'session'
    ? {}
    : Object.fromEntries(
        CHANNELS.slice(1, 3).map((channel) => [
          channel,
          {
            ...facts,
            way: { ...facts.way, verdict: { ...(facts.way as { verdict: object }).verdict, channel } },
          } as DecisionFacts,
        ]),
      )
