/**
 * Accidents of other exchanges, each tried here. Where the rule is tested elsewhere, README.md of this folder
 * names the place.
 */

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMemoryEngine } from '../../sim/memory/engine.ts'
import { COMMAND_CODES, type Command } from '../../src/core/commands/command.ts'
import type { OrderFigures, PlaceOrder } from '../../src/core/commands/orders.ts'
import { Exchange } from '../../src/core/exchange/exchange.ts'
import { figuresOrNone, type LooseFigures } from '../../src/core/exchange/order-figures.fixture.ts'
import { openStorage } from '../../src/storage/sqlite/storage.ts'
import type { AccountId, SymbolId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { SIDES } from '../../src/units/order-enums.ts'
import { amount, lots, price, rate, type TimeMs, UNITS_MAX } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { OPERATOR } from './random-world.ts'
import { Comparison } from './run.ts'
import { marketSteps, orderOf, orderStep, step, TRADER } from './scenario.ts'
import type { Step } from './step.ts'

const COIN = 1

function market(terms: Parameters<typeof marketSteps>[0] = {}): Comparison {
  const comparison = new Comparison()
  for (const each of marketSteps(terms)) comparison.take(each)
  return comparison
}

function commandsOf(steps: readonly Step[]): Command[] {
  return steps.flatMap((each) => (each.kind === 'apply' ? [each.command] : []))
}

function credit(asset: string, units: bigint, reference: string, accountId: AccountId = TRADER.ann): Command {
  return { kind: 'Credit', operator: OPERATOR, accountId, asset, amount: amount(units), reference }
}

function debit(units: bigint, reference: string): Command {
  return { ...credit('COIN', units, reference), kind: 'Debit' } as Command
}

function soundness(exchange: Exchange): unknown[] {
  return exchange.audit().filter(({ sum, negatives, wrongHolds }) => sum !== 0 || negatives + wrongHolds > 0)
}

test('itBit 2017: thousands of dust orders, each worth less than a unit at every fill, create no money', () => {
  const comparison = market()
  const total = () =>
    [TRADER.ann, TRADER.ben].reduce(
      (sum, id) =>
        sum +
        bigintOf(comparison.core.balances(id)[COIN]?.free ?? 0) +
        bigintOf(comparison.core.balances(id)[COIN]?.locked ?? 0),
      0n,
    )
  const before = total()
  // One lot at 3.33 is worth a third of a hundredth: a resting order is filled lot by lot, on both sides.
  for (const side of SIDES) {
    comparison.take(orderStep({ accountId: TRADER.ann, side, price: 333, quantity: 2_000 }))
    for (let i = 0; i < 500; i++) {
      const taker = { accountId: TRADER.ben, side: side === 'BUY' ? 'SELL' : 'BUY', price: 333 } as const
      comparison.take(orderStep({ ...taker, quantity: 4, timeInForce: 'IOC' }))
    }
  }
  const house = comparison.core.balances(2 as AccountId)[COIN]?.free ?? 0
  expect(total()).toBeLessThanOrEqual(before)
  expect(house).toBe(Number(before - total()) as never)
  expect(comparison.core.openOrders(TRADER.ann, undefined)).toEqual([])
})

describe('Bithumb 2026: coins that do not exist', () => {
  test('cannot be credited beyond the cap, by one large mistake or by many small ones, nor to the house', () => {
    const exchange = new Exchange()
    let time = 0
    const give = (command: Command) => exchange.apply(command, ++time as TimeMs, () => {})
    const flags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: false }
    const cap = amount(1_000n)
    give({
      kind: 'ListAsset',
      operator: OPERATOR,
      code: 'BTC',
      name: 'Bitcoin',
      fraction: 0 as never,
      flags,
      supplyCap: cap,
    })
    give({ kind: 'CreateAccount', operator: OPERATOR, name: 'ann' })
    const ann = 2 as AccountId
    expect(give(credit('BTC', 620_000n, 'slip', ann))).toEqual({ kind: 'Refused', reason: 'SUPPLY_LIMIT' })
    for (let i = 0; i < 700; i++) give(credit('BTC', 2n, `small-${i}`, ann))
    expect(exchange.balances(ann)[0]?.free).toBe(1_000 as never)
    for (const house of [0, 1]) {
      expect(give(credit('BTC', 1n, `house-${house}`, house as AccountId)).kind).toBe('Refused')
    }
    expect(soundness(exchange)).toEqual([])
  })

  test('every asset sums to zero after every single command, not at the end of the day', () => {
    const comparison = market({ makerRate: rate(333_333), takerRate: rate(99_999_999) })
    for (let i = 0; i < 200; i++) {
      const accountId = i % 3 === 0 ? TRADER.ann : TRADER.ben
      comparison.take(
        orderStep({ accountId, side: i % 2 === 0 ? 'BUY' : 'SELL', price: 97 + (i % 7), quantity: 103 + i }),
      )
      expect(soundness(comparison.core)).toEqual([])
    }
  })
})

