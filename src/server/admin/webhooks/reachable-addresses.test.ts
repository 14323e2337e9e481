import { expect, test } from 'bun:test'
import { isPublicAddress } from './reachable-addresses.ts'

test('addresses of this machine, of its networks and unassigned ones are not public, in any notation', () => {
  for (const address of [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.1'],
    // Metadata addresses of clouds: AWS, Azure, Google, Oracle, Alibaba; also in forms of IPv6.
    ...['168.63.129.16', '169.254.170.2', '192.0.0.192', '100.100.100.200', 'fd00:ec2::254'],
    ...['::ffff:168.63.129.16', '64:ff9b::a83f:8110', '64:ff9b:1::a83f:8110', '2002:a83f:8110::1'],
    ...['172.31.255.255', '192.168.1.1', '198.18.0.1', '203.0.113.7', '224.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      'fc00::1',
      'fd12::1',
    ],
    ...['fe80::1', 'fe80::1%lo', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::', 'localhost', ''],
  ]) {
    expect([address, isPublicAddress(address)]).toEqual([address, false])
  }
})

test('addresses that are reachable from everywhere are public', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '172.32.0.1',
    '192.167.1.1',
    '168.63.129.15',
    '168.63.129.17',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ]) {
    expect([address, isPublicAddress(address)]).toEqual([address, true])
  }
})
