import { describe, expect, test } from 'bun:test'
import {
  type ConnectionTerms,
  connectionsToCut,
  type OpenConnection,
  perAddressMax,
  perOtherPortMax,
  SILENT_MS_MAX,
} from './connection-policy.ts'

const TERMS: ConnectionTerms = { descriptorsMax: 1_000, perAddressMax: 100 }

type Named = OpenConnection & { readonly name: string }

function connection(name: string, more: Partial<OpenConnection> = {}): Named {
  return { name, key: '198.51.100.1', wider: [], port: 'CLIENTS', hasSent: true, silentMs: 0, ...more }
}

/** `count` connections of one address, the first of which has been idle for longest. */
function many(count: number, name: string, more: Partial<OpenConnection> = {}): Named[] {
  return Array.from({ length: count }, (_, at) =>
    connection(`${name}${at}`, { silentMs: count - at, ...more }),
  )
}

const namesCut = (open: readonly Named[], used = open.length, terms = TERMS): string[] =>
  [...connectionsToCut(open, used, terms)].map(([{ name }, cause]) => `${name} ${cause}`)

describe('a connection that has sent nothing', () => {
  test('is closed after three seconds, on every port', () => {
    const silent = { hasSent: false, silentMs: SILENT_MS_MAX }
    const open = [connection('client', silent), connection('link', { ...silent, port: 7_000 })]
    expect(SILENT_MS_MAX).toBe(3_000)
    expect(namesCut(open)).toEqual(['client SILENT', 'link SILENT'])
  })

  test('is kept until then, and kept once it has sent', () => {
    const open = [
      connection('new', { hasSent: false, silentMs: SILENT_MS_MAX - 1 }),
      connection('asked', { silentMs: 10 * SILENT_MS_MAX }),
    ]
    expect(namesCut(open)).toEqual([])
  })
})

describe('an address with too many connections', () => {
  test('loses the one that has been silent the longest, and no other address loses one', () => {
    const open = [
      ...many(TERMS.perAddressMax + 2, 'a'),
      ...many(TERMS.perAddressMax, 'b', { key: '198.51.100.2' }),
    ]
    expect(namesCut(open)).toEqual(['a0 ADDRESS', 'a1 ADDRESS'])
  })

  test('loses those that have sent nothing before the others', () => {
    const open = [...many(TERMS.perAddressMax, 'old'), connection('mute', { hasSent: false, silentMs: 1 })]
    expect(namesCut(open)).toEqual(['mute ADDRESS'])
  })

  test('never has half of all descriptors, whatever the settings', () => {
    expect(perAddressMax({ descriptorsMax: 1_024, perAddressMax: 20_000 })).toBe(512)
    expect(perAddressMax({ descriptorsMax: 65_536, perAddressMax: 1_000 })).toBe(1_000)
  })

  test('does not count connections that a trusted proxy has opened', () => {
    expect(namesCut(many(3 * TERMS.perAddressMax, 'proxied', { key: undefined }))).toEqual([])
  })

  test.each([
    [0, 4, 'a /56'],
    [1, 16, 'a /48'],
  ])('is bounded with its neighbours: wider network %i has %i times as many, as %s', (at, times) => {
    const terms = { descriptorsMax: 100_000, perAddressMax: 2 }
    const wider = at === 0 ? ['56', '48'] : []
    const open = Array.from({ length: 2 * times + 1 }, (_, each) =>
      connection(`c${each}`, {
        key: `net${each}`,
        wider: at === 0 ? wider : [`56-${each}`, '48'],
        silentMs: 100 - each,
      }),
    )
    expect(namesCut(open, open.length, terms)).toEqual(['c0 ADDRESS'])
  })
})

describe('where descriptors run short', () => {
  test('no connection is closed up to 80 % of them', () => {
    expect(namesCut(many(100, 'a'), 800)).toEqual([])
  })

  test('above 80 % those that have been silent the longest are closed, down to 75 %', () => {
    const open = Array.from({ length: 200 }, (_, at) =>
      connection(`c${at}`, { key: `198.51.100.${at}`, silentMs: 1_000 - at }),
    )
    const cut = namesCut(open, 801)
    expect(cut).toHaveLength(51)
    expect(cut.slice(0, 2)).toEqual(['c0 ROOM', 'c1 ROOM'])
  })

  test('the address with most connections loses them before others lose one', () => {
    const open = [
      ...many(80, 'flood', { key: '198.51.100.9', silentMs: 1 }),
      ...many(5, 'quiet', { key: '198.51.100.7', silentMs: 60_000 }),
    ]
    const cut = namesCut(open, 801)
    expect(cut).toHaveLength(51)
    expect(cut.every((name) => name.startsWith('flood'))).toBe(true)
  })

  test('the /64s of one /48 count as one address with most', () => {
    const flood = Array.from({ length: 80 }, (_, at) =>
      connection(`flood${at}`, { key: `2001:db8:1:${at}::/64`, wider: [`56-${at}`, '48'], silentMs: 1 }),
    )
    const cut = namesCut([...flood, ...many(5, 'quiet', { silentMs: 60_000 })], 801)
    expect(cut.every((name) => name.startsWith('flood'))).toBe(true)
  })

  test('operators, probes and links keep their connections', () => {
    const open = many(60, 'operator', { port: 9_000, silentMs: 60_000 })
    expect(namesCut(open, 1_000)).toEqual([])
  })
})

test('a port that is not for clients has a share of its own, and an address that floods it loses first', () => {
  expect(perOtherPortMax({ descriptorsMax: 1_024 })).toBe(64)
  expect(perOtherPortMax({ descriptorsMax: 4_096 })).toBe(204)
  expect(perOtherPortMax({ descriptorsMax: 1_000_000 })).toBe(512)
  const open = [
    ...many(3, 'operator', { port: 9_000, key: '127.0.0.1', silentMs: 10_000 }),
    ...many(64, 'flood', { port: 9_000, key: '127.0.0.2', silentMs: 1 }),
  ]
  const cut = namesCut(open)
  expect(cut).toHaveLength(3)
  expect(cut.every((name) => name.startsWith('flood') && name.endsWith('ROOM'))).toBe(true)
})
