/** After a failed operation, a kill or a reopening, history equals one in memory that never failed. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { MemoryHistory } from '../../../../sim/memory/history.ts'
import { CANDLE_WIDTHS } from '../../../engine/history/candles/base-widths.ts'
import { HistoryFault, type HistoryTrade } from '../../../engine/history/history.ts'
import { at, tradeAt } from '../../../engine/history/history-trades.fixture.ts'
import type { EndedOrder, HistoryOrder } from '../../../engine/history/order-history.ts'
import { anEnd, anOrder } from '../../../engine/history/orders.contract.ts'
import type { AccountId, SymbolId } from '../../../units/ids.ts'
import { timeMs, UNITS_MAX } from '../../../units/quantities.ts'
import type { HistoryFileLimits } from './file.ts'
import { SqliteHistory } from './store.ts'

const PAGE_BYTES = 4_096
const ACCOUNTS = 3
/**
 * Milliseconds between trades: so many that candles of every width end, and so few that most have more than
 * one trade.
 */
const MS_A_TRADE = 317_000

const root = mkdtempSync(join(tmpdir(), 'bourse-history-'))
afterAll(() => rmSync(root, { recursive: true }))
let files = 0

/** Limits under which ends are stored late or early, with few lists or many. Nothing waits for locks. */
const limitsOf = fc.record({
  recordsBetweenEnds: fc.constantFrom(1, 100, 10_000),
  listsMax: fc.constantFrom(1, 300_000),
  busyTimeoutMs: fc.constant(0),
})
const step = fc.record({
  what: fc.constantFrom('append', 'held', 'full', 'bug', 'flush', 'reopen', 'kill'),
  trades: fc.constantFrom(0, 1, 63, 64, 65, 128),
  limits: limitsOf,
})

function neverDropped(reason: string): void {
  throw new Error(`history must not be dropped: ${reason}`)
}

async function faultOf(done: Promise<void>): Promise<string | undefined> {
  const fault: unknown = await done.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  if (fault instanceof HistoryFault) return fault.kind
  return fault === undefined ? undefined : 'bug'
}

type Besides = { readonly orders: readonly HistoryOrder[]; readonly ends: readonly EndedOrder[] }

const ALL_ORDERS = {
  symbolId: undefined,
  from: undefined,
  to: undefined,
  before: undefined,
  limit: 1_000,
}

class Scene {
  #path = join(root, `${++files}.sqlite`)
  #store: SqliteHistory
  readonly #model = new MemoryHistory()
  #last = 0
  #open: readonly HistoryOrder[] = []
  #seq = 0
  readonly #random: () => number

  constructor(limits: HistoryFileLimits, random: () => number) {
    this.#store = SqliteHistory.open(this.#path, neverDropped, limits)
    this.#random = random
  }

