/**
 * The detail that the core's refusal of a limit leaves out, as part of the message: the value sent, and the
 * limit. The core answers only with a reason; the limit is read from the read models, which include at least
 * that command.
 */

import type { Localised } from '../../contract/language.ts'
import type { Command } from '../../core/commands/command.ts'
import type { PlaceOrder } from '../../core/commands/orders.ts'
import { paidFor, quoteScale, receivedFor } from '../../core/ledger/money.ts'
import type { Asset, TradingSymbol } from '../../core/registry/records.ts'
import { plainDecimal } from '../../units/decimal.ts'
import {
  ACCOUNTS_MAX,
  ADDRESS_BANS_MAX,
  ADMIN_TOKENS_MAX,
  AMOUNT_MAX,
  API_KEYS_PER_ACCOUNT_MAX,
  APPROVALS_MAX,
  ASKED_WITHDRAWALS_PER_ACCOUNT_MAX,
  ASSETS_MAX,
  CLIENT_ORDER_IDS_MAX,
  CLIENT_ORDER_IDS_PER_ACCOUNT_MAX,
  COUNTDOWNS_PER_ACCOUNT_MAX,
  FEE_TIERS_MAX,
  MASS_CANCELS_PER_ACCOUNT_MAX,
  PENDING_WITHDRAWALS_MAX,
  REFERENCES_MAX,
  SESSIONS_MAX,
  SESSIONS_PER_ACCOUNT_MAX,
  SYMBOLS_MAX,
  WITHDRAWAL_ADDRESSES_PER_ACCOUNT_MAX,
  WITHDRAWALS_MAX,
} from '../../units/limits.ts'
import { worthOf } from '../../units/notional.ts'
import { type Amount, amount, type Decimals, type Price } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { LimitsView } from './limits-view.ts'
import { nearestValue } from './nearest-value.ts'
import { refusedOrder } from './refused-order.ts'

type Detail = (command: Command, view: LimitsView, reason: CoreReason) => Localised | undefined

const NOTHING: Localised = { en: '', tr: '' }

/** The text for `{detail}` in a reason's text; empty if there is none. */
export function refusalDetail(reason: CoreReason, command: Command, view: LimitsView): Localised {
  return DETAILS[reason]?.(command, view, reason) ?? NOTHING
}

/** The details of an order's refusal, which needs the order's symbol. */
function ofOrder(
  detailOf: (order: PlaceOrder, symbol: TradingSymbol, view: LimitsView) => Localised | undefined,
) {
  return (command: Command, view: LimitsView, reason: CoreReason): Localised | undefined => {
    const refused = refusedOrder(reason, command, view)
    return refused && detailOf(refused.order, refused.symbol, view)
  }
}

