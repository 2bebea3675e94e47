import { parseCell } from '@/lib/judge/decisions/replay-cell'
import {
  CURRENT_POLICY,
  FORMER_POLICY,
  POLICIES,
  policyNamed,
  type Policy,
} from '@/lib/judge/decisions/policies'
import { parseFilter } from '@/lib/views/executions/filter'
import type { ReplayQuestion } from './replay-address'

export interface AskedWords {
  q: string | null
  project: string | null
  from: string | null
  to: string | null
  cell: string | null
}

/** Reads the address of the page: never fails; what it could not take falls back, and `problems` says so. */
export function readQuestion(asked: AskedWords): { question: ReplayQuestion; problems: string[] } {
  const problems: string[] = []
  const named = (name: string | null, fallback: Policy): Policy => {
    const policy = policyNamed(name ?? '')
    if (policy === null && name)
      problems.push(
        `No policy “${name.slice(0, 80)}” (known: ${POLICIES.map((known) => known.name).join(', ')}). Using ${fallback.name}.`,
      )
    return policy ?? fallback
  }
  const cell = parseCell(asked.cell)
  const question = {
    filter: parseFilter(asked.q ?? '').filter,
    project: asked.project === '' ? null : asked.project,
    from: named(asked.from, FORMER_POLICY),
    to: named(asked.to, CURRENT_POLICY),
    cell,
  }
  if (cell === null && asked.cell)
    problems.push(`No cell “${asked.cell.slice(0, 80)}”. Showing all changed decisions.`)
  return { question, problems }
}
