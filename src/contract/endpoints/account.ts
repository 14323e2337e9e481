/** Endpoints about an account: its balances, its fills, its limits. */

import { either } from '../../units/shapes/shape.ts'
import { ACCOUNT_COMMISSION } from '../api/account-commission.ts'
import { ACCOUNT_LIMITS } from '../api/account-limits.ts'
import { FILL_PAGE } from '../api/fills.ts'
import { LEDGER_PAGE } from '../api/ledger.ts'
import { POSITIONS } from '../api/positions.ts'
import { TRADE_HISTORY } from '../api/trade-history.ts'
import { ASSET_FREE, WALLET } from '../api/wallet.ts'
import { ofOneOrAll, successOf } from '../envelope.ts'
import { symbolOrAll } from './order-parameters.ts'
import {
  balanceParameters,
  historyParameters,
  ledgerParameters,
  myTradesParameters,
  positionParameters,
} from './parameters.ts'
import { LONG, READING } from './reasons.ts'
import type { EndpointRows } from './row.ts'

const ACCOUNT = { method: 'GET', tag: 'Account', isExtension: true } as const

const PER_ROW = 'or 1 for every 25 examined elements, if that is more'

export const ACCOUNT_ENDPOINTS = {
  walletBalance: {
    ...ACCOUNT,
    path: '/wallet/balance',
    isExtension: false,
    security: 'WALLET',
    weight: 20,
    weightNote: 'or 1 for every 25 listed assets, rounded up, if that is more',
    summary: 'All balances, or the free balance of one asset',
    page: 'http.md#wallet',
    parameters: balanceParameters,
    answer: successOf(either(WALLET, ASSET_FREE)),
    reasons: ['UNKNOWN_ASSET', ...LONG, ...READING],
    example: { code: 'BTC' },
    answers: ['allBalances', 'oneBalance'],
  },
  tradeHistory: {
    ...ACCOUNT,
    path: '/order/trade/history',
    isExtension: false,
    security: 'TRADE',
    weight: 20,
    summary: 'Trades in pages, newest first',
    page: 'http.md#trade-history',
    parameters: historyParameters,
    answer: TRADE_HISTORY,
    reasons: ['UNKNOWN_SYMBOL', ...LONG, ...READING],
    example: { page: 0, size: 100 },
    answers: ['tradeHistory'],
  },
  myTrades: {
    ...ACCOUNT,
    path: '/myTrades',
    security: 'READ',
    weight: 20,
    weightNote: PER_ROW,
    summary: 'Fills, newest first',
    page: 'orders.md#fills',
    parameters: myTradesParameters,
    answer: successOf(FILL_PAGE),
    reasons: ['UNKNOWN_SYMBOL', ...LONG, ...READING],
    example: { limit: 1 },
    answers: ['myTrades'],
  },
  accountLedger: {
    ...ACCOUNT,
    path: '/account/ledger',
    security: 'WALLET',
    weight: 20,
    weightNote: PER_ROW,
    summary: 'Every change of your balances, with its cause',
    page: 'orders.md#ledger',
    parameters: ledgerParameters,
    isCsv: true,
    answer: successOf(LEDGER_PAGE),
    reasons: ['UNKNOWN_ASSET', ...LONG, ...READING],
    example: { limit: 1 },
    answers: ['accountLedger'],
  },
  accountCommission: {
    ...ACCOUNT,
    path: '/account/commission',
    security: 'READ',
    weight: 20,
    weightNote: 'all symbols: at least this, or 1 for every 25 symbols, rounded up',
    summary: 'Your commission rates',
    page: 'extensions.md#commission-of-an-account',
    parameters: symbolOrAll,
    answer: ofOneOrAll(ACCOUNT_COMMISSION),
    reasons: ['UNKNOWN_SYMBOL', ...LONG],
    example: { symbol: 'BTC/USDT' },
    answers: ['accountCommission'],
  },
  accountLimits: {
    ...ACCOUNT,
    path: '/account/limits',
    security: 'READ',
    weight: 20,
    summary: 'Usage and remainder of the limits',
    page: 'extensions.md#limits-of-an-account',
    parameters: symbolOrAll,
    answer: successOf(ACCOUNT_LIMITS),
    reasons: ['UNKNOWN_SYMBOL', ...READING],
    example: { symbol: 'BTC/USDT' },
    answers: ['accountLimits'],
  },
  accountPositions: {
    ...ACCOUNT,
    path: '/account/positions',
    security: 'WALLET',
    weight: 20,
    weightNote: 'or 1 for every 25 positions, rounded up, if that is more',
    summary: 'Average cost and profit of each asset',
    page: 'positions.md#positions',
    parameters: positionParameters,
    answer: successOf(POSITIONS),
    reasons: ['UNKNOWN_ASSET', 'UNKNOWN_SYMBOL', ...LONG, ...READING],
    example: { asset: 'BTC' },
    answers: ['accountPositions'],
  },
} satisfies EndpointRows
