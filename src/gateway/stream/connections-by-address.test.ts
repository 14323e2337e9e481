import { expect, test } from 'bun:test'
import { ConnectionsByAddress } from './connections-by-address.ts'

test('an address has the connections that it opened and has not closed, and no other ones', () => {
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

test('connections may close while those of their address are gone through', () => {
  const connections = new ConnectionsByAddress<string>()
  for (const name of ['first', 'second', 'third']) connections.add('192.0.2.1', name)
  const seen: string[] = []
  for (const name of connections.of('192.0.2.1')) {
    connections.remove('192.0.2.1', name)
    seen.push(name)
  }
  expect(seen).toEqual(['first', 'second', 'third'])
})
