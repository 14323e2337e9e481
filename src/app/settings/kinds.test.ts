/** Forms of settings at their bounds, and each of two forms that look alike. */
import { expect, test } from 'bun:test'
import {
  ADDRESS_RANGES,
  type Kind,
  listenedPlace,
  ORDER_WINDOWS,
  ORIGINS,
  PORT,
  REACHED_PLACES,
  reachedPlace,
} from './kinds.ts'

const takes = ({ check }: Kind, value: unknown) => check(value) !== undefined
const times = <Item>(count: number, item: (i: number) => Item) =>
  Array.from({ length: count }, (_, i) => item(i))

test('an origin has either scheme of HTTP, and no other', () => {
  for (const origin of ['http://a.example', 'https://a.example', 'https://a.example:8443', '*'])
    expect([origin, takes(ORIGINS, [origin])]).toEqual([origin, true])
  for (const none of [
    'ws://a.example',
    'a.example',
    'https://a.example/',
    'https://a.example/x',
    'http:/a',
    '',
  ])
    expect([none, takes(ORIGINS, [none])]).toEqual([none, false])
})

test('an address to connect to uses TLS with wss, and ws without TLS on this machine alone', () => {
  const reached = (text: string) => {
    const place = reachedPlace(text)
    return place?.kind === 'PORT' ? [place.host, place.port, place.isTls] : undefined
  }
  expect(reached('wss://engine.example:7000')).toEqual(['engine.example', 7000, true])
  expect(reached('wss://127.0.0.1:7000')).toEqual(['127.0.0.1', 7000, true])
  expect(reached('ws://127.0.0.1:7000')).toEqual(['127.0.0.1', 7000, false])
  expect(reached('ws://[::1]:7000/')).toEqual(['::1', 7000, false])
  expect(reached('wss://[2001:db8::1]:7000')).toEqual(['2001:db8::1', 7000, true])
  expect(reached('ws://engine.example:7000')).toBeUndefined()
  expect(reached('ws://192.0.2.1:7000')).toBeUndefined()
})

test('an address to listen on has TLS unless it is on this machine alone', () => {
  expect(listenedPlace('127.0.0.1:7000')).toEqual({
    kind: 'PORT',
    host: '127.0.0.1',
    port: 7000,
    isTls: false,
  })
  expect(listenedPlace('0.0.0.0:7000')).toEqual({ kind: 'PORT', host: '0.0.0.0', port: 7000, isTls: true })
  expect(listenedPlace('[::]:7000')).toEqual({ kind: 'PORT', host: '::', port: 7000, isTls: true })
  expect(listenedPlace('/run/bourse.sock')).toEqual({ kind: 'SOCKET', path: '/run/bourse.sock' })
})

test('no address and no setting has a port above 65535', () => {
  expect([takes(PORT, 65_535), takes(PORT, 65_536)]).toEqual([true, false])
  for (const place of [listenedPlace, (text: string) => reachedPlace(`wss://${text}`)]) {
    expect(place('a.example:65535')).toMatchObject({ port: 65_535 })
    expect(place('a.example:65536')).toBeUndefined()
  }
})

test.each([
  ['addresses', ADDRESS_RANGES, (i: number) => `10.0.0.${i}`],
  ['origins', ORIGINS, (i: number) => `https://a${i}.example`],
  ['places', REACHED_PLACES, (i: number) => `wss://a${i}.example:7000`],
] as const)('a list of %s has at most a hundred items', (_what, kind, item) => {
  expect([takes(kind, times(100, item)), takes(kind, times(101, item))]).toEqual([true, false])
})

test('windows of orders are one to ten, each under a name of its own', () => {
  const window = (i: number) => ({ name: `W${i}`, windowMs: 1_000, ordersMax: 1 })
  expect([0, 1, 10, 11].map((count) => takes(ORDER_WINDOWS, times(count, window)))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(takes(ORDER_WINDOWS, [window(1), { ...window(1), windowMs: 2_000 }])).toBe(false)
})
