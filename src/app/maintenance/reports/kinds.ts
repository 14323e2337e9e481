/**
 * The kinds of reports: the columns of each, and how its rows are collected during a replay of the journal.
 */

import { isoTime } from '../../../contract/time.ts'
import type { OrdersMatched, TradeParty } from '../../../core/events/event.ts'
import { amountSum } from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { type Entry, entriesOf, sidesOf, symbolOf } from '../../../engine/reports/entries.ts'
import {
  DailyStatements,
  type DayNumber,
  type StatementLine,
  totalOf,
} from '../../../engine/reports/statement.ts'
import { fixedDecimal } from '../../../units/decimal.ts'
import { type AccountId, type AssetId, type SymbolId, uuidOf } from '../../../units/ids.ts'
import { type Amount, type Decimals, NO_AMOUNT } from '../../../units/quantities.ts'
import type { ReplayState, ReplayStep } from '../verification/replayed.ts'
import { dayText } from './days.ts'
import type { Row } from './output.ts'

export type ReportParts = {
  readonly state: ReplayState
  readonly isShown: (accountId: AccountId) => boolean
  readonly row: (row: Row) => void
  /** Reports that the journal's events do not add up to the ledger's balances. */
  readonly problem: (sentence: string) => void
}

/** Called in this order: `begin`, then before each batch and after each of its commands, then `end`. */
export type Report = {
  /** Called when the period begins with `day`; none of its commands has been applied. */
  readonly begin?: (day: DayNumber) => void
  readonly beforeBatch?: (day: DayNumber) => void
  readonly take?: (step: ReplayStep) => void
  /** Called when the period ends with `day`. */
  readonly end: (day: DayNumber) => void
}

export type ReportKind = {
  /** Whether the report is for a point in time, not for days. */
  readonly isOfMoment: boolean
  readonly columns: readonly string[]
  readonly make: (parts: ReportParts) => Report
}

export const REPORT_KINDS: Readonly<Record<string, ReportKind>> = {
  statements: {
    isOfMoment: false,
    columns: [
      ...['day', 'time', 'command', 'account', 'asset', 'cause', 'amount', 'balance'],
      ...['symbol', 'trade', 'order', 'reference'],
    ],
    make: statements,
  },
  trades: {
    isOfMoment: false,
    columns: [
      ...['day', 'time', 'command', 'trade', 'symbol', 'account', 'role', 'side', 'order'],
      ...['price', 'quantity', 'total', 'commission', 'commissionAsset'],
    ],
    make: trades,
  },
  fees: {
    isOfMoment: false,
    columns: ['day', 'symbol', 'account', 'asset', 'fills', 'commission'],
    make: fees,
  },
  balances: {
    isOfMoment: true,
    columns: ['account', 'asset', 'free', 'locked', 'freeze', 'savings', 'total'],
    make: balances,
  },
}

/** Decimals of an amount, as the ledger has them. */
function moneyText(
  { names }: ReplayState,
  assetId: AssetId,
): { code: string; text: (units: Amount) => string } {
  const asset = names.asset(assetId)
  const fraction = asset?.fraction ?? (0 as Decimals)
  return { code: asset?.code ?? `asset ${assetId}`, text: (units) => fixedDecimal(units, fraction) }
}

function statements({ state, isShown, row, problem }: ReportParts): Report {
  const { exchange, names } = state
  const machine = {
    balance: (account: AccountId, asset: AssetId) => exchange.balance(account, asset),
    balances: (account: AccountId) => exchange.balances(account),
    accountIds: () => names.accountIds(),
  }
  const daily = new DailyStatements({
    machine,
    isShown,
    line: (line) => row(statementRow(line, state)),
    problem: ({ day, accountId, assetId, stated, found }) => {
      const { code, text } = moneyText(state, assetId)
      const whose = `${names.account(accountId)}, ${dayText(day)}`
      problem(
        `${whose}: opening and changes add up to ${text(stated)} ${code}, but the ledger has ${text(found)}`,
      )
    },
  })
  return {
    begin: (day) => daily.begin(day),
    beforeBatch: (day) => daily.beforeBatch(day),
    take: ({ seq, time, events }) => daily.take(seq, time, entriesOf(events, names)),
    end: (day) => daily.end(day),
  }
}

function statementRow(line: StatementLine, state: ReplayState): Row {
  const { code, text } = moneyText(state, line.assetId)
  const place = { account: state.names.account(line.accountId), asset: code }
  const [day, balance] = [dayText(line.day), text(line.balance)]
  if (line.kind !== 'ENTRY') return { day, ...place, cause: line.kind, balance }
  const { seq, time, entry } = line
  const amount = text(entry.amount)
  return {
    day,
    time: isoTime(time),
    command: seq,
    ...place,
    cause: entry.cause,
    amount,
    balance,
    ...sourceFields(entry),
  }
}

