import type { Receipt } from '@/lib/formats/receipt/receipt'

/** Receipts that wait for their chain to be verified; more than these and the input waits. */
const waitingMax = 64

/** Hands receipts, as they are found, to one who takes them one by one. */
export interface Feed {
  receipts: AsyncIterable<Receipt>
  /** A promise when there are enough for now. */
  push(receipt: Receipt): Promise<void> | undefined
  end(): void
}

export function createFeed(): Feed {
  let waiting: Receipt[] = []
  let ended = false
  let wake = (): void => {}
  let room = (): void => {}
  async function* receipts(): AsyncGenerator<Receipt, void, undefined> {
    for (;;) {
      const taken = waiting
      waiting = []
      room()
      yield* taken
      if (waiting.length > 0) continue
      if (ended) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return {
    receipts: receipts(),
    push(receipt) {
      waiting.push(receipt)
      wake()
      return waiting.length < waitingMax ? undefined : new Promise((resolve) => (room = resolve))
    },
    end() {
      ended = true
      wake()
    },
  }
}
