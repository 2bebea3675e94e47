/**
 * What attempts of one client are counted under: an IPv4 address, or the first 64 bits of an IPv6 one, since a single machine may use
 * all addresses below them.
 *
 * @param address canonical, as the server sets it; anything else is its own name
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [head, tail] = address.split('::')
  const before = head === '' ? [] : head!.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}
