import { expect, test } from 'bun:test'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import type { Lots, Price } from '../../units/quantities.ts'
import { bookContract } from './book.contract.ts'
import { FastBook } from './fast-book.ts'

bookContract('FastBook', () => new FastBook())

test('orders and levels that come and go need no more memory than those that rest at once', () => {
  const book = new FastBook()
  const comeAndGo = (times: number) => {
    for (let i = 0; i < times; i++) {
      const slot = book.add('BUY', (i + 1) as Price, 1 as Lots, 1 as AccountId, 1 as OrderNumber)
      book.remove(slot)
    }
  }
  comeAndGo(1)
  Bun.gc(true)
  const before = process.memoryUsage().external
  comeAndGo(300_000)
  Bun.gc(true)
  // If memory were not reused, 300,000 orders or levels would take about 10 MB.
  expect(process.memoryUsage().external - before).toBeLessThan(2_000_000)
  expect(book.restingCount).toBe(0)
})
