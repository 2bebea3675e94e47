import type { DecisionFacts, Way } from '@/lib/judge/decisions/decide'
import type { GateFacts } from '@/lib/judge/decisions/gates'
import { step } from '@/lib/model/rule-step'
import type { VerdictFacts } from '@/lib/judge/decisions/verdict-facts'
import { CHANNELS, CLI_SUBTYPES, TERMINATIONS } from '@/lib/judge/decisions/vocabulary'
import type { Random } from '../support/random'

const PATTERNS = [
  'plan_path\\s*=\\s*/.+',
  'worktree_path\\s*=\\s*/.+',
  'branch_name\\s*=\\s*\\S+',
  'verdict\\s*=\\s*(GO|NO GO)',
  '(?m)^pr_url\\s*=\\s*https://\\S+$',
]
const STATES = ['found', 'found', 'found', 'missing', 'missing', 'invalid'] as const

/** Facts as they are kept, on every branch that a verdict can take; those that contradict each other are left out. */
export function variedFacts(random: Random): DecisionFacts {
  return { way: variedWay(random), gates: variedGates(random) }
}

function variedWay(random: Random): Way {
  const drawn = random.next()
  if (drawn < 0.04) return { kind: 'idle_stall' }
  const verdict = variedVerdict(random)
  if (drawn < 0.12) return { kind: 'stale', verdict: random.chance(0.3) ? null : verdict }
  const recovery = random.chance(0.1)
    ? [
        step(
          'recovery',
          'recover:pattern_block',
          { patterns: verdict.patterns.map(({ pattern }) => pattern), messages: 3 },
          'what the agent said is added to the result',
        ),
      ]
    : []
  return { kind: 'session', recovery, verdict }
}

function variedVerdict(random: Random): VerdictFacts {
  const blank = random.chance(0.12)
  const markerSet = random.chance(0.8)
  const markerInResult = markerSet && !blank && random.chance(0.8)
  const isError = random.chance(0.08)
  const exhaustion = isError && random.chance(0.3) ? 'errors' : null
  const findings = blank ? (['missing'] as const) : STATES
  return {
    exitCode: random.chance(0.8) ? 0 : random.pick([1, 2, 130, -9]),
    termination: random.chance(0.7) ? 'natural_exit' : random.pick(TERMINATIONS),
    channel: random.pick(CHANNELS),
    subtype: random.chance(0.6) ? 'success' : random.pick(CLI_SUBTYPES),
    isError,
    blank,
    exhaustion,
    exhaustionSigns: exhaustion === null ? [] : [exhaustion],
    markerSet,
    markerInResult,
    markerInText: markerInResult,
    onlyMarker: markerInResult && random.chance(0.05),
    patterns: Array.from({ length: random.int(4) }, () => ({
      pattern: random.pick(PATTERNS),
      state: random.pick(findings),
    })),
  }
}

function variedGates(random: Random): GateFacts {
  return {
    contaminated: random.chance(0.03)
      ? { token: '../other', path: `/srv/other/src/file-${random.int(1_000)}.ts` }
      : null,
    warnings: random.chance(0.05) ? 1 + random.int(3) : 0,
    writeCount: random.chance(0.5) ? 0 : random.int(12),
    earlierInARow: random.chance(0.5) ? random.int(6) : null,
    commandIsCut: random.chance(0.1),
    maxConsecutiveRetries: 3,
    expectsWrites: random.chance(0.2),
  }
}
