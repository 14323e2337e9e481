/**
 * The ledger of an account (docs/reference/orders.md#ledger): entries as JSON, and as rows of CSV (RFC 4180). Every decimal is an
 * exact string, with a sign where money has left.
 */
import { plainDecimal } from '../units/decimal.ts'
import type { Uuid } from '../units/ids.ts'
import type { Amount, Decimals, TimeMs } from '../units/quantities.ts'
import { CSV_LINE_END, csvField } from './csv.ts'
import { successHeads } from './envelope.ts'
import { isoTime } from './time.ts'

export type LedgerLine = {
  readonly id: string
  readonly time: TimeMs
  readonly asset: { readonly code: string; readonly fraction: Decimals }
  readonly wallet: string
  readonly cause: string
  readonly amount: Amount
  readonly balance: Amount
  /** These three of trades and their commission alone. */
  readonly symbol: string | undefined
  readonly orderId: Uuid | undefined
  readonly tradeId: Uuid | undefined
  /** Of transfers alone. */
  readonly reference: string | undefined
}

export const LEDGER_READ = successHeads({
  en: 'The ledger has been read.',
  tr: 'Hesap hareketleri getirildi.',
})

/** An element of `entries`. */
export function ledgerLineJson(line: LedgerLine): string {
  return JSON.stringify(fieldsOf(line))
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

/** Header and rows, each with its line end; of a page that goes on the rows alone, so that pages joined are one table. */
export function ledgerCsv(lines: readonly LedgerLine[], hasHeader: boolean): string {
  const rows = lines.map((line) => {
    const fields: Partial<Record<string, string | number>> = { ...fieldsOf(line), date: isoTime(line.time) }
    return CSV_COLUMNS.map((column) => csvField(fields[column]))
  })
  return [...(hasHeader ? [CSV_COLUMNS] : []), ...rows].map((row) => row.join() + CSV_LINE_END).join('')
}

function fieldsOf({ asset, amount, balance, ...line }: LedgerLine) {
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
