import { expect, test } from 'vitest'
import { addressRange } from './address-range'

const ranges = {
  public: ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'],
  private: [
    '127.0.0.1',
    '127.9.9.9',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd12::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
  ],
  never: [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    'fe80::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '::7f00:1',
    'fec0::1',
    '198.18.0.1',
    'localhost',
    '127.1',
    '',
  ],
}

test.each(Object.entries(ranges))('%s', (range, addresses) => {
  expect(Object.fromEntries(addresses.map((address) => [address, addressRange(address)]))).toEqual(
    Object.fromEntries(addresses.map((address) => [address, range])),
  )
})
