/**
 * The end of an order is found by the order's number, for any batches of appends and any number of stores.
 */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { EndedOrder } from '../../../../engine/history/order-history.ts'
import { anEnd } from '../../../../engine/history/orders.contract.ts'
import { ByteWriter } from '../../../../units/bytes.ts'
import type { OrderNumber } from '../../../../units/ids.ts'
import { DamagedRowFault, seal } from '../check.ts'
import { EndedOrders } from './ended-orders.ts'
import { addToLogRow, beginLogRow, ENDED_TABLES, pageOf, readLogRow, readPage, writePage } from './rows.ts'
import { EndedTables } from './tables.ts'

function stage(loggedMax?: number) {
  const db = new Database(':memory:', { safeIntegers: true })
  db.run(ENDED_TABLES)
  const tables = new EndedTables(db)
  const open = (): EndedOrders => new EndedOrders(tables, loggedMax)
  const count = (table: string): number => db.query(`SELECT 1 FROM ${table}`).values().length
  return { db, tables, open, count }
}

function endOf(number: number, seq = number): EndedOrder {
  return { orderNumber: number as OrderNumber, ...anEnd(number, seq, seq) }
}

const steps = fc.array(
  fc.record({ ends: fc.integer({ min: 0, max: 90 }), what: fc.constantFrom('append', 'load', 'store') }),
  { maxLength: 12 },
)

test('an order has the end that it was given, and no other order has one', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(Array.from({ length: 400 }, (_, i) => i + 1)), steps, (numbers, all) => {
      const { open } = stage()
      let ended = open()
      let given = 0
      for (const [i, { ends, what }] of all.entries()) {
        ended.append(numbers.slice(given, given + ends).map((number) => endOf(number, i + 1)))
        given = Math.min(numbers.length, given + ends)
        if (what === 'store') ended.storeEnds()
        if (what !== 'load') continue
        const { position } = ended
        ended = open()
        ended.load(position)
      }
      const { endsTo, after } = ended.position
      expect(endsTo + after).toBe(given)
      const places = new Map(numbers.slice(0, given).map((number, i) => [number, i]))
      for (let number = 1; number <= 400; number++) {
        const found = ended.end(number as OrderNumber)
        expect(found?.orderNumber).toBe(places.has(number) ? (number as OrderNumber) : undefined)
        if (found !== undefined) expect(found).toEqual(endOf(number, found.seq))
      }
    }),
    { numRuns: 60 },
  )
})

test('the log is due once it has its maximum of ends, and is empty once they are stored, many to a page', () => {
  const { open, count } = stage(64)
  const ended = open()
  ended.append(Array.from({ length: 63 }, (_, i) => endOf(i + 1)))
  expect([ended.isDue, count('ended_page')]).toEqual([false, 0])
  ended.append([endOf(64)])
  expect(ended.isDue).toBe(true)
  ended.storeEnds()
  expect([ended.isDue, count('ended_log'), count('ended_page')]).toEqual([false, 0, 3])
  expect(ended.position).toEqual({ endsTo: 64, after: 0 })
})

test.each(['min', 'max'])('a missing row of the log is damage: %s', (which) => {
  const { db, open } = stage()
  const ended = open()
  ended.append(Array.from({ length: 200 }, (_, i) => endOf(i + 1)))
  db.run(`DELETE FROM ended_log WHERE first = (SELECT ${which}(first) FROM ended_log)`)
  expect(() => open().load(ended.position)).toThrow(/\d+ ended orders come after the first 0, expected 200/)
})

test('an order that ends twice is a bug, found when ends are stored, whether its first end is new or was stored', () => {
  const twice = stage().open()
  twice.append([endOf(7)])
  twice.append([endOf(7)])
  expect(() => twice.storeEnds()).toThrow('order 7 has already ended')
  const ended = stage().open()
  ended.append([endOf(7)])
  ended.storeEnds()
  ended.append([endOf(7)])
  expect(() => ended.storeEnds()).toThrow('order 7 has already ended')
})

test('rows are read back as they were written, found under their own number alone', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 31 }), { minLength: 1 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), numbers, (page, offsets) => {
      const w = new ByteWriter()
      const byOrder = [...offsets].sort((a, b) => a - b).map((offset) => endOf(page * 32 + offset))
      expect(byOrder.every(({ orderNumber }) => pageOf(orderNumber) === page)).toBe(true)
      const stored = writePage(w, page, byOrder).slice()
      expect(readPage(page, stored)).toEqual(byOrder)
      expect(() => readPage(page + 1, stored)).toThrow(DamagedRowFault)
      const [first] = byOrder as [EndedOrder]
      beginLogRow(w, page, first)
      for (const end of byOrder) addToLogRow(w, first, end)
      const row = seal(w).slice()
      expect(readLogRow(page, row)).toEqual(byOrder)
      expect(() => readLogRow(page + 1, row)).toThrow(DamagedRowFault)
    }),
  )
})
