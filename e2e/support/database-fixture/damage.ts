import type { Sql } from '@/db/client'

/** A change of the restored database that the comparison must report. */
export interface Damage {
  name: string
  /** What is read for it; `%` stands for what the statement returns. */
  reads: string
  /** The difference that has to be among those that are found. */
  reports: RegExp
  sql: string
}

const oneOf = (table: string, where = 'true', column = 'id'): string =>
  `(select ${column} from ${table} where ${where} order by ${column} limit 1)`

/**
 * Each touches something of its own, so that all are planted into one copy and each is to be found by itself.
 */
export const DAMAGE: readonly Damage[] = [
  {
    name: 'a lost row',
    reads: '^count fix_comments$',
    reports: /^count fix_comments: expected \d+, found \d+$/,
    sql: `delete from fix_comments where id = ${oneOf('fix_comments', `kind = 'reopen'`)}`,
  },
  {
    name: 'another outcome',
    reads: '^verdict execution (%)$',
    reports: /^verdict execution \S+ \/outcome: expected "failed", found "succeeded"$/,
    sql: `update executions set outcome = 'succeeded' where id = ${oneOf('executions', `outcome_rule = 'exit_code'`)} returning id as id`,
  },
  {
    name: 'another rule',
    reads: '^verdict execution (%)$',
    reports: /\/outcomeRule: expected "agent_signal", found "of nobody"$/,
    sql: `update executions set outcome_rule = 'of nobody' where id = ${oneOf('executions', `outcome_rule = 'agent_signal'`)} returning id as id`,
  },
  {
    name: 'another cause category',
    reads: '^verdict execution (%)$',
    reports: /\/cause\/category: expected "limit", found "process"$/,
    sql: `update executions set cause_category = 'process' where id = ${oneOf('executions', `cause_category = 'limit'`)} returning id as id`,
  },
  {
    name: 'a cause that points elsewhere',
    reads: '^verdict execution (%)$',
    reports: /\/cause\/pointer\/byteStart: expected \d+, found 1$/,
    sql: `update executions set cause_pointer = jsonb_set(cause_pointer, '{byteStart}', '1') where id = ${oneOf('executions', `cause_category = 'interruption'`)} returning id as id`,
  },
  {
    name: 'another retry verdict',
    reads: '^verdict execution (%)$',
    reports: /\/retry\/retry: expected "cannot-help", found "could-help"$/,
    sql: `update executions set advice = jsonb_set(advice, '{retry}', '"could-help"') where id = ${oneOf('executions', `outcome_rule = 'exit_code' and advice ->> 'retry' = 'cannot-help'`)} returning id as id`,
  },
  {
    name: 'another failure class',
    reads: '^verdict execution (%)$',
    reports: /\/calls\/\d+\/\d+: expected "is_dir", found "other"$/,
    sql: `update calls set failure_class = 'other' where failure_class = 'is_dir' returning execution_id as id`,
  },
  {
    name: 'another content state',
    reads: '^verdict execution (%)$',
    reports: /\/decision\/contentState: expected "absent", found "complete"$/,
    sql: `update decisions set content_state = 'complete' where execution_id = ${oneOf('decisions', `content_state = 'absent'`, 'execution_id')} returning execution_id as id`,
  },
  {
    name: 'another attempt of a chain',
    reads: '^verdict execution (%)$',
    reports: /\/chains\/\d+\/\d+\/0: expected 3, found 7$/,
    sql: `update execution_chains set attempt = 7 where rule = 'ci_run_attempts' and attempt = 3 returning execution_id as id`,
  },
  {
    name: 'another severity',
    reads: '^verdict parity-check (%)$',
    reports: /^verdict parity-check \S+ \/differences\/0\/3: expected "critical", found "info"$/,
    sql: `update parity_checks set differences = jsonb_set(differences, '{0,severity}', '"info"') where id = ${oneOf('parity_checks', `differences -> 0 ->> 'severity' = 'critical'`)} returning id as id`,
  },
  {
    name: 'another verdict of a chain',
    reads: '^verdict chain fixture/gap$',
    reports: /^verdict chain fixture\/gap \/stored\/0\/state: expected "broken", found "valid"$/,
    sql: `update chain_verdicts set state = 'valid' where chain_id = 'fixture/gap'`,
  },
  {
    name: 'another flag',
    reads: '^verdict fix (%)$',
    reports: /^verdict fix \S+ \/flags\/0\/code: expected "path-traversal", found "renamed"$/,
    sql: `update fix_flags set document = jsonb_set(document, '{code}', '"renamed"') where document ->> 'code' = 'path-traversal' returning fix_id as id`,
  },
  {
    name: 'another state of a fix',
    reads: '^verdict fix (%)$',
    reports: /^verdict fix \S+ \/state: expected "rejected", found "approved"$/,
    sql: `update fix_standing set state = 'approved' where state = 'rejected' returning fix_id as id`,
  },
  {
    name: 'a changed entry of the audit log',
    reads: '^verdict audit-log',
    reports: /^verdict audit-log \S+ \/valid: expected true, found false$/,
    sql: `update audit_log set actor = 'somebody' where seq = 3`,
  },
  {
    name: 'a byte of a patch',
    reads: '^download /fixes/\\S+\\.patch$',
    reports: /^download \/fixes\/\S+\.patch \/error: expected undefined, found ".*match its digest/,
    sql: `update patches set bytes = overlay(bytes placing 'X' from 20) where sha256 = ${oneOf('fixes', `task = 'full'`, 'patch_sha256')}`,
  },
  {
    name: 'a byte of what was received',
    reads: '^download of all',
    reports: /^download of all kept parts \/damaged: expected 0, found 1$/,
    sql: `update received set bytes = overlay(bytes placing 'X' from 2) where id = ${oneOf('received')}`,
  },
  {
    name: 'an id that is known no more',
    reads: '^address /x/f1f1f1f1-0006',
    reports: /^address \/x\/f1f1f1f1-0006\S+: missing$/,
    sql: `update execution_keys set external_id = 'renamed' where external_id = 'f1f1f1f1-0006-4000-8000-000000000001'`,
  },
  {
    name: 'a CI run at another address',
    reads: '^address /ci/gitlab',
    reports: /^address \/ci\/gitlab\S+: missing$/,
    sql: `update ci_runs set path = 'group/elsewhere' where provider = 'gitlab'`,
  },
  {
    name: 'an id that leads elsewhere',
    reads: '^address /x/f1f1f1f1-0006',
    reports: /^address \/x\/f1f1f1f1-0006-4000-8000-000000000002 \/location: expected/,
    sql: `update execution_keys set execution_id = ${oneOf('executions', `external_id like 'f1f1f1f1-0001%'`)} where external_id = 'f1f1f1f1-0006-4000-8000-000000000002'`,
  },
  {
    name: 'a key that opens nothing',
    reads: '^verdict sign-in$',
    reports: /^verdict sign-in \/key reader\/0: expected 200, found 40[13]$/,
    sql: `delete from api_key_grants where key_id = (select id from api_keys where name = 'reader')`,
  },
  {
    name: 'a session that is gone',
    reads: '^verdict sign-in$',
    reports: /^verdict sign-in \/viewer\/0: expected 200, found 401$/,
    sql: `delete from sessions where person_id = (select id from people where name = 'Vera')`,
  },
  {
    name: 'a credential that opens no more',
    reads: '^verdict sealed',
    reports: /^verdict sealed connections \/0\/opened: expected true, found false$/,
    sql: `update source_connections set credential = overlay(credential placing 'X' from 20)`,
  },
]

/** Plants all of them past the triggers that forbid it. @returns what has to be read to find them */
export async function plant(sql: Sql): Promise<RegExp> {
  const reads: string[] = []
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    for (const damage of DAMAGE) {
      const changed = await tx.unsafe<{ id?: string }[]>(damage.sql)
      if (changed.count === 0) throw new Error(`nothing to damage: ${damage.name}`)
      reads.push(damage.reads.replace('%', changed.map(({ id }) => id).join('|')))
    }
  })
  return new RegExp(reads.join('|'))
}
