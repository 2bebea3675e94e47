import { recordedRun } from '@/lib/sample/recorded-run'
import type { ExecutionItem } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import type { Product } from '../support/product'

/** Makes executions parts of a CI run, as the start of their record does; the first is of its newest attempt, so that it is the one that is open. */
async function makePartOf(
  { url, token }: Product,
  path: string,
  run: string,
  items: readonly ExecutionItem[],
): Promise<void> {
  for (const [n, item] of items.entries()) {
    const ci = { provider: 'github', path, run, attempt: n === 0 ? 1 : null, job: `job ${n}` }
    const { record } = recordedRun({
      id: item.externalId,
      ci,
      withoutEnd: true,
      ...(item.startedAt === null ? {} : { startedAt: item.startedAt }),
    })
    const answer = await fetch(`${url}${links.api.ingest('record')}`, {
      method: 'POST',
      body: record.replaceAll('record-of-', `record-of-${path}-${run}-`),
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`a record was refused: ${answer.status} ${await answer.text()}`)
  }
}

/** For each execution an address of a CI run that it is the only failure of, and one of a run with as many failures as are given. */
export async function makeCiRuns(
  product: Product,
  chosen: readonly ExecutionItem[],
  failures: number,
): Promise<{ only: string; several: string }[]> {
  const made: { only: string; several: string }[] = []
  for (const [i, item] of chosen.entries()) {
    const others = chosen.filter(({ id }) => id !== item.id).slice(0, failures - 1)
    await makePartOf(product, 'bench/only', String(i), [item])
    await makePartOf(product, 'bench/several', String(i), [item, ...others])
    made.push({
      only: links.ciRun('github', 'bench/only', String(i)),
      several: links.ciRun('github', 'bench/several', String(i)),
    })
  }
  return made
}
