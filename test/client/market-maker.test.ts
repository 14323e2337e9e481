/** The market maker in TypeScript: it quotes, is killed and restarts, and never duplicates an order. */
import { afterAll, expect, test } from 'bun:test'
import path from 'node:path'
import {
  inOrder,
  type QuoteSettings,
  type Rules,
  wantedQuotes,
  withoutOwn,
} from '../../examples/market-maker/quotes.ts'
import { Decimal } from '../../src/client/decimal.ts'
import type { Order } from '../../src/client/interface/orders.ts'
import { dataDirectory, ROOT } from '../support/bourse-process.ts'
import { MakerStage, playThrough } from '../support/market-maker.ts'

const PROGRAM = path.join(ROOT, 'examples/market-maker/market-maker.ts')

const { path: data, remove } = dataDirectory()
let stage: MakerStage | undefined
afterAll(async () => {
  await stage?.close()
  remove()
})

test('the market maker in TypeScript survives kills, a halt and a moving market, and repeats no order', async () => {
  stage = await MakerStage.open(data, {
    symbol: 'BTC/USDT',
    command: [process.execPath, '--no-env-file', PROGRAM, '--recv-window', '1000', '--grace', '60000'],
  })
  await playThrough(stage)
})

const decimal = (text: string): Decimal => Decimal.from(text)
const RULES: Rules = {
  tick: decimal('0.01'),
  step: decimal('0.001'),
  leastQuantity: decimal('0.001'),
  leastTotal: decimal('1'),
}
const SETTINGS: QuoteSettings = {
  quantity: decimal('0.01'),
  halfSpread: decimal('0.001'),
  skew: decimal('0.01'),
  limit: decimal('0.1'),
}

/** Price and quantity of each wanted quote, as text. */
function wanted(position = '0', reference = '50000', bid?: string, ask?: string, settings = SETTINGS) {
  const best = { bid: bid === undefined ? bid : decimal(bid), ask: ask === undefined ? ask : decimal(ask) }
  const quotes = wantedQuotes(settings, RULES, decimal(reference), best, decimal(position))
  return [quotes.BUY, quotes.SELL].map((quote) => quote && `${quote.quantity} at ${quote.price}`)
}

test('the market maker quotes on both sides of the reference, on the tick, away from it', () => {
  expect(wanted()).toEqual(['0.01 at 49950', '0.01 at 50050'])
  expect(wanted('0', '50000.123')).toEqual(['0.01 at 49950.12', '0.01 at 50050.13'])
})

test('the market maker quotes lower when it holds too much, and at its limit no more', () => {
  expect(wanted('0.05')).toEqual(['0.01 at 49925.02', '0.01 at 50024.98'])
  expect(wanted('0.1')[0]).toBeUndefined()
  expect(wanted('-0.1')[1]).toBeUndefined()
  expect(wanted('0.0955')[0]).toStartWith('0.004 at')
})

test('no quote of the market maker reaches the other side, and an invalid one is dropped', () => {
  expect(wanted('-0.1', '50000', '49000', '49900.00')[0]).toBe('0.01 at 49899.99')
  expect(wanted('0.1', '50000', '50100.00', '51000')[1]).toBe('0.01 at 50100.01')
  expect(wanted('0', '0.5')[0]).toBeUndefined()
  expect(wanted('0', '50000', undefined, undefined, { ...SETTINGS, quantity: decimal('0.0001') })).toEqual([
    undefined,
    undefined,
  ])
})

test('the market maker moves the side first that is in the way, and sees others behind its own orders', () => {
  const own = [{ side: 'SELL', price: '50050', quantity: '3', executedQuantity: '1' } as Order]
  const rising = { BUY: { price: decimal('50050'), quantity: decimal('1') } }
  expect(inOrder(rising, own)).toEqual(['SELL', 'BUY'])
  expect(inOrder(rising, [])).toEqual(['BUY', 'SELL'])
  const levels = [
    { price: '50050.00', quantity: '2.000' },
    { price: '50060.00', quantity: '1.000' },
  ]
  expect(`${withoutOwn(levels, own)}`).toBe('50060')
  expect(`${withoutOwn(levels, [])}`).toBe('50050')
})
