export interface BudgetLimits {
  /** Bytes that all holders may hold at once. */
  bytesMax: number
  /** Bytes besides, for the first `smallBytes` of each holder: what is small gets through while large ones fill the rest. */
  smallBytesMax: number
  smallBytes: number
  /** When the budget is full, a sender slower than this may lose its place… */
  slowBytesPerSecond: number
  /** …once it has had this long. */
  graceMs: number
}

/** What one request holds of the budget. */
export interface Share {
  readonly bytes: number
  /** Asks for so many more bytes; false when there is no room, and the share is unchanged. */
  grow(bytes: number, nowMs: number): boolean
  /** The sender has nothing more to send: from now on only our own work keeps the bytes. */
  settle(): void
  /** Gives everything back; may be called more than once. */
  release(): void
}

export interface ByteBudget {
  /**
   * @param onEvict called when others need the bytes and this sender is too slow; everything it holds must be dropped before it
   * returns. The share is released then
   */
  open(nowMs: number, onEvict: () => void): Share
  /** Bytes held now, of both parts. */
  held(): number
}

interface Holder {
  small: number
  large: number
  startedMs: number
  isSending: boolean
  evict: () => void
}

/**
 * A budget of bytes over all requests in flight. Bytes are counted as they come, so a slow sender holds what it sent and not what it
 * announced; and while the budget is full, the largest of the slow senders makes room for the others.
 */
export function createByteBudget({
  bytesMax,
  smallBytesMax,
  smallBytes,
  slowBytesPerSecond,
  graceMs,
}: BudgetLimits): ByteBudget {
  const holders = new Set<Holder>()
  let [small, large] = [0, 0]

  function take(holder: Holder, bytes: number): boolean {
    const intoSmall = Math.min(bytes, Math.max(0, smallBytes - holder.small), smallBytesMax - small)
    const intoLarge = bytes - intoSmall
    if (large + intoLarge > bytesMax) return false
    small += intoSmall
    large += intoLarge
    holder.small += intoSmall
    holder.large += intoLarge
    return true
  }

  function drop(holder: Holder): void {
    if (!holders.delete(holder)) return
    small -= holder.small
    large -= holder.large
    holder.small = holder.large = 0
  }

  /** Ends the largest of the slow senders. @returns false when there is none */
  function makeRoom(asking: Holder, nowMs: number): boolean {
    const isSlow = ({ small, large, startedMs }: Holder): boolean =>
      nowMs - startedMs > graceMs && (small + large) * 1000 < slowBytesPerSecond * (nowMs - startedMs)
    const slow = [...holders].filter((one) => one !== asking && one.isSending && one.large > 0 && isSlow(one))
    const largest = slow.sort((a, b) => b.large - a.large)[0]
    if (largest === undefined) return false
    drop(largest)
    largest.evict()
    return true
  }

  return {
    open(startedMs, evict) {
      const holder: Holder = { small: 0, large: 0, startedMs, isSending: true, evict }
      holders.add(holder)
      return {
        get bytes() {
          return holder.small + holder.large
        },
        grow(bytes, nowMs) {
          if (!holders.has(holder)) return false
          while (!take(holder, bytes)) if (!makeRoom(holder, nowMs)) return false
          return true
        },
        settle: () => void (holder.isSending = false),
        release: () => drop(holder),
      }
    },
    held: () => small + large,
  }
}
