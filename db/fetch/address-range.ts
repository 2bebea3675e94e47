import { BlockList, isIP } from 'node:net'

type Subnet = readonly [address: string, prefix: number]

const listOf = (v4: readonly Subnet[], v6: readonly Subnet[]): BlockList => {
  const list = new BlockList()
  for (const [address, prefix] of v4) list.addSubnet(address, prefix, 'ipv4')
  for (const [address, prefix] of v6) list.addSubnet(address, prefix, 'ipv6')
  return list
}

/** This machine and private networks: where a server of one's own may well stand. */
const PRIVATE = listOf(
  [
    ['127.0.0.0', 8],
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
  ],
  [
    ['::1', 128],
    ['fc00::', 7],
  ],
)

/** Where machines get metadata about themselves, and often credentials: never a source, in a private network neither. */
const METADATA = listOf(
  [
    ['169.254.0.0', 16],
    ['100.100.100.200', 32],
    ['168.63.129.16', 32],
  ],
  [
    ['fe80::', 10],
    ['fd00:ec2::254', 128],
    ['fd20:ce::254', 128],
  ],
)

/** No server of anyone's: this network, tests and documents, multicast, reserved, and IPv6 that stands for an IPv4 address. */
const NOBODY = listOf(
  [
    ['0.0.0.0', 8],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ],
  [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ],
)

const GLOBAL_V6 = listOf([], [['2000::', 3]])
const MAPPED_V4 = listOf([], [['::ffff:0:0', 96]])

/**
 * What kind of place an address is. `never` is asked under no setting.
 *
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function addressRange(address: string): 'public' | 'private' | 'never' {
  const family = isIP(address) === 4 ? 'ipv4' : isIP(address) === 6 ? 'ipv6' : null
  if (family === null) return 'never'
  // The lists know that an IPv6 address can be a spelling of an IPv4 one.
  if (METADATA.check(address, family) || NOBODY.check(address, family)) return 'never'
  if (PRIVATE.check(address, family)) return 'private'
  return family === 'ipv4' || GLOBAL_V6.check(address, family) || MAPPED_V4.check(address, family)
    ? 'public'
    : 'never'
}