  async take({
    what,
    trades,
    limits,
  }: {
    what: string
    trades: number
    limits: HistoryFileLimits
  }): Promise<void> {
    const some = this.#trades(trades)
    const besides = this.#orders(trades)
    const end = at(this.#seq + 1)
    if (what === 'held') {
      using holder = new Database(this.#path)
      holder.run('BEGIN IMMEDIATE')
      expect(await faultOf(this.#store.append(some, end, besides))).toBe('UNUSABLE')
      holder.run('ROLLBACK')
    } else if (what === 'bug' && trades > 0) {
      expect(await faultOf(this.#store.append([...some, ...some], end, besides))).toBe('bug')
    } else if (what === 'flush') await this.#store.flush()
    else if (what === 'kill') this.#openCopy(limits)
    else if (what !== 'append') await this.#reopen(limits)
    if (what === 'full') {
      await this.#store.flush()
      await this.#reopen({ ...limits, pagesMax: statSync(this.#path).size / PAGE_BYTES })
      const fault = await faultOf(this.#store.append(some, end, besides))
      if (fault !== undefined) expect(fault).toBe('STORAGE_FULL')
      else await this.#added(some, end, besides)
      await this.same()
      await this.#reopen(limits)
      if (fault === undefined) return
    }
    await this.same()
    await this.#store.append(some, end, besides)
    await this.#added(some, end, besides)
  }

  async same(): Promise<void> {
    expect(await this.#store.position()).toEqual(await this.#model.position())
    for (let account = 0; account < ACCOUNTS; account++) {
      const accountId = account as AccountId
      const query = { accountId, symbolId: undefined, page: 0, size: 1_000, before: undefined }
      expect(await this.#store.trades(query)).toEqual(await this.#model.trades(query))
      const orders = { ...ALL_ORDERS, accountId }
      expect(await this.#store.orders(orders)).toEqual(await this.#model.orders(orders))
    }
    for (const width of CANDLE_WIDTHS) {
      const times = { from: timeMs(0), before: timeMs(UNITS_MAX), limit: 1_000 }
      const range = { symbolId: 0 as SymbolId, width, ...times }
      expect(await this.#store.candles(range)).toEqual(await this.#model.candles(range))
    }
  }

  async close(): Promise<void> {
    await this.#store.close()
  }

  #trades(count: number): HistoryTrade[] {
    const anybody = (): number => Math.floor(this.#random() * ACCOUNTS)
    return Array.from({ length: count }, (_, i) => {
      const number = this.#last + i + 1
      const time = 1_700_000_000_000 + number * MS_A_TRADE
      return tradeAt(time, { number, seq: this.#seq + 1, maker: anybody(), taker: anybody() })
    })
  }

  /** Adds `count` orders, and ends some open orders, including these. */
  #orders(count: number): Besides {
    const orders = Array.from({ length: count }, (_, i) => {
      const number = this.#last + i + 1
      const account = Math.floor(this.#random() * ACCOUNTS)
      return anOrder({ number, account, seq: this.#seq + 1, endsAtOnce: this.#random() < 0.3 })
    })
    const open = [...this.#open, ...orders.filter((order) => order.end === undefined)]
    const ends = open
      .filter(() => this.#random() < 0.4)
      .map(({ orderNumber }) => ({
        orderNumber,
        ...anEnd(orderNumber, this.#seq + 1, this.#last + count),
      }))
    return { orders, ends: this.#random() < 0.5 ? ends : ends.reverse() }
  }

  async #added(
    trades: readonly HistoryTrade[],
    end: ReturnType<typeof at>,
    { orders, ends }: Besides,
  ): Promise<void> {
    await this.#model.append(trades, end, { orders, ends })
    const ended = new Set(ends.map(({ orderNumber }) => orderNumber))
    const placed = orders.filter(({ end }) => end === undefined)
    this.#open = [...this.#open, ...placed].filter(({ orderNumber }) => !ended.has(orderNumber))
    this.#last += trades.length
    this.#seq = end.seq
  }

  async #reopen(limits: HistoryFileLimits): Promise<void> {
    await this.#store.close()
    this.#store = SqliteHistory.open(this.#path, neverDropped, limits)
  }

  /** Continues with a copy of the open files, as after a kill. */
  #openCopy(limits: HistoryFileLimits): void {
    const copy = join(root, `${++files}.sqlite`)
    for (const suffix of ['', '-wal']) copyFileSync(this.#path + suffix, copy + suffix)
    void this.#store.close()
    this.#path = copy
    this.#store = SqliteHistory.open(copy, neverDropped, limits)
  }
}

test('a history whose transactions fail, or that is killed, continues where it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      limitsOf,
      fc.array(step, { minLength: 5, maxLength: 15 }),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      async (limits, steps, randoms) => {
        const scene = new Scene(limits, () => randoms.next().value ?? 0)
        for (const each of steps) await scene.take(each)
        await scene.same()
        await scene.close()
      },
    ),
    { numRuns: 25 },
  )
})
