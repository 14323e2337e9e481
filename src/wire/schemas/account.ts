/** What belongs to an account, as answers show it (docs/reference/http.md#wallet, docs/reference/extensions.md#account). */
import { z } from 'zod'
import { assetCode, decimal, openWord, signedDecimal, symbolName, timeMs, uuid, whole } from './forms.ts'
import { rates } from './market.ts'
import { fill, order } from './orders.ts'

/** What a ledger's entry comes from; test/schemas holds them to those of the engine. */
export const CAUSES = [
  'TRADE',
  'COMMISSION',
  'CREDIT',
  'DEBIT',
  'WITHDRAWAL',
  'SAVINGS_DEPOSIT',
  'SAVINGS_WITHDRAWAL',
] as const

const assetAccount = z
  .object({
    asset: assetCode,
    name: z.string(),
    free: decimal.meta({ description: 'Can be traded or withdrawn.' }),
    freeze: decimal.meta({ description: 'Held by the operator or by a pending withdrawal.' }),
    locked: decimal.meta({ description: 'Held by open orders.' }),
    savings: decimal,
    freeTransfer: decimal.meta({ description: 'The part of free that may leave the exchange now.' }),
    freezeTransfer: decimal,
    lockedTransfer: decimal,
    savingsTransfer: decimal,
    isDeposit: z.boolean(),
    isWithdraw: z.boolean(),
    isTrade: z.boolean(),
    isSaving: z.boolean(),
  })
  .meta({ id: 'AssetAccount', description: 'What an account has of an asset.' })

export const wallet = z
  .object({
    acc: z.object({
      Spot: z.object({
        walletCode: z.literal('SPOT'),
        transfer: z.union([z.literal(0), z.literal(1)]),
        assetAccs: z.array(assetAccount),
      }),
    }),
  })
  .meta({ id: 'Wallet', description: 'Every listed asset, zero balances included.' })

export const assetFree = z
  .object({ free: decimal })
  .meta({ id: 'AssetFree', description: 'What is free of one asset.' })

export const accountCommission = z
  .object({
    symbol: symbolName,
    commissionRates: rates,
    standardCommission: rates,
    feeTier: z.string().optional(),
    ownRates: z
      .literal(true)
      .optional()
      .meta({ description: 'The account has rates of its own, which neither symbol nor tier change.' }),
    ownRatesUntil: timeMs.optional().meta({ description: 'When those end; absent: without an end.' }),
  })
  .meta({ id: 'AccountCommission', description: 'What your account pays, and others do.' })

const use = {
  limit: whole.optional().meta({ description: 'Absent: there is no limit.' }),
  used: whole,
  left: whole.optional(),
}

export const accountLimits = z
  .object({
    rateLimits: z.array(
      z.object({
        rateLimitType: openWord(
          ['REQUEST_WEIGHT', 'RATE_LIMITED', 'MALFORMED_REQUESTS', 'STREAM_OPENINGS', 'ORDERS'],
          'What is counted.',
        ),
        interval: z.enum(['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY']),
        intervalNum: whole,
        ...use,
        resetAt: timeMs,
        limitUntil: timeMs
          .optional()
          .meta({ description: 'When the limit, which is the account’s own, ends; absent: it does not.' }),
      }),
    ),
    answerBytes: z.object(use),
    openOrders: z
      .object({
        symbol: symbolName,
        ...use,
        limitUntil: timeMs
          .optional()
          .meta({ description: 'When the limit, which is the account’s own, ends; absent: it does not.' }),
      })
      .optional(),
  })
  .meta({ id: 'AccountLimits', description: 'What is used of the limits, and what is left.' })

const next = z
  .string()
  .optional()
  .meta({ description: 'before of the request that goes on; absent at the end.' })

export const orderPage = z
  .object({ orders: z.array(order), next })
  .meta({ id: 'OrderPage', description: 'Orders, newest first.' })

export const fillPage = z
  .object({ fills: z.array(fill), next })
  .meta({ id: 'FillPage', description: 'Fills, newest first.' })

const ledgerEntry = z
  .object({
    id: z.string().regex(/^\d+-\d+-\d+$/),
    time: timeMs,
    asset: assetCode,
    wallet: z.enum(['SPOT', 'SAVINGS']),
    cause: openWord(CAUSES, 'What it comes from.'),
    amount: signedDecimal.meta({ description: 'By how much the balance changed; negative: it fell.' }),
    balance: decimal.meta({ description: 'Right after it.' }),
    symbol: symbolName.optional(),
    orderId: uuid.optional(),
    tradeId: uuid.optional(),
    reference: z.string().optional(),
  })
  .meta({ id: 'LedgerEntry', description: 'A change of a balance, with its cause.' })

export const ledgerPage = z
  .object({ entries: z.array(ledgerEntry), next })
  .meta({ id: 'LedgerPage', description: 'Entries, newest first.' })

const position = z
  .object({
    asset: assetCode,
    quantity: decimal.meta({ description: 'All of it: free, held by orders, frozen and in savings.' }),
    withoutCost: decimal.optional().meta({ description: 'The part that nobody knows the cost of.' }),
    atLastPrice: decimal
      .optional()
      .meta({ description: 'The part whose cost is a last price, not what was paid for it.' }),
    symbol: symbolName.optional().meta({ description: 'The market that the asset is valued in.' }),
    costAsset: assetCode.optional().meta({ description: 'What all amounts below are in.' }),
    cost: decimal.optional().meta({ description: 'Of all but the part without cost.' }),
    averageCost: decimal.optional().meta({ description: 'Of 1 of the asset.' }),
    lastPrice: decimal.optional().meta({ description: 'Of the last trade in that market.' }),
    value: decimal.optional().meta({ description: 'Of the quantity at the last price.' }),
    unrealizedProfit: signedDecimal
      .optional()
      .meta({ description: 'The value of what has a cost, less the cost.' }),
    realizedProfit: signedDecimal
      .optional()
      .meta({ description: 'What sales brought less the cost of what was sold.' }),
    soldCost: decimal.optional().meta({ description: 'The cost of what was sold.' }),
  })
  .meta({ id: 'Position', description: 'What an account has of an asset, what that cost, and the profit.' })

export const positionList = z
  .object({ positions: z.array(position) })
  .meta({ id: 'PositionList', description: 'Of each asset that the account ever had.' })

export const massCancel = z.object({
  symbol: symbolName.optional(),
  canceled: whole.meta({ description: 'Orders that have ended by now.' }),
  left: whole.meta({ description: 'Orders that are still to end.' }),
})

export const countdown = z.object({
  symbol: symbolName.optional(),
  countdownTime: whole,
  triggerAt: timeMs.optional().meta({ description: 'When it ends; absent with 0.' }),
})

export const balance = z
  .object({ asset: assetCode, free: decimal, locked: decimal, freeze: decimal, savings: decimal })
  .meta({ id: 'Balance', description: 'What an account has of an asset.' })
