/**
 * Updates of accounts as bytes. They are written for every command and read only for those who follow an account, so writing is what has to
 * cost little (`npm run bench -- history`): an order as it was placed, one that has ended and a trade are named, and looked up
 * by whoever reads.
 *
 *   block    command and time of the first update; updates
 *   update   account, length of the rest; commands and milliseconds since the first; orders; trades; balances
 */
import { readBalances, readOpenOrders, writeOpenOrders } from '../core/exchange/codec/view-codec.ts'
import type { Balance, OpenOrder } from '../core/exchange/view.ts'
import { ByteReader, BytesFault, ByteWriter } from '../units/bytes.ts'
import { readList } from '../units/field-codec.ts'
import type { AccountId, OrderNumber, TradeNumber } from '../units/ids.ts'
import { type Seq, seq, type TimeMs, timeMs } from '../units/quantities.ts'

/** What an order is after a command: as it was placed, ended, or otherwise. The first two are named by their number times `KINDS`. */
const [PLACED, ENDED, CHANGED] = [0, 1, 2]
const KINDS = 3

/** An update as it is stored. */
export type StoredUpdate = {
  readonly seq: Seq
  readonly time: TimeMs
  readonly accountId: AccountId
  /** Of which nothing has become since they were placed. */
  readonly placed: readonly OrderNumber[]
  readonly changed: readonly OpenOrder[]
  readonly ended: readonly OrderNumber[]
  /** Each once, also those of which the account has both sides. */
  readonly trades: readonly TradeNumber[]
  readonly balances: readonly Balance[]
}

/** All updates of some commands. */
export type UpdateBlock = {
  /** Whom they are of. */
  readonly accounts: ReadonlySet<AccountId>
  readonly data: Uint8Array
}

/** How much an update holds: what bounds answers. */
export function partsOf({ placed, changed, ended, trades, balances }: StoredUpdate): number {
  return 1 + placed.length + changed.length + ended.length + trades.length + balances.length
}

/** Writes updates one after another, each field when it is known: orders, then trades, then balances. */
export class UpdateWriter {
  readonly #writer = new ByteWriter(1 << 16)
  #accounts = new Set<AccountId>()
  #firstSeq = 0
  #firstTime = 0
  /** Of the update under way. */
  #start = 0

  begin(command: Seq, time: TimeMs, accountId: AccountId): void {
    const w = this.#writer
    if (w.length === 0) {
      this.#firstSeq = command
      this.#firstTime = time
      w.uint(command)
      w.uint(time)
    }
    this.#accounts.add(accountId)
    w.uint(accountId)
    this.#start = w.length
    w.u32(0)
    w.uint(command - this.#firstSeq)
    w.uint(time - this.#firstTime)
  }

  count(items: number): void {
    this.#writer.uint(items)
  }

  placed(orderNumber: OrderNumber): void {
    this.#writer.uint(orderNumber * KINDS + PLACED)
  }

  ended(orderNumber: OrderNumber): void {
    this.#writer.uint(orderNumber * KINDS + ENDED)
  }

  changed(order: OpenOrder): void {
    this.#writer.uint(CHANGED)
    writeOpenOrders(this.#writer, [order])
  }

  trade(tradeNumber: TradeNumber): void {
    this.#writer.uint(tradeNumber)
  }

  balance({ assetId, free, locked, freeze, savings }: Balance): void {
    const w = this.#writer
    w.uint(assetId)
    w.whole(free)
    w.whole(locked)
    w.whole(freeze)
    w.whole(savings)
  }

  end(): void {
    this.#writer.u32At(this.#start, this.#writer.length - this.#start - 4)
  }

  /** All since the last call; undefined: none. */
  take(): UpdateBlock | undefined {
    if (this.#writer.length === 0) return undefined
    const block = { accounts: this.#accounts, data: this.#writer.take() }
    this.#writer.reset()
    this.#accounts = new Set()
    return block
  }
}

/** Calls back with each update of the accounts that `isAsked` is true for. Throws `BytesFault`. */
export function readUpdates(
  data: Uint8Array,
  isAsked: (accountId: AccountId) => boolean,
  take: (update: StoredUpdate) => void,
): void {
  const reader = new ByteReader(data)
  const firstSeq = reader.uint()
  const firstTime = reader.uint()
  while (!reader.atEnd) {
    const accountId = reader.uint() as AccountId
    const length = reader.u32()
    if (!isAsked(accountId)) {
      reader.skip(length)
      continue
    }
    const end = reader.at + length
    take(readUpdate(reader, accountId, firstSeq, firstTime))
    if (reader.at !== end) throw new BytesFault(`an update ends at byte ${reader.at}, expected ${end}`)
  }
}

function readUpdate(r: ByteReader, accountId: AccountId, firstSeq: number, firstTime: number): StoredUpdate {
  const command = seq(firstSeq + r.uint())
  const time = timeMs(firstTime + r.uint())
  const placed: OrderNumber[] = []
  const changed: OpenOrder[] = []
  const ended: OrderNumber[] = []
  for (let left = r.uint(); left > 0; left--) {
    const named = r.uint()
    const orderNumber = Math.floor(named / KINDS) as OrderNumber
    if (named % KINDS === PLACED) placed.push(orderNumber)
    else if (named % KINDS === ENDED) ended.push(orderNumber)
    else changed.push(...readOpenOrders(r))
  }
  const trades = readList(r, (reader) => reader.uint() as TradeNumber)
  return { seq: command, time, accountId, placed, changed, ended, trades, balances: readBalances(r) }
}
