import { links } from '@/lib/links'
import { oneLine } from '@/lib/text/visible'
import { CliFailure } from './exit-codes'
import { askServer, type Client } from './http'

/** Our id of the one execution that any id names. */
export async function findExecution(client: Client, id: string): Promise<string> {
  const { items } = await askServer<{ items: { executionId: string }[] }>(client, {
    method: 'GET',
    path: links.api.find(id),
  })
  const found = [...new Set(items.map(({ executionId }) => executionId))]
  if (found.length === 0) throw new CliFailure('failed', `Nothing found with ID “${oneLine(id)}”.`)
  if (found.length > 1)
    throw new CliFailure(
      'failed',
      `“${oneLine(id)}” matches ${found.length} executions: ${found.slice(0, 5).join(', ')}.`,
    )
  return found[0]!
}