describe('Flexcoin, Poloniex 2014: the same money withdrawn many times at once', () => {
  test('leaves once, and neither a sum nor a single bucket is wrong', async () => {
    const engine = await startMemoryEngine()
    for (const command of commandsOf(marketSteps())) await engine.port.submit(command)
    const all = 10n ** 15n
    const order = orderOf({ accountId: TRADER.ann, side: 'BUY', price: 100, quantity: UNITS_MAX })
    const commands: Command[] = [
      ...Array.from({ length: 50 }, (_, i) => debit(all, `withdrawal-${i}`)),
      ...Array.from({ length: 50 }, () => ({ ...order, quantity: (10 ** 15) as never })),
      ...Array.from({ length: 50 }, (_, i) => move(all, `freeze-${i}`)),
    ]
    const replies = await Promise.all(commands.map((command) => engine.port.submit(command)))
    expect(replies.filter(({ kind }) => kind !== 'Refused').length).toBe(1)
    const [, coin] = await engine.port.ask('balances', { accountId: TRADER.ann })
    expect([coin?.free, coin?.locked, coin?.freeze]).toEqual([0, 0, 0] as never)
    await engine.stop()
  })

  test('sums that balance around a negative account are distinguished from sound ones', () => {
    const comparison = market()
    comparison.take(step(debit(10n ** 15n, 'all')))
    expect(comparison.take(step(debit(1n, 'one more'))).reply).toEqual({
      kind: 'Refused',
      reason: 'INSUFFICIENT_FUNDS',
    })
    for (const { sum, negatives } of comparison.core.audit())
      expect([sum, negatives]).toEqual([0 as never, 0])
  })
})

function move(units: bigint, reference: string): Command {
  const place = { accountId: TRADER.ann, asset: 'COIN', from: 'free', to: 'freeze' } as const
  return { kind: 'MoveBetweenBuckets', operator: OPERATOR, ...place, amount: amount(units), reference }
}

test('Poloniex 2020: an order with a client reference is booked exactly as the same one without', () => {
  for (const order of everyCombination()) {
    const [plain, named] = [undefined, 'my-order-1'].map((clientOrderId) => {
      const comparison = market()
      comparison.take(orderStep({ accountId: TRADER.ben, side: 'SELL', price: 100, quantity: 60 }))
      comparison.take(orderStep({ accountId: TRADER.ben, side: 'BUY', price: 90, quantity: 60 }))
      const { reply, events } = comparison.take(step({ ...order, clientOrderId }))
      const { core } = comparison
      const held = [TRADER.ann, TRADER.ben].map((who) => [
        core.balances(who),
        core.openOrders(who, undefined),
      ])
      return unnamed({ reply, events, held })
    })
    expect(named).toBe(plain as string)
  }
})

/** As text, without the client references. */
function unnamed(value: unknown): string {
  return JSON.stringify(value, (name, one) => {
    if (name === 'clientOrderId') return undefined
    return typeof one === 'bigint' ? `${one}` : one
  })
}

function annsOrder(figures: OrderFigures): PlaceOrder {
  const order = { kind: 'PlaceOrder', accountId: TRADER.ann, symbolId: 0 as SymbolId } as const
  return { ...order, selfTradeMode: undefined, clientOrderId: undefined, ...figures }
}

/** Every possible order: each combination of type, side, time in force, and present or absent figures. */
function everyCombination(): PlaceOrder[] {
  return [0, 1].flatMap((isMarket) =>
    SIDES.flatMap((side) =>
      Array.from({ length: 16 }, (_, bits) =>
        figuresOrNone({
          side,
          type: isMarket === 1 ? 'MARKET' : 'LIMIT',
          timeInForce: (bits & 8) === 0 ? 'GTC' : 'IOC',
          price: (bits & 1) === 0 ? undefined : price(100),
          quantity: (bits & 2) === 0 ? undefined : lots(50),
          total: (bits & 4) === 0 ? undefined : amount(5n),
        }),
      ).flatMap((figures) => (figures === undefined ? [] : [annsOrder(figures)])),
    ),
  )
}

