import type { DifferenceKind, Severity } from '../../model/parity'
import { isObject, type ExactJson } from '../../text/exact-json'
import type { SeverityReason, SeverityReasons } from '../../model/messages/parity'
import { firstThatHolds, type RuleTable } from '../rule-table'
import { IDENTIFIER_FIELDS } from './identifier-fields'

const DIAGNOSIS_PATH = ['result', 'context', 'error', 'diagnosis']

const CONTRACT_MEMBERS = new Set(['status', 'framework', 'entrypoint', 'execution_id', 'error'])
const CONTRACT_ERROR_MEMBERS = new Set(['kind', 'code', 'message', 'retryable'])

/** Kinds by which a whole value is lost, whatever it holds. */
const LOSSES = new Set<DifferenceKind>([
  'missing',
  'truncated',
  'stringified_json',
  'collapsed_object',
  'dispatch_handle',
  'changed_type',
  'precision_lost',
])

const ON_CONTRACT: Record<DifferenceKind, Severity> = {
  missing: 'critical',
  truncated: 'critical',
  stringified_json: 'critical',
  collapsed_object: 'critical',
  changed_type: 'critical',
  dispatch_handle: 'critical',
  precision_lost: 'critical',
  changed_value: 'high',
  reordered_array: 'medium',
  extra: 'low',
  null_vs_absent: 'low',
}

const ELSEWHERE: Record<DifferenceKind, Severity> = {
  missing: 'medium',
  truncated: 'medium',
  stringified_json: 'medium',
  collapsed_object: 'medium',
  changed_type: 'medium',
  dispatch_handle: 'high',
  precision_lost: 'high',
  changed_value: 'medium',
  reordered_array: 'low',
  extra: 'low',
  null_vs_absent: 'info',
}

type Tokens = readonly (string | number)[]

interface Facts {
  kind: DifferenceKind
  path: Tokens
  /** What the left layer holds there has a diagnosis at or below it. */
  holdsDiagnosis: () => boolean
}

const SEVERITY_RULES: RuleTable<Facts, Severity, SeverityReasons> = [
  {
    id: 'on_contract',
    when: ({ path }) => isOnContract(path),
    verdict: ({ kind }) => ON_CONTRACT[kind],
    params: () => ({}),
    basis: 'recomputed',
  },
  {
    id: 'holds_diagnosis',
    when: ({ kind, holdsDiagnosis }) => LOSSES.has(kind) && holdsDiagnosis(),
    verdict: ({ kind }) => ON_CONTRACT[kind],
    params: () => ({}),
    basis: 'recomputed',
  },
  {
    id: 'id_digits',
    when: ({ kind, path }) => kind === 'precision_lost' && IDENTIFIER_FIELDS.has(path.at(-1)),
    verdict: 'critical',
    params: () => ({}),
    basis: 'recomputed',
  },
  {
    id: 'elsewhere',
    when: () => true,
    verdict: ({ kind }) => ELSEWHERE[kind],
    params: () => ({}),
    basis: 'recomputed',
  },
]

/** Decides how bad the differences of one comparison are. */
export class SeverityRules {
  private readonly found = new Map<object, (boolean | undefined)[]>()

  /** @param left what the left layer holds there; undefined when nothing */
  severityOf(
    kind: DifferenceKind,
    path: Tokens,
    left: ExactJson | undefined,
  ): { severity: Severity; rule: SeverityReason } {
    const { verdict, rule } = firstThatHolds(SEVERITY_RULES, {
      kind,
      path,
      holdsDiagnosis: () => this.holdsDiagnosis(left, matched(path)),
    })!
    return { severity: verdict, rule }
  }

  /** Whether a diagnosis stands somewhere at or below a value. @param matches how much of the path to one leads to the value itself */
  private holdsDiagnosis(value: ExactJson | undefined, matches: number): boolean {
    if (matches === DIAGNOSIS_PATH.length) return value !== null && value !== undefined
    if (!isObject(value) && !Array.isArray(value)) return false
    let known = this.found.get(value)
    if (known === undefined) this.found.set(value, (known = []))
    return (known[matches] ??= Array.isArray(value)
      ? value.some((item) => this.holdsDiagnosis(item, 0))
      : Object.keys(value).some((key) => this.holdsDiagnosis(value[key], nextMatch(matches, key))))
  }
}

/** How much of the path to a diagnosis the end of a path is. */
const matched = (path: Tokens): number =>
  path.reduce<number>((matches, token) => nextMatch(matches, token), 0)

const nextMatch = (matches: number, token: string | number): number =>
  token === DIAGNOSIS_PATH[matches] ? matches + 1 : token === DIAGNOSIS_PATH[0] ? 1 : 0

/** Whether a place belongs to what every layer has to hold of an agent's envelope. */
export function isOnContract(path: Tokens): boolean {
  return path.some(
    (token, i) => token === 'result' && path[i + 1] === 'context' && isContractMember(path.slice(i + 2)),
  )
}

function isContractMember(rest: Tokens): boolean {
  const [first, second] = rest
  if (rest.length === 1) return CONTRACT_MEMBERS.has(String(first))
  return (
    first === 'error' &&
    (second === 'diagnosis' || (rest.length === 2 && CONTRACT_ERROR_MEMBERS.has(String(second))))
  )
}

/** How a place stands to the diagnosis of an error: it is where that stands, or within it. */
export function placeOfDiagnosis(path: Tokens): 'at' | 'inside' | 'elsewhere' {
  const at = path.findIndex((token, i) => token === 'error' && path[i + 1] === 'diagnosis')
  return at === -1 ? 'elsewhere' : path.length === at + 2 ? 'at' : 'inside'
}