const DETAILS: Partial<Record<CoreReason, Detail>> = {
  QUANTITY_TOO_SMALL: ofOrder(({ quantity }, { minQuantity, baseFraction, baseCode }) =>
    quantity === undefined
      ? undefined
      : atLeast(
          named(plainDecimal(quantity, baseFraction), baseCode),
          named(plainDecimal(minQuantity, baseFraction), baseCode),
        ),
  ),
  TOTAL_TOO_SMALL: ofOrder((order, symbol) => {
    const { minTotal, quotePrecision, quoteCode } = symbol
    const least = minTotal > 1 ? minTotal : amount(1)
    const limit = named(plainDecimal(least, quotePrecision), quoteCode)
    return atLeast(named(totalOf(order, symbol), quoteCode), limit)
  }),
  TOTAL_MISMATCH: ofOrder(({ total, price, quantity }, symbol) => {
    if (total === undefined || price === undefined || quantity === undefined) return undefined
    const { quotePrecision, quoteCode } = symbol
    const scale = quoteScale(symbol.baseFraction, symbol.quoteFraction, quotePrecision)
    const worth = worthOf(price, quantity)
    const [low, high] = [receivedFor(worth, scale), paidFor(worth, scale)]
    const text = (units: Amount) => named(plainDecimal(units, quotePrecision), quoteCode)
    const [en, tr] =
      low === high
        ? [text(low), text(low)]
        : [`${text(low)} or ${text(high)}`, `${text(low)} veya ${text(high)}`]
    return {
      en: `: found ${text(total)}, expected ${en}`,
      tr: `: gönderilen ${text(total)}, beklenen ${tr}`,
    }
  }),
  PRICE_OUT_OF_BAND: ofOrder(({ price, stopPrice }, { priceBand, quoteFraction, quoteCode }) => {
    if (priceBand === undefined) return undefined
    const isOut = (ticks: Price | undefined) =>
      ticks !== undefined && (ticks < priceBand.min || ticks > priceBand.max)
    const out = isOut(price) ? price : stopPrice
    if (out === undefined) return undefined
    const [found, min, max] = [out, priceBand.min, priceBand.max].map((ticks) =>
      named(plainDecimal(ticks, quoteFraction), quoteCode),
    )
    return {
      en: `: found ${found}, expected ${min} to ${max}`,
      tr: `: gönderilen ${found}, izin verilen ${min} ile ${max} arası`,
    }
  }),
  PRICE_NOT_ON_TICK: ofOrder(({ price, stopPrice }, { increments, quoteFraction, quoteCode }) => {
    const tickSize = increments?.tickSize
    const off = [stopPrice, price].find(
      (ticks) => ticks !== undefined && tickSize !== undefined && ticks % tickSize !== 0,
    )
    if (off === undefined || tickSize === undefined) return undefined
    return multiple(named(plainDecimal(off, quoteFraction), quoteCode), plainDecimal(tickSize, quoteFraction))
  }),
  QUANTITY_NOT_ON_STEP: ofOrder(({ quantity, icebergQuantity }, { increments, baseFraction, baseCode }) => {
    const stepSize = increments?.stepSize
    const off = [quantity, icebergQuantity].find(
      (lots) => lots !== undefined && stepSize !== undefined && lots % stepSize !== 0,
    )
    if (off === undefined || stepSize === undefined) return undefined
    return multiple(named(plainDecimal(off, baseFraction), baseCode), plainDecimal(stepSize, baseFraction))
  }),
  ICEBERG_QUANTITY_TOO_LARGE: partDetail(atMost),
  ICEBERG_QUANTITY_TOO_SMALL: partDetail(atLeast),
  TOO_MANY_OPEN_ORDERS: ofOrder(({ accountId }, symbol, { registry }) =>
    most(registry.account(accountId)?.openOrdersMax ?? symbol.openOrdersMax),
  ),
  TOO_MANY_PRICE_LEVELS: ofOrder((_order, { levelsMax }) => most(levelsMax)),
  TOO_MANY_CLIENT_ORDER_IDS: () => ({
    en: `: at most ${CLIENT_ORDER_IDS_PER_ACCOUNT_MAX} per account, ${CLIENT_ORDER_IDS_MAX} in total`,
    tr: `: hesap başına en fazla ${CLIENT_ORDER_IDS_PER_ACCOUNT_MAX}, toplamda ${CLIENT_ORDER_IDS_MAX}`,
  }),
  EXPIRE_TIME_PASSED: ofOrder(({ expireTime }) => foundTime(expireTime)),
  EXPIRE_TIME_TOO_FAR: ofOrder(({ expireTime }) => foundTime(expireTime)),
  TOO_MANY_MASS_CANCELS: () => most(MASS_CANCELS_PER_ACCOUNT_MAX),
  TOO_MANY_COUNTDOWNS: () => most(COUNTDOWNS_PER_ACCOUNT_MAX),
  TOO_MANY_SESSIONS: () => ({
    en: `: at most ${SESSIONS_PER_ACCOUNT_MAX} per account, ${SESSIONS_MAX} in total`,
    tr: `: hesap başına en fazla ${SESSIONS_PER_ACCOUNT_MAX}, toplamda ${SESSIONS_MAX}`,
  }),
  SUPPLY_LIMIT: ofMoney((found, { supplyCap }, text) =>
    atMost(found, text(supplyCap > 0 ? supplyCap : amount(AMOUNT_MAX))),
  ),
  CREDIT_LIMIT: ofMoney((found, { creditMax }, text) =>
    creditMax === undefined ? undefined : atMost(found, text(creditMax)),
  ),
  WITHDRAWAL_TOO_SMALL: ofMoney((found, { withdrawMin }, text) =>
    withdrawMin === undefined ? undefined : atLeast(found, text(withdrawMin)),
  ),
  WITHDRAWAL_TOO_LARGE: ofMoney((found, { withdrawMax }, text) =>
    withdrawMax === undefined ? undefined : atMost(found, text(withdrawMax)),
  ),
  TOO_MANY_WITHDRAWAL_ADDRESSES: () => most(WITHDRAWAL_ADDRESSES_PER_ACCOUNT_MAX),
  TOO_MANY_WITHDRAWALS: () => most(ASKED_WITHDRAWALS_PER_ACCOUNT_MAX),
  LIMIT_REACHED: ({ kind }) => {
    const limit = LIMIT_BY_KIND[kind]
    return limit === undefined ? undefined : most(limit)
  },
  TOO_MANY_PENDING: ({ kind }) => most(kind === 'HoldWithdrawal' ? PENDING_WITHDRAWALS_MAX : APPROVALS_MAX),
  TOO_MANY_REFERENCES: ({ kind }) => most(kind === 'HoldWithdrawal' ? WITHDRAWALS_MAX : REFERENCES_MAX),
}

