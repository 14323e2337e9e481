/** What belongs to an account, as answers show it (docs/reference/http.md#wallet, docs/reference/extensions.md#account). */
import { z } from 'zod'
import { assetCode, decimal, openWord, signedDecimal, symbolName, timeMs, uuid } from './forms.ts'
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

export const balance = z
  .object({ asset: assetCode, free: decimal, locked: decimal, freeze: decimal, savings: decimal })
  .meta({ id: 'Balance', description: 'What an account has of an asset.' })
