import { describe, expect, test } from 'bun:test'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { InvariantError } from '../../units/invariant.ts'
import { SELF_TRADE_MODES, type SelfTradeMode, SIDES, type Side } from '../../units/order-enums.ts'
import { type Lots, notional, type Price, UNITS_MAX } from '../../units/quantities.ts'
import { FastBook } from './fast-book.ts'
import { type MatchObserver, type MatchOutcome, match, type Taker } from './matching.ts'
import type { OrderBook, Slot } from './order-book.ts'

const ME = 1 as AccountId
const OTHER = 2 as AccountId

/** A book of resting sell orders, each `[owner, price, quantity]`; order numbers count from 1. */
function sells(...orders: readonly (readonly [AccountId, number, number])[]): OrderBook {
  const book = new FastBook()
  orders.forEach(([owner, price, quantity], index) => {
    book.add('SELL', price as Price, quantity as Lots, owner, (index + 1) as OrderNumber)
  })
  return book
}

/**
 * Records each step as text: the event, the maker's order number, price, quantity, and the maker's remaining
 * quantity.
 */
class Recorder implements MatchObserver {
  readonly steps: string[] = []
  readonly #book: OrderBook

  constructor(book: OrderBook) {
    this.#book = book
  }

  filled(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void {
    this.#check(slot, price, quantity + makerRemaining)
    this.steps.push(`fill #${this.#book.orderNumber(slot)} ${price} x ${quantity}, ${makerRemaining} left`)
  }

  makerExpired(slot: Slot, quantity: Lots): void {
    this.#check(slot, this.#book.price(slot), quantity)
    this.steps.push(`expire #${this.#book.orderNumber(slot)} ${quantity}`)
  }

  makerEnded(slot: Slot, quantity: Lots): void {
    this.#check(slot, this.#book.price(slot), quantity)
    this.steps.push(`ended #${this.#book.orderNumber(slot)} ${quantity}`)
  }

  decremented(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void {
    this.#check(slot, price, quantity + makerRemaining)
    this.steps.push(
      `decrement #${this.#book.orderNumber(slot)} ${price} x ${quantity}, ${makerRemaining} left`,
    )
  }

  /** Checks that the observer is called before the book changes. */
  #check(slot: Slot, price: Price, remaining: number): void {
    expect(this.#book.price(slot)).toBe(price)
    expect(this.#book.remaining(slot)).toBe(remaining as Lots)
  }
}

type TakerTerms = {
  readonly side?: Side
  readonly limit?: number
  readonly quantity?: number
  readonly budget?: bigint
  readonly unit?: bigint
  readonly mode?: SelfTradeMode
  readonly stepsMax?: number
}

function take(
  book: OrderBook,
  terms: TakerTerms,
): { readonly steps: string[]; readonly outcome: MatchOutcome } {
  const recorder = new Recorder(book)
  const taker: Taker = {
    side: terms.side ?? 'BUY',
    owner: ME,
    limit: terms.limit as Price | undefined,
    quantity: terms.quantity as Lots | undefined,
    budget: terms.budget === undefined ? undefined : notional(terms.budget),
    budgetUnit: terms.unit === undefined ? undefined : notional(terms.unit),
    selfTradeMode: terms.mode ?? 'NONE',
    stepsMax: terms.stepsMax ?? 1_000,
  }
  const outcome = match(book, taker, recorder)
  return { steps: recorder.steps, outcome }
}

/** The outcome for a taker with a quantity and no budget. */
function ofQuantity(
  executed: number,
  remaining: number,
  stop: MatchOutcome['stop'],
  decremented = 0,
): MatchOutcome {
  return {
    executed: executed as Lots,
    remaining: remaining as Lots,
    decremented: decremented as Lots,
    budgetLeft: undefined,
    takerExpired: stop === 'SELF_TRADE',
    stop,
  }
}

/** The outcome for a taker with a budget and no quantity. */
function ofBudget(
  executed: number,
  budgetLeft: bigint,
  stop: MatchOutcome['stop'],
  decremented = 0,
): MatchOutcome {
  const outcome = ofQuantity(executed, 0, stop, decremented)
  return { ...outcome, remaining: undefined, budgetLeft: notional(budgetLeft) }
}

describe('price-time priority', () => {
  test('the best price is matched first, then the oldest order, each at the resting price', () => {
    const book = sells([OTHER, 12, 1], [OTHER, 10, 2], [OTHER, 11, 3], [OTHER, 10, 4])
    const { steps, outcome } = take(book, { limit: 12, quantity: 8 })
    expect(steps).toEqual(['fill #2 10 x 2, 0 left', 'fill #4 10 x 4, 0 left', 'fill #3 11 x 2, 1 left'])
    expect(outcome).toEqual(ofQuantity(8, 0, 'FILLED'))
    expect(book.levels('SELL', 9).map((level) => level.quantity)).toEqual([1n, 1n])
  })

  test('a sell takes the highest buy first', () => {
    const book = new FastBook()
    for (const price of [8, 10, 9]) book.add('BUY', price as Price, 1 as Lots, OTHER, price as OrderNumber)
    const { steps, outcome } = take(book, { side: 'SELL', limit: 9, quantity: 5 })
    expect(steps).toEqual(['fill #10 10 x 1, 0 left', 'fill #9 9 x 1, 0 left'])
    expect(outcome).toEqual(ofQuantity(2, 3, 'NO_MORE_PRICE'))
  })

  test('a partly filled maker keeps its place in the queue', () => {
    const book = sells([OTHER, 10, 5], [OTHER, 10, 5])
    expect(take(book, { limit: 10, quantity: 2 }).steps).toEqual(['fill #1 10 x 2, 3 left'])
    expect(take(book, { limit: 10, quantity: 4 }).steps).toEqual([
      'fill #1 10 x 3, 0 left',
      'fill #2 10 x 1, 4 left',
    ])
  })

  test('no trade is worse than the limit, in either direction', () => {
    const book = sells([OTHER, 11, 1])
    book.add('BUY', 9 as Price, 1 as Lots, OTHER, 2 as OrderNumber)
    for (const side of SIDES) {
      expect(take(book, { side, limit: 10, quantity: 1 })).toEqual({
        steps: [],
        outcome: ofQuantity(0, 1, 'NO_MORE_PRICE'),
      })
    }
  })

  test('without a limit every price is taken until the side is empty', () => {
    const book = sells([OTHER, 1, 1], [OTHER, UNITS_MAX, 1])
    expect(take(book, { quantity: 3 }).outcome).toEqual(ofQuantity(2, 1, 'EMPTY'))
    expect(book.restingCount).toBe(0)
  })
})

describe('budget', () => {
  test('each level gives as many lots as the budget pays for in full', () => {
    const book = sells([OTHER, 10, 3], [OTHER, 20, 5])
    const { steps, outcome } = take(book, { budget: 79n })
    expect(steps).toEqual(['fill #1 10 x 3, 0 left', 'fill #2 20 x 2, 3 left'])
    expect(outcome).toEqual(ofBudget(5, 9n, 'BUDGET'))
  })

  test('a budget that does not pay for one lot of the best order takes nothing after it', () => {
    const book = new FastBook()
    book.add('BUY', 10 as Price, 1 as Lots, OTHER, 1 as OrderNumber)
    book.add('BUY', 3 as Price, 1 as Lots, OTHER, 2 as OrderNumber)
    const { steps, outcome } = take(book, { side: 'SELL', budget: 5n })
    expect(steps).toEqual([])
    expect(outcome).toEqual(ofBudget(0, 5n, 'BUDGET'))
  })

  test('of quantity and budget the one that binds first ends it', () => {
    const book = sells([OTHER, 10, 9])
    expect(take(book, { quantity: 2, budget: 35n }).outcome).toEqual({
      ...ofQuantity(2, 0, 'FILLED'),
      budgetLeft: notional(15n),
    })
    expect(take(book, { quantity: 5, budget: 35n }).outcome).toEqual({
      ...ofQuantity(3, 2, 'BUDGET'),
      budgetLeft: notional(5n),
    })
  })

  test('a budget spent to the last unit with more at that price ends as BUDGET, with nothing there as EMPTY', () => {
    expect(take(sells([OTHER, 10, 3]), { budget: 20n }).outcome).toEqual(ofBudget(2, 0n, 'BUDGET'))
    expect(take(sells([OTHER, 10, 2]), { budget: 20n }).outcome).toEqual(ofBudget(2, 0n, 'EMPTY'))
    expect(take(sells([OTHER, 10, 2]), { budget: 0n }).outcome).toEqual(ofBudget(0, 0n, 'BUDGET'))
  })

  test('a budget is exact where price x quantity is far beyond 2^53', () => {
    const cost = BigInt(UNITS_MAX) * BigInt(UNITS_MAX)
    expect(take(sells([OTHER, UNITS_MAX, UNITS_MAX]), { budget: cost }).outcome).toEqual(
      ofBudget(UNITS_MAX, 0n, 'FILLED'),
    )
    expect(take(sells([OTHER, UNITS_MAX, UNITS_MAX]), { budget: cost - 1n }).outcome).toEqual(
      ofBudget(UNITS_MAX - 1, BigInt(UNITS_MAX) - 1n, 'BUDGET'),
    )
  })

  test('an order with a budget alone never takes more than 2^53-1 lots', () => {
    const book = sells([OTHER, 1, UNITS_MAX - 1], [OTHER, 1, UNITS_MAX])
    const { steps, outcome } = take(book, { budget: 4n * BigInt(UNITS_MAX) })
    expect(steps).toEqual([`fill #1 1 x ${UNITS_MAX - 1}, 0 left`, `fill #2 1 x 1, ${UNITS_MAX - 1} left`])
    expect(outcome).toEqual(ofBudget(UNITS_MAX, 3n * BigInt(UNITS_MAX), 'FILLED'))
  })

  test('a taker with neither quantity nor budget, or a budget below 0, is a bug of the caller', () => {
    expect(() => take(sells([OTHER, 1, 1]), {})).toThrow(InvariantError)
    expect(() => take(sells([OTHER, 1, 1]), { budget: -1n })).toThrow(InvariantError)
  })
})

describe('self-trade prevention', () => {
  /** Another account's order, then mine at the same price, then another's again. */
  const around = () => sells([OTHER, 10, 2], [ME, 10, 3], [OTHER, 10, 4])
  const resting = (book: OrderBook) => [...book.slots('SELL')].map((slot) => Number(book.remaining(slot)))

  test('NONE trades with the own order', () => {
    const { steps, outcome } = take(around(), { quantity: 4 })
    expect(steps).toEqual(['fill #1 10 x 2, 0 left', 'fill #2 10 x 2, 1 left'])
    expect(outcome).toEqual(ofQuantity(4, 0, 'FILLED'))
  })

  test('EXPIRE_TAKER trades up to the own order, which stays, and ends the taker', () => {
    for (const terms of [{ quantity: 9 }, { budget: 90n }]) {
      const book = around()
      const { steps, outcome } = take(book, { ...terms, mode: 'EXPIRE_TAKER' })
      expect(steps).toEqual(['fill #1 10 x 2, 0 left'])
      expect(outcome).toEqual(
        'budget' in terms ? ofBudget(2, 70n, 'SELF_TRADE') : ofQuantity(2, 7, 'SELF_TRADE'),
      )
      expect(resting(book)).toEqual([3, 4])
    }
  })

  test('EXPIRE_MAKER cancels the own order at no cost and continues', () => {
    for (const terms of [{ quantity: 5 }, { budget: 50n }]) {
      const book = around()
      const { steps, outcome } = take(book, { ...terms, mode: 'EXPIRE_MAKER' })
      expect(steps).toEqual(['fill #1 10 x 2, 0 left', 'expire #2 3', 'fill #3 10 x 3, 1 left'])
      expect(outcome).toEqual('budget' in terms ? ofBudget(5, 0n, 'BUDGET') : ofQuantity(5, 0, 'FILLED'))
      expect(resting(book)).toEqual([1])
    }
  })

  test('EXPIRE_MAKER cancels every own order that it meets, many in a row', () => {
    const book = sells([ME, 10, 1], [ME, 10, 2], [ME, 11, 3], [ME, 13, 4])
    const { steps, outcome } = take(book, { quantity: 1, limit: 12, mode: 'EXPIRE_MAKER' })
    expect(steps).toEqual(['expire #1 1', 'expire #2 2', 'expire #3 3'])
    expect(outcome).toEqual(ofQuantity(0, 1, 'NO_MORE_PRICE'))
  })

  test('EXPIRE_BOTH cancels the own order and ends the taker', () => {
    for (const terms of [{ quantity: 9 }, { budget: 90n }]) {
      const book = around()
      const { steps, outcome } = take(book, { ...terms, mode: 'EXPIRE_BOTH' })
      expect(steps).toEqual(['fill #1 10 x 2, 0 left', 'expire #2 3'])
      expect(outcome).toEqual(
        'budget' in terms ? ofBudget(2, 70n, 'SELF_TRADE') : ofQuantity(2, 7, 'SELF_TRADE'),
      )
      expect(resting(book)).toEqual([4])
    }
  })

  test('DECREMENT lowers both orders and the budget and counts as not executed', () => {
    for (const terms of [{ quantity: 6 }, { budget: 60n }]) {
      const book = around()
      const { steps, outcome } = take(book, { ...terms, mode: 'DECREMENT' })
      expect(steps).toEqual([
        'fill #1 10 x 2, 0 left',
        'decrement #2 10 x 3, 0 left',
        'fill #3 10 x 1, 3 left',
      ])
      expect(outcome).toEqual(
        'budget' in terms ? ofBudget(3, 0n, 'BUDGET', 3) : ofQuantity(3, 0, 'FILLED', 3),
      )
      expect(resting(book)).toEqual([3])
    }
  })

  test('DECREMENT of a larger own order leaves the rest at its place in the queue', () => {
    const book = sells([ME, 10, 5], [OTHER, 10, 5])
    const { steps, outcome } = take(book, { quantity: 2, mode: 'DECREMENT' })
    expect(steps).toEqual(['decrement #1 10 x 2, 3 left'])
    expect(outcome).toEqual(ofQuantity(0, 0, 'FILLED', 2))
    expect(resting(book)).toEqual([3, 5])
  })

  test('DECREMENT goes no further than the budget', () => {
    const book = sells([ME, 10, 5])
    expect(take(book, { budget: 25n, mode: 'DECREMENT' }).outcome).toEqual(ofBudget(0, 5n, 'BUDGET', 2))
    expect(resting(book)).toEqual([3])
  })

  test('what DECREMENT takes off a budget that is paid in whole units leaves no more than whole units to spend', () => {
    const terms = { budget: 100n, unit: 10n, mode: 'DECREMENT' } as const
    // Self-trade prevention takes 5 from the budget of 100: 95 are left, and 91 to 95 lots would cost 100.
    const lowered = take(sells([ME, 1, 5], [OTHER, 1, 200]), terms)
    expect(lowered.steps).toEqual(['decrement #1 1 x 5, 0 left', 'fill #2 1 x 90, 110 left'])
    expect(lowered.outcome).toEqual(ofBudget(90, 0n, 'BUDGET', 5))
    // 91 lots cost 100, so nothing is left for self-trade prevention to take.
    const spent = take(sells([OTHER, 1, 91], [ME, 1, 5], [OTHER, 1, 200]), terms)
    expect(spent.steps).toEqual(['fill #1 1 x 91, 0 left'])
    expect(spent.outcome).toEqual(ofBudget(91, 9n, 'BUDGET'))
    // 85 lots cost 90: of the other 10, self-trade prevention takes 8, and 5 of the budget can be spent.
    const both = take(sells([OTHER, 1, 85], [ME, 4, 2], [OTHER, 5, 50]), terms)
    expect(both.steps).toEqual([
      'fill #1 1 x 85, 0 left',
      'decrement #2 4 x 2, 0 left',
      'fill #3 5 x 1, 49 left',
    ])
    expect(both.outcome).toEqual(ofBudget(86, 0n, 'BUDGET', 2))
  })

  test('an own order out of reach of the limit, the quantity or the budget is left alone', () => {
    for (const mode of SELF_TRADE_MODES) {
      const book = sells([OTHER, 10, 1], [ME, 11, 1])
      expect(take(book, { limit: 10, quantity: 2, mode }).outcome).toEqual(ofQuantity(1, 1, 'NO_MORE_PRICE'))
      const exact = sells([OTHER, 10, 1], [ME, 10, 1])
      expect(take(exact, { limit: 10, quantity: 1, mode }).outcome).toEqual(ofQuantity(1, 0, 'FILLED'))
      const poor = sells([OTHER, 10, 1], [ME, 11, 1])
      expect(take(poor, { budget: 20n, mode }).outcome).toEqual(ofBudget(1, 10n, 'BUDGET'))
      for (const each of [book, exact, poor]) expect(resting(each)).toEqual([1])
    }
  })

  test('no mode prevents trading with others', () => {
    for (const mode of SELF_TRADE_MODES) {
      const { steps, outcome } = take(sells([OTHER, 10, 2]), { quantity: 2, mode })
      expect(steps).toEqual(['fill #1 10 x 2, 0 left'])
      expect(outcome).toEqual(ofQuantity(2, 0, 'FILLED'))
    }
  })
})

test('an observer may add orders on the side of the makers while it is called, and they queue up behind', () => {
  const book = sells([OTHER, 10, 2], [OTHER, 10, 1])
  const fills: number[] = []
  let hidden = 4
  const iceberg: MatchObserver = {
    filled(slot, price, quantity, makerRemaining) {
      fills.push(book.orderNumber(slot), quantity)
      if (book.orderNumber(slot) !== 1 || makerRemaining > 0 || hidden === 0) return
      hidden -= 2
      book.add('SELL', price, 2 as Lots, OTHER, 1 as OrderNumber)
    },
    makerExpired() {},
    makerEnded() {},
    decremented() {},
  }
  const quantity = 6 as Lots
  match(
    book,
    {
      side: 'BUY',
      owner: ME,
      limit: undefined,
      quantity,
      budget: undefined,
      selfTradeMode: 'NONE',
      stepsMax: 1_000,
    },
    iceberg,
  )
  expect(fills).toEqual([1, 2, 2, 1, 1, 2, 1, 1])
})
