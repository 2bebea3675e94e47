import { describe, expect, test } from 'vitest'
import { clientAddress, readTrustedProxies, type TrustedProxies } from './client-address'
import { hintAtProxies } from './proxy-hint'
import { readUpSettings } from './settings'

const trusting = (text: string): TrustedProxies => {
  const read = readTrustedProxies({ INQUEST_TRUSTED_PROXIES: text })
  if ('trouble' in read) throw new Error(read.trouble)
  return read.proxies
}

describe('the address of a client', () => {
  const PROXIES = '10.0.0.0/8, 127.0.0.1, ::1, 2001:db8:f::/48'
  test.each<
    [name: string, trusted: string, remote: string | undefined, header: string | undefined, want: string]
  >([
    ['is the other end of the connection', '', '192.0.2.1', undefined, '192.0.2.1'],
    ['is none once the connection is closed', PROXIES, undefined, '192.0.2.1', ''],
    ['is IPv4 where the system writes it as IPv6', '', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['has no zone', '', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['without proxies ignores the header', '', '127.0.0.1', '203.0.113.1', '127.0.0.1'],
    ['ignores the header of an untrusted peer', PROXIES, '192.0.2.1', '203.0.113.1', '192.0.2.1'],
    ['is what a trusted proxy names', PROXIES, '10.1.2.3', '203.0.113.1', '203.0.113.1'],
    ['is that also over IPv6', PROXIES, '::1', '203.0.113.1', '203.0.113.1'],
    ['is that also for a mapped peer', PROXIES, '::ffff:10.1.2.3', '203.0.113.1', '203.0.113.1'],
    [
      'is that also for a peer mapped in hexadecimal',
      PROXIES,
      '::ffff:a01:203',
      '203.0.113.1',
      '203.0.113.1',
    ],
    ['may be IPv6, in any spelling', PROXIES, '10.0.0.1', '2001:DB8:0:0::1', '2001:db8::1'],
    ['may be a mapped one in the header', PROXIES, '10.0.0.1', '::ffff:203.0.113.1', '203.0.113.1'],
    [
      'is the last one, not what the client wrote',
      PROXIES,
      '10.0.0.1',
      '1.1.1.1, 203.0.113.1',
      '203.0.113.1',
    ],
    [
      'is before further trusted proxies',
      PROXIES,
      '10.0.0.1',
      '1.1.1.1, 203.0.113.1, 2001:db8:f::2, 10.9.9.9',
      '203.0.113.1',
    ],
    [
      'is not behind an untrusted hop',
      PROXIES,
      '10.0.0.1',
      '203.0.113.1, 198.51.100.7, 10.0.0.2',
      '198.51.100.7',
    ],
    ['is the first where all are trusted', PROXIES, '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['has no port', PROXIES, '10.0.0.1', '203.0.113.1:4711', '203.0.113.1'],
    ['has no port in IPv6 either', PROXIES, '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['may stand in brackets', PROXIES, '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['is the proxy where it names nobody', PROXIES, '10.0.0.1', undefined, '10.0.0.1'],
    ['is the proxy where the header is empty', PROXIES, '10.0.0.1', '', '10.0.0.1'],
    ['is the proxy where it names no address', PROXIES, '10.0.0.1', '203.0.113.1, unknown', '10.0.0.1'],
    ['is the proxy where it names garbage', PROXIES, '10.0.0.1', '203.0.113.1,\t<script>, ', '10.0.0.1'],
    ['is no number out of range', PROXIES, '10.0.0.1', '203.0.113.999', '10.0.0.1'],
    ['is no number in another notation', PROXIES, '10.0.0.1', '0x7f.1', '10.0.0.1'],
    ['is the last hop that can be read', PROXIES, '10.0.0.1', '203.0.113.1, _hidden, 10.0.0.7', '10.0.0.7'],
  ])('%s', (_name, trusted, remote, header, want) =>
    expect(clientAddress(remote, header, trusting(trusted))).toBe(want),
  )

  test('a range of IPv4 may be written as IPv6', () => {
    expect(clientAddress('10.1.2.3', '203.0.113.1', trusting('::ffff:10.0.0.0/104'))).toBe('203.0.113.1')
    expect(clientAddress('11.1.2.3', '203.0.113.1', trusting('::ffff:10.0.0.0/104'))).toBe('11.1.2.3')
  })
})

describe('INQUEST_TRUSTED_PROXIES', () => {
  test.each(['', ' ', ' , '])('"%s" names no proxy', (text) => expect(trusting(text)).toBeNull())

  test.each([
    'proxy.example',
    '10.0.0',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::ffff:10.0.0.0/8',
    '10.0.0.1:80',
    '10.0.0.1 10.0.0.2',
    '10.0.0.1, *',
  ])('"%s" is refused at the start, with what to write', (text) =>
    expect(() => readUpSettings({ INQUEST_TRUSTED_PROXIES: text })).toThrow(
      /^INQUEST_TRUSTED_PROXIES has "[^"]+"; each entry must be an IP address or a CIDR range/,
    ),
  )

  test.each(['0.0.0.0/0', '::/0', '10.0.0.1,::ffff:0:0/96'])(
    '"%s" would let clients name their own address',
    (text) => expect(() => readUpSettings({ INQUEST_TRUSTED_PROXIES: text })).toThrow(/trusts every client/),
  )
})

describe('a proxy that is not trusted', () => {
  const said = (trusted: TrustedProxies, requests: [client: string, isForwarded: boolean][]): string[] => {
    const lines: string[] = []
    const hint = hintAtProxies(trusted, (line) => void lines.push(line))
    for (const [client, isForwarded] of requests) hint(client, isForwarded)
    return lines
  }

  test.each(['127.0.0.1', '10.1.2.3', '172.20.0.1', '192.168.1.1', '::1', 'fd00::1'])(
    'is named once, with the setting, at %s',
    (proxy) =>
      expect(
        said(null, [
          [proxy, true],
          [proxy, true],
          ['10.9.9.9', true],
        ]),
      ).toEqual([expect.stringContaining(`set INQUEST_TRUSTED_PROXIES=${proxy} if it is yours`)]),
  )

  test('is none where nothing is forwarded, where proxies are named, and where a stranger writes the header', () => {
    expect(said(null, [['127.0.0.1', false]])).toEqual([])
    expect(said(trusting('10.0.0.5'), [['127.0.0.1', true]])).toEqual([])
    expect(
      said(null, [
        ['203.0.113.1', true],
        ['2001:db8::1', true],
        ['', true],
      ]),
    ).toEqual([])
  })
})
