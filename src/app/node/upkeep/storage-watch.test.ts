import { expect, test } from 'bun:test'
import { StorageWatch } from './storage-watch.ts'

type Line = readonly [level: string, message: string, fields: object]

function watched() {
  const lines: Line[] = []
  const at = (level: string) => (fields: object, message: string) => void lines.push([level, message, fields])
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const clock = { ms: 0 }
  const room = { has: true }
  const watch = new StorageWatch({
    log,
    dataDirectory: '/data',
    freeBytes: () => 512,
    hasRoom: () => room.has,
    now: () => clock.ms,
  })
  return { watch, lines, clock, room }
}

const FULL: Line = [
  'error',
  'storage is full',
  { what: 'journal', path: '/data', freeBytes: 512, neededBytes: 40 },
]
const ROOM: Line = ['warn', 'storage has free space again', { path: '/data', freeBytes: 512 }]

test('full storage is reported once with its path, free space and need, and free space once when a batch is stored again', () => {
  const { watch, lines } = watched()
  watch.look({ refused: 0, neededBytes: 0 })
  for (let refused = 1; refused < 100; refused++) watch.look({ refused, neededBytes: 40 })
  expect(lines).toEqual([FULL])
  watch.look({ refused: 99, neededBytes: 40 })
  watch.look({ refused: 99, neededBytes: 0 })
  watch.look({ refused: 99, neededBytes: 0 })
  expect(lines).toEqual([FULL, ROOM])
})

test('space that is freed between two checks is reported, also where a batch was refused and another stored meanwhile', () => {
  const { watch, lines } = watched()
  watch.look({ refused: 1, neededBytes: 40 })
  watch.look({ refused: 2, neededBytes: 0 })
  expect(lines).toEqual([FULL, ROOM])
})

test('storage that comes and goes is reported once a minute', () => {
  const { watch, lines, clock } = watched()
  for (let i = 1; i <= 120; i++) {
    clock.ms += 500
    watch.look({ refused: i, neededBytes: 40 })
    clock.ms += 500
    watch.look({ refused: i, neededBytes: 0 })
  }
  expect(lines).toEqual([FULL, ROOM, FULL, ROOM])
})

test('a history without space does not keep the journal from being reported, and the journal does not keep a history', () => {
  for (const isHistoryFirst of [true, false]) {
    const { watch, lines } = watched()
    const full = [
      () => watch.look({ refused: 1, neededBytes: 40 }),
      () => watch.followerFull('history', 'no room'),
    ]
    for (const report of isHistoryFirst ? full.toReversed() : full) report()
    const parts = lines.map(([, , fields]) => (fields as { readonly what: string }).what)
    expect(parts.toSorted()).toEqual(['history', 'journal'])
  }
})

test('a follower that retries again and again is reported once a minute for each of its files', () => {
  const { watch, lines, clock } = watched()
  for (let i = 0; i < 60; i++) {
    for (const what of ['history', 'snapshot']) watch.followerFull(what, 'no room')
    clock.ms += 500
  }
  expect(lines.map(([, , fields]) => fields)).toEqual(
    ['history', 'snapshot'].map((what) => ({ what, path: '/data', freeBytes: 512, problem: 'no room' })),
  )
})

test('full storage stays reported when nothing is written any more, and not once there is space, with or without an order', () => {
  const { watch, clock, room } = watched()
  const isFullAfter = (counts: { refused: number; neededBytes: number }, ms: number): boolean => {
    clock.ms += ms
    watch.look(counts)
    return watch.isFull
  }
  room.has = false
  // Reported before any order has failed because of it.
  expect(isFullAfter({ refused: 0, neededBytes: 0 }, 1_000)).toBe(true)
  expect(isFullAfter({ refused: 1, neededBytes: 40 }, 250)).toBe(true)
  for (let i = 0; i < 100; i++) expect(isFullAfter({ refused: 1, neededBytes: 40 }, 60_000)).toBe(true)
  room.has = true
  expect(isFullAfter({ refused: 1, neededBytes: 40 }, 1_000)).toBe(false)
  expect(isFullAfter({ refused: 2, neededBytes: 40 }, 250)).toBe(true)
})