test('Coinbase 2022: an order moves the two assets of its symbol, whatever else the account owns', () => {
  const comparison = market()
  const flags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true }
  const shib = { code: 'SHIB', name: 'Shiba', fraction: 0 as never, flags, supplyCap: amount(0n) }
  comparison.take(step({ kind: 'ListAsset', operator: OPERATOR, ...shib }))
  comparison.take(step(credit('SHIB', 10n ** 15n, 'shib')))
  comparison.take(step(debit(10n ** 15n, 'coins out')))
  const buy = { accountId: TRADER.ann, side: 'BUY', price: 100, quantity: 100 } as const
  // An account with a large balance in another asset and none in this one: it can buy nothing with an asset
  // that the symbol does not use.
  expect(comparison.take(orderStep(buy)).reply).toEqual({ kind: 'Refused', reason: 'INSUFFICIENT_FUNDS' })
  const elsewhere = comparison.take(orderStep({ ...buy, symbolId: 1 as SymbolId }))
  expect(elsewhere.reply).toEqual({ kind: 'Refused', reason: 'UNKNOWN_SYMBOL' })
  comparison.take(orderStep({ accountId: TRADER.ben, side: 'BUY', price: 100, quantity: 100 }))
  comparison.take(orderStep({ ...buy, side: 'SELL' }))
  const [gold, coin, other] = comparison.core.balances(TRADER.ann)
  expect([gold?.free, coin?.free, other?.free]).toEqual([10 ** 15 - 100, 10, 10 ** 15] as never)
})

test('Binance 2023: no order, however extreme, stops the sequential engine', () => {
  const comparison = market()
  const units = [undefined, 1, UNITS_MAX]
  const totals = [undefined, 1n, AMOUNT_MAX]
  let orders = 0
  for (const type of ['LIMIT', 'MARKET'] as const)
    for (const side of SIDES)
      for (const price of units)
        for (const quantity of units)
          for (const total of totals)
            for (const selfTradeMode of ['NONE', 'DECREMENT', 'EXPIRE_BOTH'] as const) {
              const loose = { type, side, price, quantity, total } as LooseFigures
              const figures = figuresOrNone(loose)
              if (figures === undefined) continue
              comparison.take(step({ ...annsOrder(figures), selfTradeMode }))
              orders++
            }
  // LIMIT has both price and quantity; a MARKET SELL has its quantity, a BUY its total or only its quantity.
  expect(orders).toBe(3 * (2 * (2 * 2 * 3) + 2 * 3 + (2 * 3 + 2)))
})

describe('a cancel acknowledged and lost at restart, ids issued again', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-lessons-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  test('acknowledged commands are there after a power failure, and no number is issued twice', async () => {
    const [live, crashed] = [join(directory, 'live'), join(directory, 'crashed')]
    const engine = await startMemoryEngine(openStorage({ directory: live }))
    for (const command of commandsOf(marketSteps())) await engine.port.submit(command)
    const place = orderOf({ accountId: TRADER.ann, side: 'BUY', price: 100, quantity: 100 })
    const numbers: number[] = []
    for (let i = 0; i < 6; i++) {
      const reply = await engine.port.submit(place)
      if (reply.kind !== 'OrderAccepted') throw new Error('the order must be accepted')
      numbers.push(reply.orderNumber)
      const cancel = {
        kind: 'CancelOrder',
        accountId: TRADER.ann,
        orderNumber: reply.orderNumber,
        orderTime: reply.time,
      } as const
      if (i % 2 === 0) expect((await engine.port.submit(cancel)).kind).toBe('Done')
    }
    // The files now, with the engine running. Another process copies them, since this one holds the lock.
    expect(Bun.spawnSync(['cp', '-r', live, crashed]).exitCode).toBe(0)
    const after = await startMemoryEngine(openStorage({ directory: crashed }))
    const query = { accountId: TRADER.ann, symbolId: undefined, after: undefined }
    const open = await after.port.ask('openOrders', query)
    expect(open.orders.map(({ orderNumber }) => orderNumber as number)).toEqual(
      numbers.filter((_, i) => i % 2 === 1).reverse(),
    )
    const next = await after.port.submit(place)
    expect(next.kind === 'OrderAccepted' && next.orderNumber > Math.max(...numbers)).toBe(true)
    await after.stop()
    await engine.stop()
  })
})

test('Knight 2012: no code of a command has two meanings', () => {
  const codes = Object.values(COMMAND_CODES)
  expect(new Set(codes).size).toBe(codes.length)
  expect(Math.min(...codes)).toBeGreaterThan(0)
})
