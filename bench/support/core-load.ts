/**
 * Commands for a complete exchange: a market of two assets, accounts with money in both, and orders, every
 * second of which takes the previous ones.
 */

import type { Command } from '../../src/core/commands/command.ts'
import type { LimitOrder, PlaceOrder } from '../../src/core/commands/orders.ts'
import { RULES_VERSION } from '../../src/core/exchange/rules.ts'
import type { AccountId, SymbolId } from '../../src/units/ids.ts'
import { amount, type Decimals, type Lots, type Price, type Rate } from '../../src/units/quantities.ts'
import { RandomSource } from '../../test/model/random-source.ts'

export const OPERATOR = { actor: 'bench', note: '' }
const MIDDLE = 5_000_000
const BAND = 10
/** The first trader: the accounts of the outside world, of fees and of the symbol's rounding precede it. */
export const FIRST_TRADER = 3

export type CoreLoad = {
  /** Lists assets and the symbol, opens the accounts and funds them. */
  readonly opening: readonly Command[]
  readonly orders: readonly PlaceOrder[]
}

export type CoreLoadOptions = {
  readonly accounts: number
  readonly orders: number
  /** Decimals of both assets' ledgers: with 8, all sums of the load are below 2^53, with 18, none. */
  readonly fraction: number
  /**
   * If true, every order is for 0.05 BTC, so that a taker trades once; otherwise for 0.0001 to 0.1, and it
   * trades twice on average.
   */
  readonly isOneSize: boolean
}

export function coreLoad(options: CoreLoadOptions): CoreLoad {
  return { opening: [...openingOf(options)], orders: ordersOf(options) }
}

/** The first command, of a journal too: the newest rules, as in every new exchange. */
export const FIRST_COMMAND: Command = { kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION }

/** BTC, USDT and their symbol, number 0. */
export function* listing(fraction: number): Generator<Command> {
  for (const code of ['BTC', 'USDT']) yield listAsset(code, fraction)
  yield {
    kind: 'ListSymbol',
    operator: OPERATOR,
    base: 'BTC',
    quote: 'USDT',
    terms: {
      baseFraction: 8 as Decimals,
      quoteFraction: 2 as Decimals,
      makerRate: 100_000 as Rate,
      takerRate: 100_000 as Rate,
      minTotal: amount(0n),
      minQuantity: 0 as Lots,
      selfTradeMode: 'NONE',
      openOrdersMax: 1_000_000,
      levelsMax: 1_000_000,
    },
  }
}

function* openingOf({ accounts, fraction }: CoreLoadOptions): Generator<Command> {
  yield* listing(fraction)
  for (let i = 0; i < accounts; i++) {
    yield { kind: 'CreateAccount', operator: OPERATOR, name: `trader-${i}` }
    for (const [asset, whole] of [
      ['BTC', 1_000n],
      ['USDT', 50_000_000n],
    ] as const) {
      const sum = amount(whole * 10n ** BigInt(fraction))
      const accountId = (FIRST_TRADER + i) as AccountId
      yield { kind: 'Credit', operator: OPERATOR, accountId, asset, amount: sum, reference: `${asset}-${i}` }
    }
  }
}

function listAsset(code: string, fraction: number): Command {
  return {
    kind: 'ListAsset',
    operator: OPERATOR,
    code,
    name: code,
    fraction: fraction as Decimals,
    flags: { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: false },
    supplyCap: amount(0n),
  }
}

/** Half of them rest within `BAND` ticks of the middle, the other half take them. */
function ordersOf({ accounts, orders, isOneSize }: CoreLoadOptions): (PlaceOrder & LimitOrder)[] {
  const random = new RandomSource(4)
  return Array.from({ length: orders }, (_, i) => {
    const isBuy = random.below(2) === 0
    const isTaker = i % 2 === 1
    const distance = isTaker ? -BAND : 1 + random.below(BAND)
    const order = restingOrder({
      accountId: (FIRST_TRADER + random.below(accounts)) as AccountId,
      side: isBuy ? 'BUY' : 'SELL',
      price: (isBuy ? MIDDLE - distance : MIDDLE + distance) as Price,
      quantity: (isOneSize ? 5_000_000 : 10_000 * (1 + random.below(1_000))) as Lots,
    })
    return { ...order, timeInForce: isTaker ? 'IOC' : 'GTC' }
  })
}

type RestingOrder = Pick<PlaceOrder, 'accountId' | 'side'> & {
  readonly price: Price
  readonly quantity: Lots
}

/** A LIMIT order of symbol 0 that may rest. */
export function restingOrder({ accountId, side, price, quantity }: RestingOrder): PlaceOrder & LimitOrder {
  return {
    kind: 'PlaceOrder',
    accountId,
    symbolId: 0 as SymbolId,
    side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    price,
    quantity,
    total: undefined,
    selfTradeMode: undefined,
    clientOrderId: undefined,
  }
}
