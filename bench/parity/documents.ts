import type { Random } from '../support/random'
import { proseOf } from '../support/sessions'

const BYTES = 2_000_000
/** Rows of which the right layers lost something. */
const LOST = 20

/** A run as the source's API returns it, of about `BYTES`: rows with ids above 2^53 and a nested context. */
export function documentOf(random: Random): string {
  const rows: string[] = []
  let id = 620_356_925_057_663_015n
  for (let bytes = 0; bytes < BYTES - 2_000; ) {
    id += BigInt(1 + random.int(1_000_000))
    const row =
      `{"event_id":${id},"execution_id":"620356925057000001","event_type":"step.exit","node_name":"step_${rows.length % 40}","status":"COMPLETED","duration":${random.next().toFixed(6)},` +
      `"result":{"status":"COMPLETED","context":{"status":"ok","framework":"noetl","rows":${random.int(5000)},"note":${JSON.stringify(proseOf(random, 300))},` +
      `"meta":{"inline_decision":{"inline":true,"depth":${random.int(4)},"reasons":["small","pure"]}}}}}`
    rows.push(row)
    bytes += row.length + 1
  }
  return `{"execution_id":"620356925057000001","status":"COMPLETED","events":[${rows.join(',')}]}`
}

/** The same with `LOST` rows whose nested object became nothing, as a projection that keeps scalars leaves them. */
export function lossy(text: string, layer: number): string {
  let n = 0
  return text.replace(/"meta":\{"inline_decision":\{[^}]*\}\}/g, (found) =>
    ++n % 100 === layer && n / 100 < LOST ? '"meta":{}' : found,
  )
}
