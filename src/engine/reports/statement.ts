/**
 * Statements by UTC day: for each account and asset that changes on a day, the opening balance, each change
 * with its cause, and the closing balance. During the day only the changed balances are kept, not their
 * entries. Opening and changes are added up from the events; every closing balance is compared with the
 * ledger.
 */

import { amountSum, difference } from '../../core/ledger/money.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { type Amount, NO_AMOUNT, type Seq, type TimeMs } from '../../units/quantities.ts'
import type { StateMachine } from '../port/state-machine.ts'
import type { Entry } from './entries.ts'

/** A UTC day, counted from 1970-01-01. */
export type DayNumber = number

export const DAY_MS = 86_400_000

export function dayOf(time: number): DayNumber {
  return Math.floor(time / DAY_MS)
}

type LinePlace = { readonly day: DayNumber; readonly accountId: AccountId; readonly assetId: AssetId }

export type StatementLine = LinePlace & {
  /** Right after the entry, in all buckets together. */
  readonly balance: Amount
} & (
    | { readonly kind: 'OPENING' | 'CLOSING' }
    | { readonly kind: 'ENTRY'; readonly seq: Seq; readonly time: TimeMs; readonly entry: Entry }
  )

/** Queries of a statement to the machine that emits its events. */
export type StatedMachine = Pick<StateMachine, 'balance' | 'balances'> & {
  /** The ids of all accounts, in the order of creation. */
  readonly accountIds: () => Iterable<AccountId>
}

/** A closing balance differs from the ledger: a bug, or a forged journal. */
export type StatementProblem = LinePlace & { readonly stated: Amount; readonly found: Amount }

export type StatementOptions = {
  readonly machine: StatedMachine
  readonly isShown: (accountId: AccountId) => boolean
  readonly line: (line: StatementLine) => void
  readonly problem: (problem: StatementProblem) => void
}

type OpenBalance = { readonly accountId: AccountId; readonly assetId: AssetId; balance: Amount }

export class DailyStatements {
  readonly #options: StatementOptions
  #day: DayNumber | undefined
  /** The balances of this day, by account and asset. */
  #open = new Map<AccountId, Map<AssetId, OpenBalance>>()

  constructor(options: StatementOptions) {
    this.#options = options
  }

  /**
   * Begins the period, with an opening for every balance that is not 0. The machine has the state before the
   * period's first command.
   */
  begin(day: DayNumber): void {
    this.#day = day
    for (const { accountId, assetId, balance } of this.#balances()) this.#openAt(accountId, assetId, balance)
  }

  /** Called before the next batch, which belongs to `day`, is applied. */
  beforeBatch(day: DayNumber): void {
    if (day === this.#day) return
    this.#close()
    this.#day = day
  }

  /** Takes the entries of a command of the day, which was applied last. */
  take(seq: Seq, time: TimeMs, entries: readonly Entry[]): void {
    const shown = entries.filter(({ accountId }) => this.#options.isShown(accountId))
    if (shown.length === 0) return
    const day = this.#day as DayNumber
    this.#openNew(shown)
    for (const entry of shown) {
      const { accountId, assetId } = entry
      const open = this.#find(accountId, assetId) as OpenBalance
      open.balance = amountSum(open.balance, entry.amount)
      this.#options.line({ kind: 'ENTRY', day, accountId, assetId, balance: open.balance, seq, time, entry })
    }
  }

  /**
   * Ends the period with `day`: also reports an opening and a closing for every unchanged balance that is not
   * 0.
   */
  end(day: DayNumber): void {
    this.beforeBatch(day)
    for (const { accountId, assetId, balance } of this.#balances()) {
      if (this.#find(accountId, assetId) === undefined) this.#openAt(accountId, assetId, balance)
    }
    this.#close()
  }

  *#balances(): Generator<OpenBalance> {
    const { machine, isShown } = this.#options
    for (const id of machine.accountIds()) {
      if (!isShown(id)) continue
      for (const of of machine.balances(id)) {
        const balance = totalOf(of)
        if (balance !== NO_AMOUNT) yield { accountId: id, assetId: of.assetId, balance }
      }
    }
  }

  /**
   * Opens the balances that `entries` change for the first time on the day: the current balance minus the sum
   * of its entries.
   */
  #openNew(entries: readonly Entry[]): void {
    const changes = new Map<AccountId, Map<AssetId, OpenBalance>>()
    for (const { accountId, assetId, amount } of entries) {
      if (this.#find(accountId, assetId) !== undefined) continue
      const change = placeIn(changes, accountId, assetId)
      change.balance = amountSum(change.balance, amount)
    }
    for (const ofAccount of changes.values()) {
      for (const { accountId, assetId, balance } of ofAccount.values()) {
        const now = totalOf(this.#options.machine.balance(accountId, assetId))
        this.#openAt(accountId, assetId, difference(now, balance))
      }
    }
  }

  #openAt(accountId: AccountId, assetId: AssetId, balance: Amount): void {
    this.#put(accountId, assetId, balance)
    this.#options.line({ kind: 'OPENING', day: this.#day as DayNumber, accountId, assetId, balance })
  }

  #put(accountId: AccountId, assetId: AssetId, balance: Amount): void {
    placeIn(this.#open, accountId, assetId).balance = balance
  }

  #find(accountId: AccountId, assetId: AssetId): OpenBalance | undefined {
    return this.#open.get(accountId)?.get(assetId)
  }

  #close(): void {
    const { machine, line, problem } = this.#options
    const day = this.#day as DayNumber
    const open = [...this.#open.values()].flatMap((ofAccount) => [...ofAccount.values()])
    open.sort((a, b) => a.accountId - b.accountId || a.assetId - b.assetId)
    for (const { accountId, assetId, balance } of open) {
      const found = totalOf(machine.balance(accountId, assetId))
      if (found !== balance) problem({ day, accountId, assetId, stated: balance, found })
      line({ kind: 'CLOSING', day, accountId, assetId, balance })
    }
    this.#open = new Map()
  }
}

function placeIn(
  places: Map<AccountId, Map<AssetId, OpenBalance>>,
  accountId: AccountId,
  assetId: AssetId,
): OpenBalance {
  let ofAccount = places.get(accountId)
  if (ofAccount === undefined) {
    ofAccount = new Map()
    places.set(accountId, ofAccount)
  }
  let place = ofAccount.get(assetId)
  if (place === undefined) {
    place = { accountId, assetId, balance: NO_AMOUNT }
    ofAccount.set(assetId, place)
  }
  return place
}

type Buckets = {
  readonly free: Amount
  readonly locked: Amount
  readonly freeze: Amount
  readonly savings: Amount
}

/** The total of an account's buckets of an asset. */
export function totalOf({ free, locked, freeze, savings }: Buckets): Amount {
  return amountSum(amountSum(free, locked), amountSum(freeze, savings))
}
