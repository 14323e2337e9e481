/**
 * Updates of accounts as bytes. They are written for every command and read only for followed accounts, so
 * writing must be cheap (`npm run bench -- history`): of newly placed orders, ended orders and trades only
 * the numbers are written, and the reader looks the records up. Most of history's bytes are updates, so
 * numbers are relative to those of the block.
 *
 *   block    command and time of the first update; the numbers of the first order and the first trade, or 0; updates
 *   update   account; as a field: commands and milliseconds since the first; orders; trades; balances
 *   balance  twice the asset, plus 1 if any is in savings or set aside; free, locked; those two
 */

import type { Balance, OpenOrder } from '../../core/questions/view.ts'
import { readOpenOrders, writeOpenOrders } from '../../core/questions/view-codec.ts'
import { ByteReader, ByteWriter } from '../../units/bytes.ts'
import { readList } from '../../units/field-codec.ts'
import type { AccountId, AssetId, OrderNumber, TradeNumber } from '../../units/ids.ts'
import { type Amount, NO_AMOUNT, type Seq, seq, type TimeMs, timeMs } from '../../units/quantities.ts'

/**
 * The state of an order after a command: just placed, just ended, or changed in another way. An order in one
 * of the first two states is written as its place times `KINDS`, plus the state.
 */
const [PLACED, ENDED, CHANGED] = [0, 1, 2]
const KINDS = 3

/** An update as it is stored. */
export type StoredUpdate = {
  readonly seq: Seq
  readonly time: TimeMs
  readonly accountId: AccountId
  /** Orders without any change since they were placed. */
  readonly placed: readonly OrderNumber[]
  readonly changed: readonly OpenOrder[]
  readonly ended: readonly OrderNumber[]
  /** Each once, including trades of the account with itself. */
  readonly trades: readonly TradeNumber[]
  readonly balances: readonly Balance[]
}

/** All updates of some commands. */
export type UpdateBlock = {
  /** The accounts to which the updates belong. */
  readonly accounts: ReadonlySet<AccountId>
  readonly data: Uint8Array
}

/** The size of an update, which limits answers. */
export function partsOf({ placed, changed, ended, trades, balances }: StoredUpdate): number {
  return 1 + placed.length + changed.length + ended.length + trades.length + balances.length
}

/**
 * Writes updates one after another, each field as soon as it is known: orders, then trades, then balances.
 */
export class UpdateWriter {
  readonly #writer = new ByteWriter(1 << 16)
  readonly #head = new ByteWriter(32)
  #accounts = new Set<AccountId>()
  #firstSeq = 0
  #firstTime = 0
  /** The first order that was referred to; 0 if there was none. */
  #firstOrder = 0
  #firstTrade = 0
  /** The start of the current update. */
  #start = 0

