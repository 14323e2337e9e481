/** `bourse replay`: the exchange as it was at any time, from its journal: books, balances, open orders. */
import { type Arguments, UsageError } from '../../../cli/arguments.ts'
import { facts, table } from '../../../cli/table.ts'
import { isoTime } from '../../../contract/time.ts'
import type { Balance, BookView, OpenOrder } from '../../../core/questions/view.ts'
import type { Account, TradingSymbol } from '../../../core/registry/records.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { fixedDecimal, plainDecimal } from '../../../units/decimal.ts'
import { uuidOf } from '../../../units/ids.ts'
import { meant } from '../../../units/nearest.ts'
import { momentOf } from '../backup/moment.ts'
import { auditedOf } from './data.ts'
import { type AuditCommand, CannotRunError } from './host.ts'
import { count, Progress } from './progress.ts'
import { type Replayed, replayAudited } from './replayed.ts'
import { hex } from './verify.ts'

const HELP = `bourse replay: show the exchange as it was at any time

Usage: bourse replay --data DIR|--config FILE [--until MOMENT] [options]

Replays the journal from its first command up to MOMENT and shows the state at that point: state hash, best prices of every
book, and balances of every account. Also checks the hash chain. Works on a stopped or a running node, and changes nothing.

Options:
  --data DIR       data directory [DATA_DIR]
  --config FILE    instead of --data: cluster file; the journal is read from its database
  --until MOMENT   number of a command, or a time such as 2026-01-31T23:59:59Z; default: the end of the journal
  --book SYMBOL    show the whole book of this symbol
  --account NAME   show only this account
  --orders         show open orders too: all, or those of --account or --book
  --json           print one JSON object
  --help           show this help

Exit code: 0 done, 1 the journal is damaged before that moment (the state before the damage is shown), 2 the command line
is invalid or the journal could not be read.`

export const REPLAY: AuditCommand = {
  name: 'replay',
  help: HELP,
  forms: {
    data: 'value',
    config: 'value',
    until: 'value',
    book: 'value',
    account: 'value',
    orders: 'flag',
    json: 'flag',
  },
  run: async (given, host) => {
    const audited = auditedOf(given, host)
    const until = momentOf('--until', given.options.get('until'))
    const progress = new Progress(host, 'replaying')
    const replayed = await replayAudited({
      ...{ audited, host, progress, until },
      mustReach: true,
      take: () => {},
    })
    const { seq } = replayed.exchange
    if (until?.kind === 'seq' && until.seq > seq && replayed.exitCode === 0) {
      throw new CannotRunError(`there is no command ${until.seq}: the journal ends at ${seq}`)
    }
    const shown = select(replayed, given)
    host.print(given.options.has('json') ? jsonOf(shown) : textOf(shown))
    return replayed.exitCode
  },
}

/** The part of the state to show. */
type Shown = {
  readonly replayed: Replayed
  readonly accounts: readonly Account[]
  readonly symbols: readonly TradingSymbol[]
  /** The symbol whose whole book is requested. */
  readonly book: TradingSymbol | undefined
  /** Undefined if not requested. */
  readonly orders: readonly OpenOrder[] | undefined
}

function select(replayed: Replayed, { options }: Arguments): Shown {
  const { exchange, names } = replayed
  const { accounts, symbols } = exchange.bootstrap()
  const wantedAccount = options.get('account')
  const wantedBook = options.get('book')
  const account = accounts.find(({ name }) => name === wantedAccount)
  if (wantedAccount !== undefined && account === undefined) {
    const near = meant(String(wantedAccount), names.accountNames())
    throw new UsageError(`there is no account ${wantedAccount} after command ${exchange.seq}${near}`)
  }
  const book = typeof wantedBook === 'string' ? names.symbolByName(wantedBook) : undefined
  if (wantedBook !== undefined && book === undefined) {
    const near = meant(
      String(wantedBook),
      symbols.map(({ name }) => name),
    )
    throw new UsageError(`there is no symbol ${wantedBook} after command ${exchange.seq}${near}`)
  }
  const chosen = account === undefined ? accounts : [account]
  const orders = options.has('orders')
    ? chosen.flatMap(({ id }) => exchange.openOrders(id, book?.id))
    : undefined
  return { replayed, accounts: chosen, symbols: book === undefined ? symbols : [book], book, orders }
}

function textOf(shown: Shown): string {
  const { exchange } = shown.replayed
  const head = facts([
    ['command', count(exchange.seq)],
    ['time', isoTime(exchange.time)],
    ['state hash', hex(sha256([exchange.encodeSnapshot()]))],
  ])
  const parts = [head, shown.book === undefined ? symbolTable(shown) : bookTable(shown, shown.book)]
  parts.push(balanceTable(shown))
  if (shown.orders !== undefined) parts.push(orderTable(shown, shown.orders))
  return parts.join('\n\n')
}