/** The visible quantity of an order, and the limit that refused it. */
function partDetail(compare: (found: string, limit: string) => Localised): Detail {
  return (command, view, reason) => {
    const refused = refusedOrder(reason, command, view)
    const part = refused?.order.icebergQuantity
    const nearest = nearestValue(reason, command, view)
    if (refused === undefined || part === undefined || nearest === undefined) return undefined
    const { baseFraction, baseCode } = refused.symbol
    return compare(named(plainDecimal(part, baseFraction), baseCode), named(nearest.value, baseCode))
  }
}

const LIMIT_BY_KIND: Partial<Record<Command['kind'], number>> = {
  ListAsset: ASSETS_MAX,
  ListSymbol: SYMBOLS_MAX,
  CreateAccount: ACCOUNTS_MAX,
  OpenCustomer: ACCOUNTS_MAX,
  CreateApiKey: API_KEYS_PER_ACCOUNT_MAX,
  SetFeeTier: FEE_TIERS_MAX,
  AddAdminToken: ADMIN_TOKENS_MAX,
  BanAddress: ADDRESS_BANS_MAX,
}

/** The details of a refusal of a payment, at its request or at its approval. */
function ofMoney(
  detailOf: (found: string, asset: Asset, text: (units: Amount) => string) => Localised | undefined,
): Detail {
  return (command, { registry, approvalByReference }) => {
    const waited = command.kind === 'Approve' ? approvalByReference?.get(command.reference) : undefined
    const asset =
      waited !== undefined
        ? registry.asset(waited.assetId)
        : 'asset' in command
          ? registry.assetByCode(command.asset)
          : undefined
    const units = waited?.amount ?? ('amount' in command ? command.amount : undefined)
    if (asset === undefined || units === undefined) return undefined
    const text = (some: Amount) => named(plainDecimal(some, asset.fraction), asset.code)
    return detailOf(text(units), asset, text)
  }
}

/**
 * Price x quantity to its last digit, which may be beyond the ledger's precision; for a MARKET order the
 * total that was sent.
 */
function totalOf({ total, price, quantity, type }: PlaceOrder, symbol: TradingSymbol): string {
  if (type === 'MARKET' || price === undefined || quantity === undefined) {
    return plainDecimal(total ?? 0, symbol.quotePrecision)
  }
  const places = symbol.baseFraction + symbol.quoteFraction
  return plainDecimal(worthOf(price, quantity), places as Decimals)
}

/** Returns the value that was sent; the engine's time at the check is not available. */
function foundTime(time: number | undefined): Localised | undefined {
  return time === undefined ? undefined : { en: `: found ${time}`, tr: `: gönderilen ${time}` }
}

function named(figure: string, code: string): string {
  return `${figure} ${code}`
}

function atLeast(found: string, limit: string): Localised {
  return { en: `: found ${found}, expected at least ${limit}`, tr: `: gönderilen ${found}, en az ${limit}` }
}

function atMost(found: string, limit: string): Localised {
  return { en: `: found ${found}, the limit is ${limit}`, tr: `: gönderilen ${found}, sınır ${limit}` }
}

function multiple(found: string, size: string): Localised {
  return {
    en: `: found ${found}, expected a multiple of ${size}`,
    tr: `: gönderilen ${found}, ${size} değerinin katı olmalı`,
  }
}

function most(limit: number): Localised {
  return { en: `: at most ${limit}`, tr: `: en fazla ${limit}` }
}
