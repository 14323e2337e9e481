/**
 * Reads of missed messages, one after another, each followed by a pause of the same length: returning clients
 * take at most half of the history's time, however many there are. Accounts alternate, so that an account
 * with many subscriptions delays only its own.
 */
import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'
import type { AccountId } from '../../units/ids.ts'

/**
 * Pause before the next read after history could not answer: it is catching up, or has too many pending
 * reads.
 */
export const RETRY_MS = 1_000

type Reading = () => Promise<void>

export class CatchUpTurns {
  /** The account whose turn is next comes first. */
  readonly #readingsByAccount = new Map<AccountId, Reading[]>()
  #isReading = false

  /** Calls `read` at the account's turn, and again if history could not answer. Rejects if it never will. */
  inTurn<Value>(accountId: AccountId, read: () => Promise<Value>): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const reading = async (): Promise<void> => {
      try {
        resolve(await read())
      } catch (cause) {
        if (!isPassing(cause)) return reject(cause)
        await wait(RETRY_MS)
        this.#add(accountId, reading)
      }
    }
    this.#add(accountId, reading)
    this.#readNext()
    return promise
  }

  #add(accountId: AccountId, reading: Reading): void {
    const readings = this.#readingsByAccount.get(accountId)
    if (readings === undefined) this.#readingsByAccount.set(accountId, [reading])
    else readings.push(reading)
  }

  /** The oldest read of the account whose turn it is; that account then moves behind all others. */
  #take(): Reading | undefined {
    for (const [accountId, readings] of this.#readingsByAccount) {
      const reading = readings.shift()
      this.#readingsByAccount.delete(accountId)
      if (readings.length > 0) this.#readingsByAccount.set(accountId, readings)
      return reading
    }
    return undefined
  }

  #readNext(): void {
    const reading = this.#isReading ? undefined : this.#take()
    if (reading === undefined) return
    this.#isReading = true
    const startMs = performance.now()
    void reading()
      .then(() => wait(performance.now() - startMs))
      .then(() => {
        this.#isReading = false
        this.#readNext()
      })
  }
}

const PASSING: readonly EngineFaultKind[] = ['OVERLOADED', 'STARTING', 'NO_LEADER']

/** Whether history may answer later. */
export function isPassing(cause: unknown): boolean {
  return cause instanceof EngineFault && PASSING.includes(cause.kind)
}

export function wait(ms: number): Promise<void> {
  return Bun.sleep(ms)
}
