import type { PathPass, PathPasses } from '../../model/messages/decision'
import { RULE_STAGES, type RuleStage, type RuleValue } from '../../model/rule-step'
import { stageOfRule } from '../../model/decision-rules'

/** Where a verdict is on its way. */
export const LANES = ['open', 'succeeded', 'retriable', 'failed'] as const
export type Lane = (typeof LANES)[number]

/** A rule that fired, as documents carry it. */
export interface FiredRule {
  rule: string
  stage: string
  inputs: Readonly<Record<string, RuleValue>>
  effect: string
}

/** What the path is drawn from. */
export interface PathInput {
  /** Rules that fired, in the order of evaluation. */
  trace: readonly FiredRule[]
  exitCode: number | null
  termination: string | null
  channel: string | null
  subtype: string | null
  /** What the gates looked at; null when it is not known. */
  gates: { writes: number; earlierInARow: number | null; maxConsecutiveRetries: number } | null
}

export interface PathStop {
  stage: RuleStage
  /** Where the verdict is behind this stage. */
  lane: Lane
  /** It is this stage that moved it there. */
  moved: boolean
  rules: readonly FiredRule[]
  /** Where no rule fired: why, and the values that made it so. */
  passed: { why: PathPass; values: Readonly<Record<string, RuleValue>> } | null
}

const stageOf = (fired: FiredRule): string => stageOfRule(fired.rule) ?? fired.stage

/** The way of a verdict through the stages, in their order. What the run says of itself has a stage only where it decided. */
export function pathOf(input: PathInput): PathStop[] {
  let lane: Lane = 'open'
  return RULE_STAGES.filter(
    (stage) => stage !== 'signal' || input.trace.some((fired) => stageOf(fired) === stage),
  ).map((stage) => {
    const rules = input.trace.filter((fired) => stageOf(fired) === stage)
    const before = lane
    lane = laneBehind(stage, before, rules, input)
    return {
      stage,
      lane,
      moved: lane !== before,
      rules,
      passed: rules.length > 0 ? null : passedBy(stage, lane, input),
    }
  })
}

const fired = (rules: readonly FiredRule[], ...codes: string[]): boolean =>
  rules.some(({ rule }) => codes.includes(rule))

function laneBehind(stage: RuleStage, lane: Lane, rules: readonly FiredRule[], input: PathInput): Lane {
  switch (stage) {
    case 'success':
      return isSuccess(input) ? 'succeeded' : lane
    case 'retry':
      return behindRetry(lane, rules, input)
    case 'contradiction':
      return rules.length > 0 ? 'retriable' : lane
    case 'dead_end':
      return rules.some(({ rule }) => rule.startsWith('guard:dead_end_promoted:')) ? 'retriable' : lane
    case 'gates':
      return rules.reduce<Lane>((at, { rule }) => GATES[rule] ?? at, lane)
    case 'signal':
      return 'failed'
    default:
      return lane
  }
}

const GATES: Record<string, Lane> = {
  'gate:path_contamination': 'retriable',
  'gate:contract_recovery': 'retriable',
  'gate:zero_writes': 'retriable',
  'gate:budget_exhausted': 'failed',
}

/** Before anything is said against it. */
const isSuccess = ({ trace }: PathInput): boolean => fired(trace, 'content:ok', 'success:channel_b_bypass')

/** An attempt that went silent has no rule of its own for being tried again. */
const isSilent = ({ termination, trace }: PathInput): boolean =>
  termination === 'stale' && !fired(trace, 'retry:none', 'stale:recovered')

function behindRetry(lane: Lane, rules: readonly FiredRule[], input: PathInput): Lane {
  if (fired(rules, 'stale:recovered') || lane === 'succeeded') return 'succeeded'
  if (fired(rules, 'retry:none')) return 'failed'
  return rules.length > 0 || isSilent(input) ? 'retriable' : lane
}

const stop = <Id extends keyof PathPasses>(
  id: Id,
  params: PathPasses[Id],
  values: Record<string, RuleValue> = {},
): PathStop['passed'] => ({ why: { id, params } as PathPass, values })

function passedBy(stage: RuleStage, lane: Lane, input: PathInput): PathStop['passed'] {
  const { exitCode, termination, channel, subtype, gates } = input
  if (fired(input.trace, 'peer_parse_exception')) return stop('output_unreadable', {})
  switch (stage) {
    case 'recovery':
      return termination === 'idle_stall' || isSilent(input)
        ? stop('nothing_recovered', {}, { termination })
        : stop('result_as_printed', {}, { subtype, channel })
    case 'content':
      return unrequested(input)
    case 'success':
      if (input.trace.some(({ rule }) => rule.startsWith('content:')))
        return stop('decided_by_content', {}, { termination, exit_code: exitCode })
      return termination !== null && ENDS_IN_FAILURE.has(termination)
        ? stop('no_success', { termination }, { termination })
        : stop(
            'exit_code_stands',
            {},
            {
              exit_code: exitCode,
            },
          )
    case 'retry':
      return stop('silent_run_retried', {}, { termination })
    case 'contradiction':
      return stop('no_contradiction', { succeeded: lane === 'succeeded' })
    case 'dead_end':
      if (lane === 'failed') return stop('no_channel', {}, { channel })
      return stop(lane === 'succeeded' ? 'already_succeeded' : 'already_retried', {})
    default:
      return gates === null
        ? stop('no_gate_closed', {})
        : stop(
            'no_gate_closed',
            {},
            {
              writes: gates.writes,
              ...(gates.earlierInARow === null
                ? {}
                : { attempts: gates.earlierInARow, max: gates.maxConsecutiveRetries }),
            },
          )
  }
}

const ENDS_IN_FAILURE: ReadonlySet<string> = new Set(['timed_out', 'stale', 'idle_stall'])

/** Why the content was not asked. */
function unrequested({ trace, termination, exitCode }: PathInput): PathStop['passed'] {
  if (fired(trace, 'success:channel_b_bypass', 'success:channel_b_patterns_missing'))
    return stop('decided_by_channel', {})
  if (termination !== null && ENDS_IN_FAILURE.has(termination))
    return stop('content_skipped', { termination }, { termination })
  return stop(
    'content_skipped_by_error',
    {},
    {
      exit_code: exitCode,
    },
  )
}
