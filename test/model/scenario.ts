/**
 * A small market for examples: GOLD with 3 decimals against COIN with 2, where a lot at a low price is worth
 * far less than one unit, and three traders with plenty of both.
 */

import type { Command } from '../../src/core/commands/command.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import { figuresOf } from '../../src/core/exchange/order-figures.fixture.ts'
import { PLAIN_TERMS } from '../../src/core/registry/plain-terms.fixture.ts'
import type { SymbolTerms } from '../../src/core/registry/terms.ts'
import type { AccountId, SymbolId } from '../../src/units/ids.ts'
import { amount, decimals, lots, price } from '../../src/units/quantities.ts'
import { ALL_FLAGS, OPERATOR } from './random-world.ts'
import type { Step } from './step.ts'

/** Account 2 is the rounding account of the only symbol. */
export const TRADER = { ann: 3 as AccountId, ben: 4 as AccountId, cleo: 5 as AccountId } as const
const GOLD_COIN = 0 as SymbolId

const TERMS: SymbolTerms = { ...PLAIN_TERMS, baseFraction: decimals(3) }

export function step(command: Command): Step {
  return { kind: 'apply', command, afterMs: 1 }
}

/** Lists the market and funds the traders with 10^15 units of both assets. */
export function marketSteps(terms: Partial<SymbolTerms> = {}): Step[] {
  const asset = (code: string, fraction: number) =>
    step({
      kind: 'ListAsset',
      operator: OPERATOR,
      code,
      name: code,
      fraction: decimals(fraction),
      flags: ALL_FLAGS,
      supplyCap: amount(0n),
    })
  const listing = { base: 'GOLD', quote: 'COIN', terms: { ...TERMS, ...terms } }
  return [
    asset('GOLD', 3),
    asset('COIN', 2),
    step({ kind: 'ListSymbol', operator: OPERATOR, ...listing }),
    ...Object.keys(TRADER).map((name) => step({ kind: 'CreateAccount', operator: OPERATOR, name })),
    ...Object.values(TRADER).flatMap((accountId) => ['GOLD', 'COIN'].map((code) => credit(accountId, code))),
  ]
}

function credit(accountId: AccountId, asset: string): Step {
  const reference = `start-${accountId}-${asset}`
  return step({ kind: 'Credit', operator: OPERATOR, accountId, asset, amount: amount(10n ** 15n), reference })
}

/** Fields of an order in these examples; numbers are ticks, lots and ledger units. */
export type OrderWords = Pick<PlaceOrder, 'accountId' | 'side'> &
  Partial<Pick<PlaceOrder, 'type' | 'timeInForce' | 'selfTradeMode' | 'clientOrderId' | 'symbolId'>> & {
    readonly price?: number
    readonly quantity?: number
    readonly total?: bigint
  }

export function orderOf(words: OrderWords): PlaceOrder {
  return {
    kind: 'PlaceOrder',
    accountId: words.accountId,
    symbolId: words.symbolId ?? GOLD_COIN,
    selfTradeMode: words.selfTradeMode,
    clientOrderId: words.clientOrderId,
    ...figuresOf({
      side: words.side,
      type: words.type ?? 'LIMIT',
      timeInForce: words.timeInForce,
      price: words.price === undefined ? undefined : price(words.price),
      quantity: words.quantity === undefined ? undefined : lots(words.quantity),
      total: words.total === undefined ? undefined : amount(words.total),
    }),
  }
}

export function orderStep(words: OrderWords): Step {
  return step(orderOf(words))
}
