import { BlockList, isIPv4 } from 'node:net'
import { startText } from '@/lib/words/server/start'
import type { TrustedProxies } from './client-address'

/** Where a reverse proxy usually is. A stranger on the internet must not make us suggest that they be trusted. */
const NEARBY = new BlockList()
for (const [address, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  NEARBY.addSubnet(address, prefix, 'ipv4')
NEARBY.addAddress('::1', 'ipv6')
NEARBY.addSubnet('fc00::', 7, 'ipv6')

/**
 * Says once that there is a reverse proxy which `INQUEST_TRUSTED_PROXIES` does not name: to the limits of sign-in all of its clients are one.
 *
 * @returns what to call for each request, with the client's address and whether `X-Forwarded-For` was sent
 */
export function hintAtProxies(
  trusted: TrustedProxies,
  say: (line: string) => void,
): (client: string, isForwarded: boolean) => void {
  let isDone = trusted !== null
  return (client, isForwarded) => {
    if (isDone || !isForwarded || client === '' || !NEARBY.check(client, isIPv4(client) ? 'ipv4' : 'ipv6'))
      return
    isDone = true
    say(startText.proxyHint({ client }))
  }
}
