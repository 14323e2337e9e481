import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Decimal } from '../../../../client/decimal.ts'
import {
  checkedList,
  emptyList,
  fieldNamed,
  isBesideEntry,
  LEG_TYPES,
  LEGS,
  type LegName,
  type ListDraft,
  type ListKind,
  legFields,
  prefixOf,
  withLeg,
  withoutTrailing,
  withPrice,
  withSide,
} from './list-draft.ts'

const MARKET = { name: 'BTC/USDT', baseCode: 'BTC', quoteCode: 'USDT', baseFraction: 8, quoteFraction: 2 }
const KINDS: readonly ListKind[] = ['OCO', 'OTO', 'OTOCO']

const price = fc.integer({ min: 1, max: 10_000 }).map((cents) => String(cents / 100))

/** Complete lists of every kind, side and type. */
const lists = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    quantity: fc.constantFrom('1', '0.5'),
    nextSide: fc.constantFrom('BUY' as const, 'SELL' as const),
    picks: fc.record({ entry: fc.nat(), next: fc.nat(), profit: fc.nat(), loss: fc.nat() }),
    distance: fc.constantFrom('', '0.5'),
    prices: fc.array(fc.tuple(price, price), { minLength: 4, maxLength: 4 }),
  })
  .map(({ kind, side, quantity, nextSide, picks, distance, prices }) => {
    let list: ListDraft = { ...emptyList(kind, side), quantity }
    for (const [index, leg] of (['entry', 'next', 'profit', 'loss'] as const).entries()) {
      const types = LEG_TYPES[leg]
      const [limit = '', stopPrice = ''] = prices[index] ?? []
      const type = types[picks[leg] % types.length] ?? 'LIMIT'
      list = withLeg(list, leg, {
        type,
        price: limit,
        stopPrice,
        total: '5',
        quantity: '2',
        trailingDelta: distance,
      })
    }
    return withLeg(list, 'next', { side: nextSide })
  })

