/**
 * Commands for the engine's tests.
 */
import type { Command } from '../../core/commands/command.ts'
import type { Operator } from '../../core/commands/operator.ts'
import type { PlaceOrder } from '../../core/commands/orders.ts'
import { RULES_MIN } from '../../core/exchange/rules.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import type { Side } from '../../units/order-enums.ts'
import { amount, type Decimals, type Lots, type Price, type Rate } from '../../units/quantities.ts'

const operator: Operator = { actor: 'test', note: '' }

/** The first command of a journal that the program opens. Under the oldest rules its hash stays the same. */
export function oldestRules(): Command {
  return { kind: 'SetRulesVersion', operator, version: RULES_MIN }
}

export function account(name: string): Command {
  return { kind: 'CreateAccount', operator, name }
}

export function asset(code: string): Command {
  const flags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true }
  return {
    kind: 'ListAsset',
    operator,
    code,
    name: code,
    fraction: 8 as Decimals,
    flags,
    supplyCap: amount(0n),
  }
}

export function symbol(base: string, quote: string): Command {
  const terms = {
    baseFraction: 8 as Decimals,
    quoteFraction: 2 as Decimals,
    makerRate: 100_000 as Rate,
    takerRate: 100_000 as Rate,
    minTotal: amount(0n),
    minQuantity: 0 as Lots,
    selfTradeMode: 'NONE',
    openOrdersMax: 10_000,
    levelsMax: 10_000,
  } as const
  return { kind: 'ListSymbol', operator, base, quote, terms }
}

export function credit(accountId: number, asset: string, units: bigint, reference: string): Command {
  return {
    kind: 'Credit',
    operator,
    accountId: accountId as AccountId,
    asset,
    amount: amount(units),
    reference,
  }
}

export function limit(accountId: number, side: Side, price: number, quantity: number): PlaceOrder {
  return {
    kind: 'PlaceOrder',
    accountId: accountId as AccountId,
    symbolId: 0 as SymbolId,
    side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: price as Price,
    quantity: quantity as Lots,
    total: undefined,
    selfTradeMode: undefined,
    clientOrderId: undefined,
  }
}

/** BTC/USDT with two funded accounts, 3 and 4 (0 to 2 are the house's): nine commands. */
export function market(): Command[] {
  return [
    asset('BTC'),
    asset('USDT'),
    symbol('BTC', 'USDT'),
    account('alice'),
    account('bob'),
    ...[3, 4].flatMap((id) => [
      credit(id, 'BTC', 10_000_000_000n, `btc-${id}`),
      credit(id, 'USDT', 500_000_000_000_000n, `usdt-${id}`),
    ]),
  ]
}
