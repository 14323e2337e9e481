/**
 * Countdowns of accounts: each cancels orders when it ends, unless it is set again before
 * (docs/reference/timers.md#countdown).
 */
import type { AccountId, SymbolId } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { SYMBOLS_MAX } from '../../../units/limits.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { DeadlineQueue } from '../../market/deadline-queue.ts'

export type Countdown = {
  readonly accountId: AccountId
  /** Undefined for all symbols. */
  readonly symbolId: SymbolId | undefined
  readonly keepsStops: boolean
  /** The time at which the countdown ends. */
  readonly triggerAt: TimeMs
}

/** An account and a symbol, or all symbols, as one number. */
type Key = number

export class Countdowns {
  readonly #queue = new DeadlineQueue<Key>()
  readonly #byAccount = new Map<AccountId, readonly Countdown[]>()

  get count(): number {
    return this.#queue.count
  }

  /** The time at which the first countdown ends; undefined if there is none. */
  get firstTime(): TimeMs | undefined {
    return this.#queue.firstTime
  }

  /** Whether any countdown has ended that is not yet carried out. */
  hasAnyAt(time: TimeMs): boolean {
    const { firstTime } = this.#queue
    return firstTime !== undefined && firstTime <= time
  }

  of(accountId: AccountId): readonly Countdown[] {
    return this.#byAccount.get(accountId) ?? []
  }

  get(accountId: AccountId, symbolId: SymbolId | undefined): Countdown | undefined {
    return this.of(accountId).find((countdown) => countdown.symbolId === symbolId)
  }

  /** Sets a countdown, replacing the existing one. */
  set(countdown: Countdown): void {
    const { accountId, symbolId, triggerAt } = countdown
    this.remove(accountId, symbolId)
    this.#queue.add(keyOf(accountId, symbolId), triggerAt)
    this.#byAccount.set(accountId, [...this.of(accountId), countdown])
  }

  remove(accountId: AccountId, symbolId: SymbolId | undefined): void {
    if (!this.#queue.remove(keyOf(accountId, symbolId))) return
    const others = this.of(accountId).filter((countdown) => countdown.symbolId !== symbolId)
    if (others.length === 0) this.#byAccount.delete(accountId)
    else this.#byAccount.set(accountId, others)
  }

  /** Countdowns that have ended, earliest first, at most `max`. */
  due(time: TimeMs, max: number): Countdown[] {
    return this.#queue.until(time, max).map((key) => this.#at(key))
  }

  /** By account, then by symbol; the countdown of all symbols first. */
  all(): Countdown[] {
    return Array.from(this.#queue.byNumber(), ({ number }) => this.#at(number))
  }

  #at(key: Key): Countdown {
    const symbol = key % (SYMBOLS_MAX + 1)
    const symbolId = symbol === 0 ? undefined : ((symbol - 1) as SymbolId)
    const countdown = this.get(Math.floor(key / (SYMBOLS_MAX + 1)) as AccountId, symbolId)
    invariant(countdown !== undefined, () => `countdown ${key} must be among those of its account`)
    return countdown
  }
}

function keyOf(accountId: AccountId, symbolId: SymbolId | undefined): Key {
  return accountId * (SYMBOLS_MAX + 1) + (symbolId === undefined ? 0 : symbolId + 1)
}
