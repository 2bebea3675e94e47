import type { FixQuestion } from '@/lib/model/fix-question'

/** The query of the list that server and browser ask with, so that both mean the same rows. */
export function fixSearch(
  { states, origins, safety, evidence, signals }: FixQuestion,
  project: string | null,
): string {
  const parts = {
    state: states,
    origin: origins,
    safety,
    evidence,
    signal: signals,
    project: project === null ? [] : [project],
  }
  return new URLSearchParams(
    Object.entries(parts)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, values.join(',')]),
  ).toString()
}
