/**
 * The ledger of an account (docs/reference/orders.md#ledger): entries as JSON, and as rows of CSV (RFC 4180).
 * Every decimal is an exact string, negative for outgoing money.
 */

import { plainDecimal } from '../../units/decimal.ts'
import type { Uuid } from '../../units/ids.ts'
import type { Amount, Decimals, TimeMs } from '../../units/quantities.ts'
import {
  assetCode,
  component,
  decimal,
  listOf,
  matching,
  openWord,
  optional,
  signedDecimal,
  symbolName,
  text,
  timeMs,
  uuid,
  type ValueOf,
  word,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { CSV_LINE_END, csvField } from '../csv.ts'
import { successHeads } from '../envelope.ts'
import { NEXT } from '../pages.ts'
import { isoTime } from '../time.ts'

/** Causes of a ledger entry; test/schemas compares them with those of the engine. */
export const CAUSES = [
  'TRADE',
  'COMMISSION',
  'CREDIT',
  'DEBIT',
  'WITHDRAWAL',
  'SAVINGS_DEPOSIT',
  'SAVINGS_WITHDRAWAL',
] as const

const WALLETS = ['SPOT', 'SAVINGS'] as const

export const LEDGER_ENTRY = component('LedgerEntry', 'A change of a balance, with its cause.', {
  id: matching(/^\d+-\d+-\d+$/),
  time: timeMs(),
  asset: assetCode(),
  wallet: word(WALLETS),
  cause: openWord(CAUSES, 'The cause of the change.'),
  amount: signedDecimal('Change of the balance; negative for a decrease.'),
  balance: decimal('The balance after the change.'),
  symbol: optional(symbolName()),
  orderId: optional(uuid()),
  tradeId: optional(uuid()),
  reference: optional(text()),
})

export const LEDGER_PAGE = component('LedgerPage', 'Entries, newest first.', {
  entries: listOf(LEDGER_ENTRY),
  next: NEXT,
})

export type LedgerLine = {
  readonly id: string
  readonly time: TimeMs
  readonly asset: { readonly code: string; readonly fraction: Decimals }
  readonly wallet: (typeof WALLETS)[number]
  readonly cause: string
  readonly amount: Amount
  readonly balance: Amount
  /** `symbol`, `orderId` and `tradeId`: only for trades and their commission. */
  readonly symbol: string | undefined
  readonly orderId: Uuid | undefined
  readonly tradeId: Uuid | undefined
  /** Only for transfers. */
  readonly reference: string | undefined
}

export const LEDGER_READ = successHeads({
  en: 'The ledger has been read.',
  tr: 'Hesap hareketleri getirildi.',
})

/** An element of `entries`. */
export function ledgerLineJson(line: LedgerLine): string {
  return jsonOf(LEDGER_ENTRY, fieldsOf(line))
}

const CSV_COLUMNS = [
  'id',
  'time',
  'date',
  'asset',
  'wallet',
  'cause',
  'amount',
  'balance',
  'symbol',
  'orderId',
  'tradeId',
  'reference',
] as const

/**
 * Header and rows, each with its line end; for a following page only the rows, so that joined pages are one
 * table.
 */
export function ledgerCsv(lines: readonly LedgerLine[], hasHeader: boolean): string {
  const rows = lines.map((line) => {
    const fields: Partial<Record<string, string | number>> = { ...fieldsOf(line), date: isoTime(line.time) }
    return CSV_COLUMNS.map((column) => csvField(fields[column]))
  })
  return [...(hasHeader ? [CSV_COLUMNS] : []), ...rows].map((row) => row.join() + CSV_LINE_END).join('')
}

function fieldsOf({ asset, amount, balance, ...line }: LedgerLine): ValueOf<typeof LEDGER_ENTRY> {
  return {
    id: line.id,
    time: line.time,
    asset: asset.code,
    wallet: line.wallet,
    cause: line.cause,
    amount: plainDecimal(amount, asset.fraction),
    balance: plainDecimal(balance, asset.fraction),
    symbol: line.symbol,
    orderId: line.orderId,
    tradeId: line.tradeId,
    reference: line.reference,
  }
}
