/**
 * Text about the losses at the end of a cluster's journal: existing commands that are given up, and records
 * in an engine's history whose commands are missing.
 */

import { isoTime } from '../../contract/time.ts'
import type { Command } from '../../core/commands/command.ts'
import { Exchange } from '../../core/exchange/exchange.ts'
import { rowsAfter, type StoredRow, type StoredRows } from '../../engine/audit/journal-repair.ts'
import { AuditNames } from '../../engine/audit/names.ts'
import type { HistoryTrade } from '../../engine/history/history.ts'
import type { HistoryOrder } from '../../engine/history/order-history.ts'
import { readFramed } from '../../engine/port/frames.ts'
import { type Batch, JournalFault, type Tail } from '../../engine/port/journal.ts'
import type { HistoryTransfer } from '../../engine/port/transfer.ts'
import { ReplayFault, replayCommands } from '../../engine/writer/recovery/replay.ts'
import { Describer } from '../../server/description/describer.ts'
import { type Fields, unitsText } from '../../server/description/fields.ts'
import { ByteReader, BytesFault } from '../../units/bytes.ts'
import { uuidOf } from '../../units/ids.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { ownBatchText } from '../maintenance/verification/own-batches-text.ts'
import { StoredExchange } from '../node/storage/stored-exchange.ts'

/** One effect that would be lost. */
export type LostRecord = { readonly seq: number; readonly time: string; readonly kind: string } & Fields

/**
 * Replays the journal up to `end` for the names of accounts and symbols. Throws `UNSUPPORTED` if a command
 * cannot be applied; the commands before it can be kept.
 */
export async function namesAt(
  rows: StoredRows,
  end: Tail,
  quarantined: ReadonlySet<Seq>,
): Promise<AuditNames> {
  const exchange = new Exchange()
  const names = new AuditNames(exchange.bootstrap().accounts)
  for await (const { batch, position } of rowsAfter(rows, 0)) {
    if (batch === undefined || position > end.position) break
    try {
      for (const _ of replayCommands(exchange, batch, quarantined, names.sink)) {
        // Each step applies a command.
      }
    } catch (cause) {
      if (!(cause instanceof ReplayFault)) throw cause
      const way = `start the previous version, or give up everything from that position on: --end ${position - 1}`
      throw new JournalFault('UNSUPPORTED', `position ${position}: ${cause.message}; ${way}`, { cause })
    }
  }
  return names
}

/** The commands of a row that is given up; a row that cannot be read is a record of its own. */
export function recordsOfRow(row: StoredRow, names: AuditNames): readonly LostRecord[] {
  if (row.batch === undefined) return [unreadable(row.position, row.problem)]
  const { batch } = row
  try {
    const own = ownBatchText(batch)
    if (own !== undefined) return [{ ...headOf(batch.firstSeq, batch.time, own.kind), ...own.asked }]
    return commandsOf(batch).map((command, i) => ({
      ...headOf(batch.firstSeq + i, batch.time, command.kind),
      ...new Describer(names).command(command),
    }))
  } catch (cause) {
    if (!(cause instanceof BytesFault || cause instanceof JournalFault)) throw cause
    return [unreadable(row.position, cause.message)]
  }
}

/**
 * Records in the history of `directory` of commands after `seq`. Undefined if there is no readable history.
 * Throws `HistoryFault`.
 */
export function recordsInHistory(
  directory: string,
  seq: Seq,
  names: AuditNames,
): { readonly upTo: number; readonly records: readonly LostRecord[] } | undefined {
  const history = new StoredExchange(directory).openHistory(false)
  if (history === undefined) return undefined
  try {
    const records: LostRecord[] = []
    const after = history.after(seq, (problem) => records.push(unreadable(0, problem)))
    for (const order of after.orders) records.push(ofOrder(order, names))
    for (const trade of after.trades) records.push(ofTrade(trade, names))
    for (const transfer of after.transfers) records.push(ofTransfer(transfer, names))
    records.sort((a, b) => a.seq - b.seq)
    return { upTo: history.position.seq, records }
  } finally {
    history.close()
  }
}

function commandsOf({ data, count }: Batch): readonly Command[] {
  const reader = new ByteReader(data)
  return Array.from({ length: count }, () => readFramed(reader))
}

function headOf(seq: number, time: TimeMs, kind: string) {
  return { seq, time: isoTime(time), kind }
}

function unreadable(position: number, problem: string): LostRecord {
  return { seq: 0, time: '', kind: 'Unreadable', ...(position > 0 ? { position } : {}), problem }
}

function ofOrder(order: HistoryOrder, names: AuditNames): LostRecord {
  // A placed order has every field of the command that placed it.
  const asked = new Describer(names).command({ ...order, kind: 'PlaceOrder' } as unknown as Command)
  return {
    ...headOf(order.seq, order.time, 'Order'),
    order: uuidOf('order', order.orderNumber, order.time),
    ...asked,
  }
}

function ofTrade({ seq, symbolId, trade, maker, taker }: HistoryTrade, names: AuditNames): LostRecord {
  const symbol = names.symbol(symbolId)
  return {
    ...headOf(seq, trade.time, 'Trade'),
    symbol: names.symbolName(symbolId),
    price: unitsText(trade.price, symbol?.quoteFraction),
    quantity: unitsText(trade.quantity, symbol?.baseFraction),
    takerSide: trade.takerSide,
    maker: names.account(maker.accountId),
    taker: names.account(taker.accountId),
  }
}

function ofTransfer({ seq, time, ...transfer }: HistoryTransfer, names: AuditNames): LostRecord {
  const { accountId, assetId, cause, spot, savings, reference } = transfer
  const asset = names.asset(assetId)
  return {
    ...headOf(seq, time, 'Transfer'),
    cause,
    account: names.account(accountId),
    asset: asset?.code ?? `asset ${assetId}`,
    spot: unitsText(spot, asset?.fraction),
    savings: unitsText(savings, asset?.fraction),
    reference,
  }
}
