import { expect, test } from 'bun:test'
import { ConnectionsByAddress } from './connections-by-address.ts'

test('an address has exactly the connections that it opened and has not closed', () => {
  const connections = new ConnectionsByAddress<string>()
  connections.add('192.0.2.1', 'first')
  connections.add('192.0.2.1', 'second')
  connections.add('192.0.2.2', 'third')
  connections.remove('192.0.2.1', 'first')
  connections.remove('192.0.2.2', 'second')
  expect(connections.of('192.0.2.1')).toEqual(['second'])
  expect(connections.of('192.0.2.2')).toEqual(['third'])
  expect(connections.of('192.0.2.3')).toEqual([])
})

test('nothing is kept of an address without connections', () => {
  const connections = new ConnectionsByAddress<string>()
  connections.add('192.0.2.1', 'first')
  connections.remove('192.0.2.1', 'first')
  connections.remove('192.0.2.1', 'first')
  expect(connections.addresses).toBe(0)
})

test('connections may close during an iteration over those of their address', () => {
  const connections = new ConnectionsByAddress<string>()
  for (const name of ['first', 'second', 'third']) connections.add('192.0.2.1', name)
  const seen: string[] = []
  for (const name of connections.of('192.0.2.1')) {
    connections.remove('192.0.2.1', name)
    seen.push(name)
  }
  expect(seen).toEqual(['first', 'second', 'third'])
})

test('a network of IPv6 has the connections of all its addresses, and no other ones', () => {
  const connections = new ConnectionsByAddress<string>()
  const open = ['2001:db8:1:201::/64', '2001:db8:1:2ff::/64', '2001:db8:1:300::/64', '2001:db8:2:200::/64']
  for (const address of open) connections.add(address, address)
  expect(connections.of('2001:db8:1:200::/56')).toEqual(open.slice(0, 2))
  expect(connections.of('2001:db8:1::/48')).toEqual(open.slice(0, 3))
  for (const address of open) connections.remove(address, address)
  expect(connections.addresses).toBe(0)
})
