import type { ExitName } from '../exit-codes'
import { createClient } from '../http'
import type { Client } from '../http'
import { readSettings } from '../settings'
import type { Environment } from '../settings'

/** Runs one verb against the server and lets the connection go afterwards. */
export async function withServer(
  env: Environment,
  action: (client: Client) => Promise<ExitName>,
): Promise<ExitName> {
  const client = createClient(readSettings(env))
  try {
    return await action(client)
  } finally {
    client.close()
  }
}

/** A body for a call that takes JSON. */
export const jsonBody = (document: unknown): { headers: Record<string, string>; body: Uint8Array } => ({
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(document)),
})

/** Columns of plain text, as wide as their widest cell. */
export function tableLines(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join('  '),
  )
}