describe('a list of orders', () => {
  test('labels its orders above and below by their prices, or says that they are crossed', () => {
    fc.assert(
      fc.property(lists, (draft) => {
        const { list, problems } = checkedList(draft, MARKET)
        if (list === undefined) {
          expect(problems).toEqual({ loss: { stopPrice: { kind: 'CROSSED', offers: [] } } })
          return
        }
        const { parameters } = list
        const pair = draft.kind === 'OCO' ? ['above', 'below'] : ['pendingAbove', 'pendingBelow']
        const [above, below] = pair.map(
          (name) => parameters[`${name}StopPrice`] ?? parameters[`${name}Price`],
        )
        if (draft.kind === 'OTO') expect([above, below]).toEqual([undefined, undefined])
        else expect(Decimal.from(above ?? '0').compare(below ?? '0')).toBe(1)
      }),
    )
  })

  test('has a take profit at a better price and a stop loss at a worse one, on either side', () => {
    fc.assert(
      fc.property(lists, (draft) => {
        for (const leg of LEGS[draft.kind]) {
          if (leg !== 'profit' && leg !== 'loss') continue
          const isAbove = /bove$/.test(prefixOf(draft, leg))
          expect(isAbove).toBe((draft.legs[leg].side === 'SELL') === (leg === 'profit'))
        }
      }),
    )
  })

  test('sends each field under one name, by which a refusal finds it again', () => {
    fc.assert(
      fc.property(lists, (draft) => {
        const parameters = Object.keys(checkedList(draft, MARKET).list?.parameters ?? {})
        const numbers = parameters.filter((name) =>
          /(?:Price|Quantity|quantity|Total|TrailingDelta)$/.test(name),
        )
        const found = numbers.map((name) => fieldNamed(draft, name))
        expect(found).not.toContain(undefined)
        expect(new Set(found.map((field) => JSON.stringify(field))).size).toBe(numbers.length)
      }),
    )
    expect(fieldNamed(emptyList('OCO', 'BUY'), 'pendingPrice')).toBeUndefined()
  })

  test('of each kind has the parameters of the exchange', () => {
    const sent = (draft: ListDraft) => checkedList(draft, MARKET).list?.parameters
    const priced = (draft: ListDraft) =>
      (['entry', 'next', 'profit', 'loss'] as const).reduce(
        (list, leg) => withLeg(list, leg, { price: PRICES[leg], stopPrice: PRICES[leg] }),
        { ...draft, quantity: '0.50' },
      )
    expect(sent(priced(emptyList('OTOCO', 'BUY')))).toEqual({
      symbol: 'BTC/USDT',
      workingSide: 'BUY',
      workingType: 'LIMIT',
      workingPrice: '100',
      workingQuantity: '0.5',
      pendingSide: 'SELL',
      pendingAboveType: 'LIMIT_MAKER',
      pendingAbovePrice: '120',
      pendingBelowType: 'STOP_LOSS',
      pendingBelowStopPrice: '90',
    })
    expect(sent(priced(emptyList('OCO', 'SELL')))).toEqual({
      symbol: 'BTC/USDT',
      side: 'SELL',
      quantity: '0.5',
      aboveType: 'LIMIT_MAKER',
      abovePrice: '120',
      belowType: 'STOP_LOSS',
      belowStopPrice: '90',
    })
    expect(sent(withLeg(priced(emptyList('OTO', 'BUY')), 'next', { timeInForce: 'IOC' }))).toEqual({
      symbol: 'BTC/USDT',
      workingSide: 'BUY',
      workingType: 'LIMIT',
      workingPrice: '100',
      workingQuantity: '0.5',
      pendingSide: 'SELL',
      pendingType: 'LIMIT',
      pendingPrice: '110',
      pendingTimeInForce: 'IOC',
    })
  })

  test('to buy at any price names its total, and the quantity of a pending order on the same side', () => {
    expect(legFields(emptyList('OCO', 'BUY'), 'loss')).toEqual(['stopPrice', 'total', 'trailingDelta'])
    expect(legFields(emptyList('OTOCO', 'SELL'), 'loss')).toEqual(['stopPrice', 'trailingDelta'])
    const same = withLeg({ ...emptyList('OTO', 'BUY'), quantity: '1' }, 'next', { side: 'BUY', price: '5' })
    expect(checkedList(same, MARKET).problems.next).toEqual({ quantity: { kind: 'MISSING', offers: [] } })
  })

  test('asks about an entry outside its pending orders, and not about one between them', () => {
    const beside = (entry: string) => {
      const legs: readonly (readonly [LegName, string])[] = [
        ['entry', entry],
        ['profit', '120'],
        ['loss', '90'],
      ]
      const draft = legs.reduce((list, [leg, at]) => withLeg(list, leg, { price: at, stopPrice: at }), {
        ...emptyList('OTOCO', 'BUY'),
        quantity: '1',
      })
      const { list } = checkedList(draft, MARKET)
      return list && isBesideEntry(list)
    }
    expect(['89', '90', '100', '119.99', '120'].map(beside)).toEqual([true, true, false, false, true])
  })

  test('has orders that follow the price at their own distances, which need no stop price', () => {
    const priced = (kind: ListKind) =>
      withLeg({ ...emptyList(kind, 'BUY'), quantity: '1' }, 'entry', { price: '100' })
    const trailing = { trailingDelta: '1.5' } as const
    const otoco = withLeg(withLeg(priced('OTOCO'), 'profit', { price: '120' }), 'loss', trailing)
    expect(checkedList(otoco, MARKET).list?.parameters).toEqual({
      symbol: 'BTC/USDT',
      workingSide: 'BUY',
      workingType: 'LIMIT',
      workingPrice: '100',
      workingQuantity: '1',
      pendingSide: 'SELL',
      pendingAboveType: 'LIMIT_MAKER',
      pendingAbovePrice: '120',
      pendingBelowType: 'STOP_LOSS',
      pendingBelowTrailingDelta: '150',
    })
    const next = withLeg(priced('OTO'), 'next', { ...trailing, type: 'TAKE_PROFIT', stopPrice: '130' })
    expect(checkedList(next, MARKET).list?.parameters).toMatchObject({
      pendingStopPrice: '130',
      pendingTrailingDelta: '150',
    })
    expect(fieldNamed(next, 'pendingTrailingDelta')).toEqual({ leg: 'next', field: 'trailingDelta' })
    for (const kind of KINDS)
      for (const leg of LEGS[kind])
        for (const type of LEG_TYPES[leg]) {
          const fields = legFields(withLeg(emptyList(kind, 'SELL'), leg, { type }), leg)
          expect([type, fields.includes('trailingDelta')]).toEqual([type, fields.includes('stopPrice')])
        }
  })

  test('refuses the distances that a single order refuses, and requires a stop price only without one', () => {
    const oco = withLeg({ ...emptyList('OCO', 'SELL'), quantity: '1' }, 'profit', { price: '120' })
    const problems = (trailingDelta: string) =>
      checkedList(withLeg(oco, 'loss', { trailingDelta }), MARKET).problems.loss
    expect(['', '0.1', '20'].map(problems)).toEqual([
      { stopPrice: { kind: 'MISSING', offers: [] } },
      undefined,
      undefined,
    ])
    expect(['0.09', '20.01', '1.555'].map((typed) => problems(typed)?.trailingDelta?.kind)).toEqual([
      'DISTANCE',
      'DISTANCE',
      'DECIMALS',
    ])
  })

  test('compares an order that follows the price by the price at which it begins, and by no limit', () => {
    const oco = withLeg({ ...emptyList('OCO', 'SELL'), quantity: '1' }, 'profit', { price: '120' })
    const loss = { type: 'STOP_LOSS_LIMIT', price: '130', trailingDelta: '1' } as const
    expect(checkedList(withLeg(oco, 'loss', loss), MARKET).problems).toEqual({})
    const begun = withLeg(oco, 'loss', { ...loss, stopPrice: '125' })
    expect(checkedList(begun, MARKET).problems.loss?.stopPrice?.kind).toBe('CROSSED')

    const beside = (profit: string) => {
      const legs: readonly (readonly [LegName, object])[] = [
        ['entry', { price: '100' }],
        ['profit', { price: profit }],
        ['loss', { trailingDelta: '1' }],
      ]
      const draft = legs.reduce((list, [leg, fields]) => withLeg(list, leg, fields), {
        ...emptyList('OTOCO', 'BUY'),
        quantity: '1',
      })
      const { list } = checkedList(draft, MARKET)
      return list && isBesideEntry(list)
    }
    expect(['100', '101'].map(beside)).toEqual([true, false])
  })

  test('has no distance in a market without orders that follow the price', () => {
    const oco = withLeg(emptyList('OCO', 'SELL'), 'loss', { stopPrice: '90', trailingDelta: '1' })
    expect(withoutTrailing(oco)).toEqual(withLeg(oco, 'loss', { trailingDelta: '' }))
  })

  test('leaves the stop price empty that an order does without, where a price of the book is taken', () => {
    const oco = withLeg(emptyList('OCO', 'SELL'), 'profit', { price: '120' })
    expect(withPrice(oco, undefined, '5').legs.loss.stopPrice).toBe('5')
    expect(withPrice(withLeg(oco, 'loss', { trailingDelta: '1' }), undefined, '5').legs.loss.stopPrice).toBe(
      '',
    )
  })

  test('fills a clicked price of the book into the field last used, else into an empty one', () => {
    const list = emptyList('OTOCO', 'BUY')
    expect(withPrice(list, undefined, '5').legs.entry.price).toBe('5')
    expect(withPrice(list, { leg: 'loss', field: 'stopPrice' }, '5').legs.loss.stopPrice).toBe('5')
    const started = withLeg(list, 'entry', { price: '1' })
    expect(withPrice(started, { leg: 'next', field: 'price' }, '5').legs.profit.price).toBe('5')
    expect(withSide(started, 'SELL').legs.profit.side).toBe('BUY')
  })
})

const PRICES = { entry: '100', next: '110', profit: '120', loss: '90' }
