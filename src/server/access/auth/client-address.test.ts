import { expect, test } from 'bun:test'
import { clientAddressFinder } from './client-address.ts'

const find = (trusted: readonly string[], socket: string, forwardedFor?: string) =>
  clientAddressFinder(trusted)(socket, forwardedFor ?? null)

test('without trusted proxies X-Forwarded-For is ignored', () => {
  expect(find([], '198.51.100.7', '10.0.0.1')).toBe('198.51.100.7')
})

test('only a trusted proxy is believed', () => {
  expect(find(['10.0.0.0/8'], '198.51.100.7', '203.0.113.9')).toBe('198.51.100.7')
})

test('a trusted proxy is believed for the hop it saw, not for what the client claimed before it', () => {
  expect(find(['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 203.0.113.9')).toBe('203.0.113.9')
})

test('a chain of trusted proxies is followed back to the first untrusted address', () => {
  expect(find(['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2')).toBe('203.0.113.9')
})

test('an invalid entry in the list ends the walk at the last address that was believed', () => {
  expect(find(['10.0.0.0/8'], '10.0.0.1', '203.0.113.9, unknown, 10.0.0.2')).toBe('10.0.0.2')
  expect(find(['10.0.0.0/8'], '10.0.0.1', '')).toBe('10.0.0.1')
  expect(find(['10.0.0.0/8'], '10.0.0.1')).toBe('10.0.0.1')
})

test('a port behind an address in the list is not part of the address', () => {
  const proxies = ['10.0.0.0/8', '::1']
  expect(find(proxies, '10.0.0.1', '203.0.113.9:8080')).toBe('203.0.113.9')
  expect(find(proxies, '10.0.0.1', '203.0.113.9:8080, [::1]:80, 10.0.0.2:1')).toBe('203.0.113.9')
  expect(find(proxies, '10.0.0.1', '[2001:db8::1]:443')).toBe('2001:db8::1')
  expect(find(proxies, '10.0.0.1', '[2001:db8::1]')).toBe('2001:db8::1')
  expect(find(proxies, '10.0.0.1', '[::ffff:203.0.113.9]:443')).toBe('203.0.113.9')
  expect(find(proxies, '10.0.0.1', '2001:db8::1:80')).toBe('2001:db8::1:80')
})

test('an entry that only resembles an address with a port is invalid', () => {
  const hops = [
    '203.0.113.9:',
    '203.0.113.9:123456',
    '203.0.113.9:http',
    '[2001:db8::1',
    '[unknown]:80',
    '1.1:80',
  ]
  for (const hop of hops) expect(find(['10.0.0.0/8'], '10.0.0.1', hop)).toBe('10.0.0.1')
})

test('an IPv4 address inside IPv6 is that IPv4 address', () => {
  expect(find([], '::ffff:198.51.100.7')).toBe('198.51.100.7')
  expect(find(['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.9')).toBe('203.0.113.9')
})

test('a malformed trusted proxy is an error of the configuration', () => {
  expect(() => clientAddressFinder(['proxy.internal'])).toThrow('proxy.internal')
})

test('only the last 32 hops of a chain are read, however many a client has written', () => {
  const find = clientAddressFinder(['10.0.0.0/8'])
  const chain = (hops: number) => ['192.0.2.7', ...Array(hops).fill('10.0.0.2')].join(', ')
  expect(find('10.0.0.1', chain(31))).toBe('192.0.2.7')
  expect(find('10.0.0.1', chain(32))).toBe('10.0.0.2')
})
