import { BlockList, isIP, isIPv4 } from 'node:net'
import { startText } from '@/lib/words/server/start'

/** Addresses of reverse proxies whose `X-Forwarded-For` is believed. */
export type TrustedProxies = BlockList | null

/**
 * Reads `INQUEST_TRUSTED_PROXIES`: IP addresses and CIDR ranges, with commas between them.
 *
 * @returns the proxies, null when there are none; or what is wrong with the setting
 */
export function readTrustedProxies(
  env: Record<string, string | undefined>,
): { proxies: TrustedProxies } | { trouble: string } {
  const entries = (env.INQUEST_TRUSTED_PROXIES ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  if (entries.length === 0) return { proxies: null }
  const proxies = new BlockList()
  for (const entry of entries) {
    const range = parseRange(entry)
    if (range === null)
      return {
        trouble: startText.badProxy({ entry }),
      }
    if (range.prefix === 0)
      return {
        trouble: startText.openProxy({ entry }),
      }
    proxies.addSubnet(range.address, range.prefix, familyOf(range.address))
  }
  return { proxies }
}

/**
 * The address of the client that sent a request. With a trusted proxy at the other end of the connection it is the last address of
 * `X-Forwarded-For` that is not itself a trusted proxy: each proxy appends the address it was reached from, so whatever stands
 * before that one was written by the client.
 *
 * @param remote    the other end of the connection, as the socket has it; undefined once it is closed
 * @param forwarded the header `X-Forwarded-For`, several lines joined by commas
 * @returns an address as `canonicalAddress` writes it; `''` where none is known
 */
export function clientAddress(
  remote: string | undefined,
  forwarded: string | string[] | undefined,
  trusted: TrustedProxies,
): string {
  let client = canonicalAddress(remote ?? '') ?? ''
  if (trusted === null || forwarded === undefined) return client
  const hops = String(forwarded).split(',')
  while (hops.length > 0 && isTrusted(client, trusted)) {
    const hop = canonicalAddress(withoutPort(hops.pop()!.trim()))
    // A hop that is no address ends the chain: what is before it cannot be attributed.
    if (hop === null) break
    client = hop
  }
  return client
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

const isTrusted = (address: string, trusted: BlockList): boolean =>
  address !== '' && trusted.check(address, familyOf(address))

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop

/** One spelling for each address: IPv6 compressed and lower-case without its zone, IPv4 within IPv6 as IPv4. Null: no address. */
export function canonicalAddress(text: string): string | null {
  if (isIPv4(text)) return text
  if (isIP(text) === 0) return null
  const address = new URL(`http://[${text.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(address)
  if (!mapped) return address
  const [high, low] = [parseInt(mapped[1]!, 16), parseInt(mapped[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function parseRange(entry: string): { address: string; prefix: number } | null {
  const [, text, bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const address = text === undefined ? null : canonicalAddress(text)
  if (address === null) return null
  const bitsMax = isIPv4(text!) ? 32 : 128
  const given = bits === undefined ? bitsMax : Number(bits)
  if (given > bitsMax) return null
  if (!isIPv4(address) || isIPv4(text!)) return { address, prefix: given }
  // A range of IPv4 addresses in the notation of IPv6.
  return given < 96 ? null : { address, prefix: given - 96 }
}