function symbolTable({ replayed, symbols }: Shown): string {
  const rows = symbols.map((symbol) => {
    const { sell, buy } = replayed.exchange.book(symbol.id)
    const price = (level: BookView['sell'][number] | undefined): string =>
      level === undefined ? '-' : fixedDecimal(level.price, symbol.quoteFraction)
    return [symbol.name, symbol.state, price(buy[0]), price(sell[0]), count(buy.length), count(sell.length)]
  })
  const headings = ['SYMBOL', 'STATE', 'BEST BUY', 'BEST SELL', 'BUY PRICES', 'SELL PRICES']
  return table(headings, rows, 'No symbol is listed.')
}

function bookTable({ replayed }: Shown, symbol: TradingSymbol): string {
  const rows = levelsOf(replayed, symbol).map(({ side, price, quantity }) => [side, price, quantity])
  return table([symbol.name, 'PRICE', 'QUANTITY'], rows, `The book of ${symbol.name} is empty.`)
}

/** In a trader's order: the highest price first. */
function levelsOf({ exchange }: Replayed, { id, quoteFraction, baseFraction }: TradingSymbol) {
  const { sell, buy } = exchange.book(id)
  const levels = [
    ...sell.toReversed().map((level) => ({ side: 'SELL', ...level })),
    ...buy.map((level) => ({ side: 'BUY', ...level })),
  ]
  return levels.map(({ side, price, quantity }) => ({
    side,
    price: fixedDecimal(price, quoteFraction),
    quantity: plainDecimal(quantity, baseFraction),
  }))
}

const BUCKET_NAMES = ['free', 'locked', 'freeze', 'savings'] as const

/** Every balance with a part that is not zero. */
function* balancesOf({ replayed, accounts }: Shown) {
  const { exchange, names } = replayed
  for (const { id, name } of accounts) {
    for (const balance of exchange.balances(id)) {
      if (BUCKET_NAMES.every((bucket) => balance[bucket] === 0)) continue
      const asset = names.asset(balance.assetId)
      if (asset === undefined) continue
      const text = (bucket: keyof Balance & (typeof BUCKET_NAMES)[number]) =>
        plainDecimal(balance[bucket], asset.fraction)
      const buckets = { free: text('free'), locked: text('locked'), freeze: text('freeze') }
      yield { account: name, asset: asset.code, ...buckets, savings: text('savings') }
    }
  }
}

function balanceTable(shown: Shown): string {
  const rows = [...balancesOf(shown)].map((row) => Object.values(row))
  return table(['ACCOUNT', 'ASSET', 'FREE', 'LOCKED', 'FREEZE', 'SAVINGS'], rows, 'No balance.')
}

function orderFields({ replayed }: Shown, order: OpenOrder) {
  const { names } = replayed
  const symbol = names.symbol(order.symbolId)
  const lots = (units: number) =>
    symbol === undefined ? `${units}` : plainDecimal(units, symbol.baseFraction)
  return {
    order: uuidOf('order', order.orderNumber, order.time),
    account: names.account(order.accountId),
    symbol: symbol?.name ?? '',
    side: order.side,
    price: symbol === undefined ? `${order.price}` : fixedDecimal(order.price, symbol.quoteFraction),
    quantity: lots(order.quantity),
    executed: lots(order.executedQuantity),
    remaining: lots(order.remaining),
    time: isoTime(order.time),
  }
}

function orderTable(shown: Shown, orders: readonly OpenOrder[]): string {
  const rows = orders.map((order) => Object.values(orderFields(shown, order)))
  const headings = [
    'ORDER',
    'ACCOUNT',
    'SYMBOL',
    'SIDE',
    'PRICE',
    'QUANTITY',
    'EXECUTED',
    'REMAINING',
    'TIME',
  ]
  return table(headings, rows, 'No open order.')
}

function jsonOf(shown: Shown): string {
  const { exchange } = shown.replayed
  const { book, orders } = shown
  const books = shown.symbols.map((symbol) => {
    const levels = levelsOf(shown.replayed, symbol)
    const side = (wanted: string) =>
      levels.filter((level) => level.side === wanted).map(({ price, quantity }) => ({ price, quantity }))
    // Best prices first, as everywhere but in the table for people.
    const [sell, buy] = [side('SELL').toReversed(), side('BUY')]
    const { name, state } = symbol
    if (book !== undefined) return { symbol: name, state, sell, buy }
    return { symbol: name, state, sell: sell.slice(0, 1), buy: buy.slice(0, 1) }
  })
  const state = {
    seq: exchange.seq,
    time: isoTime(exchange.time),
    stateHash: hex(sha256([exchange.encodeSnapshot()])),
    books,
    balances: [...balancesOf(shown)],
    ...(orders === undefined ? {} : { orders: orders.map((order) => orderFields(shown, order)) }),
  }
  return JSON.stringify(state, undefined, 2)
}
