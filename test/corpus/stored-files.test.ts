/** A snapshot that is read and written again is compared section by section. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Exchange } from '../../src/core/exchange/exchange.ts'
import { compareSections } from './parts/stored-files.ts'

/** Is there only while what is due waits, for a halted symbol above all: src/core/trading/lists/oto.test.ts reads it back. */
const SELDOM = ['section 28']

const GOLDEN = path.join(import.meta.dir, '../golden/journal-2026-11-names')

test('a changed, a new and a removed section are named', () => {
  const empty = new Exchange().encodeSnapshot()
  expect(compareSections('s', empty, empty)).toEqual([])
  const ended = empty.length - 1
  const more = Uint8Array.of(...empty.subarray(0, ended), 99, 1, 0, 0, 0, 7, 0)
  const other = Uint8Array.of(...empty.subarray(0, ended), 99, 1, 0, 0, 0, 8, 0)
  const kinds = (one: Uint8Array, two: Uint8Array) => compareSections('s', one, two).map(({ kind }) => kind)
  expect([kinds(empty, more), kinds(more, empty), kinds(more, other)]).toEqual([
    ['s, section 99'],
    ['s, section 99'],
    ['s, section 99'],
  ])
})

test('the snapshots of the newest golden journal have every section that the state can have', () => {
  const source = readFileSync(path.join(import.meta.dir, '../../src/core/snapshot/snapshot.ts'), 'utf8')
  const numbers = [...source.matchAll(/section\((\d+), '/g)].map(([, number]) => `section ${number}`)
  const found = new Set<string>()
  for (const name of readdirSync(GOLDEN).filter((each) => each.endsWith('.snapshot'))) {
    const bytes = new Uint8Array(readFileSync(path.join(GOLDEN, name)))
    const payload = bytes.subarray(bytes.length - payloadLength(bytes))
    for (const { kind } of compareSections('', payload, new Uint8Array([3, 0]))) found.add(kind.slice(2))
  }
  expect(numbers.length).toBeGreaterThan(20)
  expect(numbers.filter((number) => !found.has(number))).toEqual(SELDOM)
})

/** What stands behind the head, whose last part is its checksum: the payload begins with the layout and the first section. */
function payloadLength(bytes: Uint8Array): number {
  for (let length = bytes.length - 100; length > 0; length--) {
    try {
      Exchange.decodeSnapshot(bytes.subarray(bytes.length - length))
      return length
    } catch {}
  }
  throw new Error('the file has no state')
}
