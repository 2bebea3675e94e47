import { listCiExecutions } from '@/db/queries/ci-runs'
import { parseCiAddress } from '@/lib/views/ci/ci-address'
import { onlyFailure, viewCiRun } from '@/lib/views/ci/ci-view'
import { links } from '@/lib/links'
import { readReader } from './access'
import { db } from './db'

/** Whether an address of a CI run asks for its list also where one failure would open at once. */
export const asksForList = (param: (name: string) => string | null): boolean =>
  param('view') === 'list' || param('open') !== null

/**
 * The page of the only failure of a CI run, opened as the link of its record opens it; null where there is none or a choice, and the page of the run says the rest.
 *
 * @param path what follows `/ci/`, as it is in the address
 */
export async function ciOnly(headers: Headers, path: string, search: string): Promise<string | null> {
  const address = parseCiAddress(path)
  const asked = new URLSearchParams(search)
  if (address === null || asksForList((name) => asked.get(name))) return null
  try {
    const reader = await readReader(headers)
    if (!reader) return null
    const { items } = await listCiExecutions(
      db(),
      reader.projects.map((project) => project.id),
      { ...address, attempt: null },
    )
    const only = onlyFailure(viewCiRun(items, address))
    return only && links.decided(only.id)
  } catch {
    // The page asks again, and shows what went wrong.
    return null
  }
}