  begin(command: Seq, time: TimeMs, accountId: AccountId): void {
    const w = this.#writer
    if (w.length === 0) {
      this.#firstSeq = command
      this.#firstTime = time
      this.#firstOrder = 0
      this.#firstTrade = 0
    }
    this.#accounts.add(accountId)
    w.uint(accountId)
    this.#start = w.beginField()
    w.uint(command - this.#firstSeq)
    w.uint(time - this.#firstTime)
  }

  count(items: number): void {
    this.#writer.uint(items)
  }

  placed(orderNumber: OrderNumber): void {
    this.#named(orderNumber, PLACED)
  }

  ended(orderNumber: OrderNumber): void {
    this.#named(orderNumber, ENDED)
  }

  changed(order: OpenOrder): void {
    this.#writer.uint(CHANGED)
    writeOpenOrders(this.#writer, [order])
  }

  trade(tradeNumber: TradeNumber): void {
    if (this.#firstTrade === 0) this.#firstTrade = tradeNumber
    this.#writer.uint(placeOf(tradeNumber, this.#firstTrade))
  }

  balance({ assetId, free, locked, freeze, savings }: Balance): void {
    const w = this.#writer
    const isPlain = freeze === NO_AMOUNT && savings === NO_AMOUNT
    w.uint(assetId * 2 + (isPlain ? 0 : 1))
    w.whole(free)
    w.whole(locked)
    if (isPlain) return
    w.whole(freeze)
    w.whole(savings)
  }

  end(): void {
    this.#writer.endField(this.#start)
  }

  /** All updates since the last call; undefined if there are none. */
  take(): UpdateBlock | undefined {
    const updates = this.#writer
    if (updates.length === 0) return undefined
    const head = this.#head
    head.reset()
    head.uint(this.#firstSeq)
    head.uint(this.#firstTime)
    head.uint(this.#firstOrder)
    head.uint(this.#firstTrade)
    const data = new Uint8Array(head.length + updates.length)
    data.set(head.peek())
    data.set(updates.peek(), head.length)
    const block = { accounts: this.#accounts, data }
    updates.reset()
    this.#accounts = new Set()
    return block
  }

  #named(orderNumber: OrderNumber, kind: number): void {
    if (this.#firstOrder === 0) this.#firstOrder = orderNumber
    this.#writer.uint(placeOf(orderNumber, this.#firstOrder) * KINDS + kind)
  }
}

/**
 * The code of a number relative to `first`: 0 for itself, then alternately for numbers above and below it.
 */
function placeOf(number: number, first: number): number {
  return number >= first ? (number - first) * 2 : (first - number) * 2 - 1
}

/** The number that has this code. */
function numberAt(place: number, first: number): number {
  return place % 2 === 0 ? first + place / 2 : first - (place + 1) / 2
}

/** Calls back with each update of the accounts for which `isAsked` is true. Throws `BytesFault`. */
export function readUpdates(
  data: Uint8Array,
  isAsked: (accountId: AccountId) => boolean,
  take: (update: StoredUpdate) => void,
): void {
  const reader = new ByteReader(data)
  const first = { seq: reader.uint(), time: reader.uint(), order: reader.uint(), trade: reader.uint() }
  while (!reader.atEnd) {
    const accountId = reader.uint() as AccountId
    const length = reader.uint()
    if (!isAsked(accountId)) {
      reader.skip(length)
      continue
    }
    const update = new ByteReader(reader.raw(length))
    take(readUpdate(update, accountId, first))
    update.end()
  }
}

/** The numbers to which others are relative. */
type First = { readonly seq: number; readonly time: number; readonly order: number; readonly trade: number }

function readUpdate(r: ByteReader, accountId: AccountId, first: First): StoredUpdate {
  const command = seq(first.seq + r.uint())
  const time = timeMs(first.time + r.uint())
  const placed: OrderNumber[] = []
  const changed: OpenOrder[] = []
  const ended: OrderNumber[] = []
  for (let left = r.uint(); left > 0; left--) {
    const named = r.uint()
    const orderNumber = numberAt(Math.floor(named / KINDS), first.order) as OrderNumber
    if (named % KINDS === PLACED) placed.push(orderNumber)
    else if (named % KINDS === ENDED) ended.push(orderNumber)
    else changed.push(...readOpenOrders(r))
  }
  const trades = readList(r, (reader) => numberAt(reader.uint(), first.trade) as TradeNumber)
  return { seq: command, time, accountId, placed, changed, ended, trades, balances: readList(r, readBalance) }
}

function readBalance(r: ByteReader): Balance {
  const named = r.uint()
  const [free, locked] = [r.whole() as Amount, r.whole() as Amount]
  const isPlain = named % 2 === 0
  const freeze = isPlain ? NO_AMOUNT : (r.whole() as Amount)
  const savings = isPlain ? NO_AMOUNT : (r.whole() as Amount)
  return { assetId: Math.floor(named / 2) as AssetId, free, locked, freeze, savings }
}
