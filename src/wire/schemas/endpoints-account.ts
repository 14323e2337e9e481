/** Endpoints about an account: its money, its fills, its limits. */
import { z } from 'zod'
import { accountCommission, accountLimits, assetFree, fillPage, ledgerPage, wallet } from './account.ts'
import type { EndpointRow } from './endpoint.ts'
import { successOf } from './envelope.ts'
import { tradeHistory } from './orders.ts'
import {
  balanceParameters,
  historyParameters,
  ledgerParameters,
  myTradesParameters,
  symbolOrAll,
} from './parameters.ts'
import { LONG, READING } from './reasons.ts'

const ACCOUNT = { method: 'GET', tag: 'Account', isExtension: true } as const

const PER_ROW = 'or 1 for every 25 that are looked at, if that is more'

export const ACCOUNT_ENDPOINTS: readonly EndpointRow[] = [
  {
    ...ACCOUNT,
    id: 'walletBalance',
    path: '/wallet/balance',
    isExtension: false,
    security: 'WALLET',
    weight: 20,
    weightNote: 'or 1 for every 25 listed assets begun, if that is more',
    summary: 'All balances, or what is free of one asset',
    page: 'http.md#wallet',
    parameters: balanceParameters,
    answer: successOf(z.union([wallet, assetFree])),
    reasons: ['UNKNOWN_ASSET', ...LONG, ...READING],
    example: { code: 'BTC' },
    answers: ['allBalances', 'oneBalance'],
  },
  {
    ...ACCOUNT,
    id: 'tradeHistory',
    path: '/order/trade/history',
    isExtension: false,
    security: 'TRADE',
    weight: 20,
    summary: 'Trades in pages, newest first',
    page: 'http.md#trade-history',
    parameters: historyParameters,
    answer: tradeHistory,
    reasons: ['UNKNOWN_SYMBOL', ...LONG, ...READING],
    example: { page: 0, size: 100 },
    answers: ['tradeHistory'],
  },
  {
    ...ACCOUNT,
    id: 'myTrades',
    path: '/myTrades',
    security: 'TRADE',
    weight: 20,
    weightNote: PER_ROW,
    summary: 'Fills, newest first',
    page: 'orders.md#fills',
    parameters: myTradesParameters,
    answer: successOf(fillPage),
    reasons: ['UNKNOWN_SYMBOL', ...LONG, ...READING],
    example: { limit: 1 },
    answers: ['myTrades'],
  },
  {
    ...ACCOUNT,
    id: 'accountLedger',
    path: '/account/ledger',
    security: 'WALLET',
    weight: 20,
    weightNote: PER_ROW,
    summary: 'Every change of your balances, with its cause',
    page: 'orders.md#ledger',
    parameters: ledgerParameters,
    answer: successOf(ledgerPage),
    isCsv: true,
    reasons: ['UNKNOWN_ASSET', ...LONG, ...READING],
    example: { limit: 1 },
    answers: ['accountLedger'],
  },
  {
    ...ACCOUNT,
    id: 'accountCommission',
    path: '/account/commission',
    security: 'TRADE',
    weight: 20,
    weightNote: 'all symbols: at least so much, or 1 for every 25 symbols begun',
    summary: 'Your rates of commission',
    page: 'extensions.md#commission-of-an-account',
    parameters: symbolOrAll,
    answer: successOf(z.union([accountCommission, z.array(accountCommission)])),
    reasons: ['UNKNOWN_SYMBOL', ...LONG],
    example: { symbol: 'BTC/USDT' },
    answers: ['accountCommission'],
  },
  {
    ...ACCOUNT,
    id: 'accountLimits',
    path: '/account/limits',
    security: 'TRADE',
    weight: 20,
    summary: 'What is used of the limits, and what is left',
    page: 'extensions.md#limits-of-an-account',
    parameters: symbolOrAll,
    answer: successOf(accountLimits),
    reasons: ['UNKNOWN_SYMBOL', ...READING],
    example: { symbol: 'BTC/USDT' },
    answers: ['accountLimits'],
  },
]
