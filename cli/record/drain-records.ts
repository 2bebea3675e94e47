import { deliverRecord, planOf } from './deliver-record'
import type { Delivering } from './deliver-record'
import { dropRecord, listRecords, setRecordAside, sizeOf } from './record-files'

export interface Drained {
  sent: number
  left: number
  /** Why the server refused the key, which no waiting changes. */
  refusal?: string
}

/** Sends the records that wait, oldest first, until all are sent or the server goes away; what a killed recorder left is redacted then. */
export async function drainRecords(delivering: Delivering): Promise<Drained> {
  const drained: Drained = { sent: 0, left: 0 }
  let { client } = delivering
  let trouble: unknown = null
  for (const folder of listRecords(delivering.env)) {
    try {
      const plan = await planOf(folder)
      if (plan === null) {
        // Its recorder was killed before anything was printed, or it is unknown what this is.
        if (sizeOf(folder, 'stdout') || sizeOf(folder, 'stderr')) setRecordAside(delivering.env, folder)
        else dropRecord(folder)
        continue
      }
      const delivery = await deliverRecord(folder, plan, { ...delivering, client })
      if (delivery.fate === 'sent') drained.sent += 1
      if (delivery.fate !== 'kept') continue
      client = { none: delivery.because }
      if (delivery.keyRefused) drained.refusal = delivery.because
    } catch (error) {
      // One that cannot be read must not keep the others back.
      trouble ??= error
    }
    drained.left += 1
  }
  if (trouble !== null) throw trouble
  return drained
}
