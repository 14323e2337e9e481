/** What an endpoint answers with HTTP 200 where that is no shape of its row, and refusals that have more than the others. */
import { z } from 'zod'
import { ACCOUNT_COMMISSION } from '../account-commission.ts'
import type { EndpointId, UnshapedId } from '../endpoints/endpoints.ts'
import { ADDRESS, ADDRESS_TAG } from '../endpoints/withdrawals.ts'
import { assetFree, fillPage, ledgerPage, orderPage, wallet } from './account.ts'
import { done, successOf } from './envelope.ts'
import { assetCode, clientOrderId, decimal, timeMs } from './forms.ts'
import {
  bookTicker,
  candle,
  dayTicker,
  depth,
  exchangeInfo,
  priceTicker,
  recentTrade,
  serverTime,
  signatureReport,
  symbolRules,
} from './market.ts'
import {
  activeOrder,
  batch,
  order,
  orderList,
  partlyReplaced,
  placed,
  replaced,
  tested,
  tradeHistory,
} from './orders.ts'
import { zodShape } from './zod-shapes.ts'

const coin = assetCode.meta({ description: 'The code of an asset.' })
const address = z.string().regex(ADDRESS.pattern).meta({ description: ADDRESS.doc })
const addressTag = z.string().regex(ADDRESS_TAG.pattern).optional().meta({ description: ADDRESS_TAG.doc })

const withdrawal = z
  .object({
    id: z.string().meta({ description: 'Of one that an operator holds, or has held: its reference.' }),
    withdrawOrderId: clientOrderId.optional(),
    coin,
    amount: decimal,
    address: address.optional(),
    addressTag,
    status: z.enum(['WAITING', 'CLAIMED', 'COMPLETED', 'CANCELED']),
    canceledBy: z.enum(['TRADER', 'OPERATOR']).optional(),
    reason: z.string().optional().meta({ description: 'Why it was refused.' }),
    createdAt: timeMs.optional(),
    claimedAt: timeMs.optional(),
    endedAt: timeMs.optional(),
  })
  .meta({ id: 'Withdrawal', description: 'Money on its way out of the exchange.' })

const deposit = z
  .object({ id: z.string(), coin, amount: decimal, time: timeMs })
  .meta({ id: 'Deposit', description: 'Money that came in.' })

const withdrawalAddress = z
  .object({
    coin,
    address,
    addressTag,
    label: z.string().optional(),
    addedAt: timeMs,
    usableAt: timeMs.meta({ description: 'From then on money may go there.' }),
  })
  .meta({ id: 'WithdrawalAddress', description: 'Where an account may withdraw an asset to.' })

const next = z
  .string()
  .optional()
  .meta({ description: 'before of the request that goes on; absent at the end.' })

/** An object for one symbol, an array for all. */
function ofOneOrAll(row: z.ZodType) {
  return successOf(z.union([row, z.array(row)]))
}

export const ANSWERS: Readonly<Record<UnshapedId, z.ZodType>> = {
  ping: successOf(z.object({})),
  time: successOf(serverTime),
  signatureCheck: successOf(signatureReport),
  exchangeInfo: exchangeInfo,
  symbolRules: successOf(symbolRules),
  depth: depth,
  trades: z.array(recentTrade),
  klines: successOf(z.array(candle)),
  dayTicker: ofOneOrAll(dayTicker),
  priceTicker: ofOneOrAll(priceTicker),
  bookTicker: ofOneOrAll(bookTicker),
  newOrder: placed,
  cancelOrder: done,
  activeOrders: z.array(activeOrder),
  testOrder: tested,
  orderBatch: batch,
  replaceOrder: replaced,
  amendOrder: successOf(order),
  order: successOf(order),
  openOrders: successOf(z.array(order)),
  allOrders: successOf(orderPage),
  newOco: successOf(orderList),
  newOto: successOf(orderList),
  newOtoco: successOf(orderList),
  orderList: successOf(orderList),
  cancelOrderList: successOf(orderList),
  walletBalance: successOf(z.union([wallet, assetFree])),
  tradeHistory: tradeHistory,
  myTrades: successOf(fillPage),
  accountLedger: successOf(ledgerPage),
  accountCommission: ofOneOrAll(zodShape(ACCOUNT_COMMISSION)),
  askWithdrawal: successOf(z.object({ id: z.string(), createdAt: timeMs })),
  cancelWithdrawal: done,
  addWithdrawalAddress: successOf(z.object({ usableAt: timeMs })),
  removeWithdrawalAddress: done,
  withdrawalAddresses: successOf(z.object({ addresses: z.array(withdrawalAddress) })),
  withdrawalHistory: successOf(z.object({ withdrawals: z.array(withdrawal), next })),
  depositHistory: successOf(z.object({ deposits: z.array(deposit), next })),
}

/** By status. */
export const OTHER_ANSWERS: Partial<Record<EndpointId, Readonly<Record<number, z.ZodType>>>> = {
  replaceOrder: { 409: partlyReplaced },
}