function sourceFields({ of }: Entry): Row {
  if (of.kind === 'TRANSFER') return { reference: of.reference }
  const { trade, symbol, party } = of
  const order = party && { order: uuidOf('order', party.orderNumber, party.orderTime) }
  return { symbol: symbol.name, trade: uuidOf('trade', trade.tradeNumber, trade.time), ...order }
}

/** One of the two sides of a trade. */
type Fill = {
  readonly trade: OrdersMatched
  readonly symbol: TradingSymbol
  readonly party: TradeParty
  readonly isBuyer: boolean
  /** The asset of the commission. */
  readonly received: AssetId
}

/** Every fill that a command has caused, the buyer's before the seller's. */
function* fillsOf({ events }: ReplayStep, { state, isShown }: ReportParts): Generator<Fill> {
  for (const event of events) {
    if (event.kind !== 'OrdersMatched') continue
    const symbol = symbolOf(event.symbolId, state.names)
    const { buyer, seller } = sidesOf(event)
    const fill = { trade: event, symbol }
    if (isShown(buyer.accountId)) yield { ...fill, party: buyer, isBuyer: true, received: symbol.base }
    if (isShown(seller.accountId)) yield { ...fill, party: seller, isBuyer: false, received: symbol.quote }
  }
}

function trades(parts: ReportParts): Report {
  const { state, row } = parts
  let day = ''
  return {
    beforeBatch: (number) => {
      day = dayText(number)
    },
    take: (step) => {
      for (const { trade, symbol, party, isBuyer, received } of fillsOf(step, parts)) {
        const { code, text } = moneyText(state, received)
        row({
          day,
          time: isoTime(trade.time),
          command: step.seq,
          trade: uuidOf('trade', trade.tradeNumber, trade.time),
          symbol: symbol.name,
          account: state.names.account(party.accountId),
          role: party === trade.taker ? 'TAKER' : 'MAKER',
          side: isBuyer ? 'BUY' : 'SELL',
          order: uuidOf('order', party.orderNumber, party.orderTime),
          price: fixedDecimal(trade.price, symbol.quoteFraction),
          quantity: fixedDecimal(trade.quantity, symbol.baseFraction),
          total: fixedDecimal(party.total, symbol.quotePrecision),
          commission: text(party.commission),
          commissionAsset: code,
        })
      }
    },
    end: () => {},
  }
}

type Charged = {
  readonly symbolId: SymbolId
  readonly accountId: AccountId
  readonly assetId: AssetId
  fills: number
  commission: Amount
}

/** Memory: one sum for each symbol, account and asset with a fill on that day. */
function fees(parts: ReportParts): Report {
  const { state, row } = parts
  let today: DayNumber | undefined
  let chargedByPlace = new Map<string, Charged>()
  const close = (): void => {
    const charged = [...chargedByPlace.values()].sort(
      (a, b) => a.symbolId - b.symbolId || a.accountId - b.accountId || a.assetId - b.assetId,
    )
    for (const { symbolId, accountId, assetId, fills, commission } of charged) {
      const { code, text } = moneyText(state, assetId)
      const symbol = state.names.symbolName(symbolId)
      const place = { day: dayText(today as DayNumber), symbol, account: state.names.account(accountId) }
      row({ ...place, asset: code, fills, commission: text(commission) })
    }
    chargedByPlace = new Map()
  }
  return {
    beforeBatch: (day) => {
      if (day === today) return
      close()
      today = day
    },
    take: (step) => {
      for (const { trade, party, received } of fillsOf(step, parts)) {
        const place = { symbolId: trade.symbolId, accountId: party.accountId, assetId: received }
        const key = Object.values(place).join()
        const charged = chargedByPlace.get(key) ?? { ...place, fills: 0, commission: NO_AMOUNT }
        charged.fills++
        charged.commission = amountSum(charged.commission, party.commission)
        chargedByPlace.set(key, charged)
      }
    },
    end: close,
  }
}

function balances({ state, isShown, row }: ReportParts): Report {
  const { exchange, names } = state
  return {
    end: () => {
      for (const id of names.accountIds()) {
        if (!isShown(id)) continue
        for (const { assetId, ...buckets } of exchange.balances(id)) {
          const { free, locked, freeze, savings } = buckets
          if ([free, locked, freeze, savings].every((units) => units === NO_AMOUNT)) continue
          const { code, text } = moneyText(state, assetId)
          row({
            account: names.account(id),
            asset: code,
            free: text(free),
            locked: text(locked),
            freeze: text(freeze),
            savings: text(savings),
            total: text(totalOf(buckets)),
          })
        }
      }
    },
  }
}
