/**
 * The ledger of the account, newest first, starting at a position (docs/reference/orders.md#ledger): history
 * has fills and transfers, which are taken apart here into one entry for each change of a balance.
 */

import { LEDGER_READ, type LedgerLine, ledgerCsv, ledgerLineJson } from '../../../../contract/api/ledger.ts'
import { LEDGER_ID } from '../../../../contract/expectations.ts'
import { PAGE_END, pageHead, placeEnd } from '../../../../contract/pages.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { isBefore, type LedgerEntry, ledgerEntries } from '../../../../engine/history/ledger-entries.ts'
import { LEDGER_RECORDS_MAX, type LedgerPlace } from '../../../../engine/port/ports.ts'
import { type AssetId, type SymbolId, type TradeNumber, uuidOf } from '../../../../units/ids.ts'
import { invariant } from '../../../../units/invariant.ts'
import { type Seq, UNITS_MAX } from '../../../../units/quantities.ts'
import type { RegistryView } from '../../../../views/registry.ts'
import {
  parseWholeNumber,
  readOptional,
  readTimeRange,
  readWholeNumber,
  readWord,
} from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { CsvAnswer } from '../../csv-answer.ts'
import { listAnswer } from '../../list-answer.ts'
import { operationOf, readAsset } from '../../operation.ts'

const LIMIT = { min: 1, max: LEDGER_RECORDS_MAX, fallback: 500 }

const FORMATS = ['json', 'csv'] as const

/**
 * Number of examined fills and transfers covered by one unit of weight, if that exceeds the weight above.
 */
const RECORDS_PER_WEIGHT = 25

/** Approximate memory of an entry before it is converted to text. */
const ROW_BYTES = 500

export const accountLedger = operationOf('accountLedger', accountLedgerAnswer)

async function accountLedgerAnswer(call: Call): Promise<Answer> {
  const { parameters, services, accountId, language } = call
  const { market, history } = services
  const asset = readAsset(call)
  if (asset instanceof Refusal) return asset
  const times = readTimeRange(parameters, 'from', 'to')
  if (times instanceof Refusal) return times
  const before = readPlace(call)
  if (before instanceof Refusal) return before
  const limit = readWholeNumber(parameters, 'limit', LIMIT)
  if (limit instanceof Refusal) return limit
  const format = readWord(parameters, 'format', FORMATS)
  if (format instanceof Refusal) return format
  const page = await history.ledger({
    accountId,
    assetId: asset?.id,
    ...times,
    before,
    limit,
    atLeast: market.seq,
  })
  const refusal = call.chargeRows(
    Math.max(0, Math.ceil(page.lookedAt / RECORDS_PER_WEIGHT) - accountLedger.weight),
  )
  if (refusal !== undefined) return refusal
  const { registry } = market
  const isAsked = entryFilter(asset?.id, before)
  const all = page.records.flatMap((record) =>
    ledgerEntries(record, (id) => symbolOf(registry, id)).filter(isAsked),
  )
  const entries = all.slice(0, limit)
  const place = all.length > limit ? entries.at(-1)?.place : page.next
  const next = place && idOf(place)
  if (format === 'csv') {
    const lines = entries.map((entry) => lineOf(entry, registry))
    const hasHeader = before === undefined
    return new CsvAnswer({ name: 'ledger', text: ledgerCsv(lines, hasHeader), hasHeader, next })
  }
  return listAnswer(
    {
      head: pageHead(LEDGER_READ, language, 'entries'),
      rows: entries,
      words: (rows: readonly LedgerEntry[]) =>
        rows.map((entry) => ledgerLineJson(lineOf(entry, registry))).join(','),
      end: next === undefined ? PAGE_END : placeEnd(next),
      rowBytes: ROW_BYTES,
    },
    call.lane,
  )
}

function entryFilter(assetId: AssetId | undefined, before: LedgerPlace | undefined) {
  return (entry: LedgerEntry): boolean =>
    (assetId === undefined || entry.assetId === assetId) &&
    (before === undefined || isBefore(entry.place, before))
}

function lineOf({ record, place, ...entry }: LedgerEntry, registry: RegistryView): LedgerLine {
  const asset = registry.asset(entry.assetId)
  invariant(asset !== undefined, () => `an entry names asset ${entry.assetId}, which is not listed`)
  const fill = record.kind === 'FILL' ? record.fill : undefined
  return {
    id: idOf(place),
    ...entry,
    asset,
    symbol: fill && symbolOf(registry, fill.symbolId).name,
    orderId: fill && uuidOf('order', fill.orderNumber, fill.orderTime),
    tradeId: fill && uuidOf('trade', fill.tradeNumber, fill.time),
    reference: record.kind === 'TRANSFER' ? record.transfer.reference : undefined,
  }
}

function symbolOf(registry: RegistryView, id: SymbolId): TradingSymbol {
  const symbol = registry.symbol(id)
  invariant(symbol !== undefined, () => `a fill names symbol ${id}, which is not listed`)
  return symbol
}

function idOf({ seq, tradeNumber, entry }: LedgerPlace): string {
  return `${seq}-${tradeNumber}-${entry}`
}

/** The entry named by `before`. */
function readPlace(call: Call): LedgerPlace | undefined | Refusal {
  const text = readOptional(call.parameters, 'before')
  if (text === undefined || text instanceof Refusal) return text
  const parts = text.split('-').map((part) => parseWholeNumber(part, 0, UNITS_MAX))
  const [seq, tradeNumber, entry] = parts
  if (parts.length !== 3 || seq === undefined || tradeNumber === undefined || entry === undefined)
    return refuse('INVALID_PARAMETER', { name: 'before', expected: LEDGER_ID })
  return { seq: seq as Seq, tradeNumber: tradeNumber as TradeNumber, entry }
}
