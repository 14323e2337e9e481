/**
 * Serializes work that changes one person's restrictions or keys at the exchange, over all processes: the end
 * of a period without withdrawals must not undo a freeze that begins, and a key that is created must not
 * outlive the end of all keys.
 */
import { newId } from '../names.ts'
import { ExchangeFault, type World } from '../ports.ts'
import type { Store } from '../store/store.ts'

/** A turn of a process that was killed ends after this: longer than the exchange takes to answer. */
export const TURN_MS = 30_000
/** Maximum time that a turn waits for the turn of another process. */
export const TURN_WAIT_MS = 10_000
const CHECK_EVERY_MS = 50

export type TurnsOptions = {
  readonly store: Pick<Store, 'claims'>
  readonly world: Pick<World, 'now' | 'monotonicMs' | 'randomBytes'>
  /** The name of this process, unique among all processes. */
  readonly process?: string | undefined
  readonly pause?: (ms: number) => Promise<unknown>
}

export class FreezeTurns {
  readonly #options: TurnsOptions
  /** The end of the last change; absent when no change is running. */
  readonly #lastByOwner = new Map<string, Promise<unknown>>()

  /** Ends the turns of an earlier run of this process. */
  constructor(options: TurnsOptions) {
    this.#options = options
    options.store.claims.removeOf(options.process ?? '')
  }

  /** Rejects with `ExchangeFault` if another process does not end its turn; then the work has not begun. */
  take<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#lastByOwner.get(owner)
    const mine = () => this.#claimed(owner, work)
    const result = before === undefined ? mine() : before.then(mine)
    const end = result.then(
      () => undefined,
      () => undefined,
    )
    this.#lastByOwner.set(owner, end)
    void end.then(() => {
      if (this.#lastByOwner.get(owner) === end) this.#lastByOwner.delete(owner)
    })
    return result
  }

  async #claimed<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const { store, world, process = '', pause = pauseMs } = this.#options
    const claim = { name: `turn ${owner}`, process, holder: newId(world.randomBytes) }
    const untilMs = world.monotonicMs() + TURN_WAIT_MS
    while (!store.claims.take(claim, world.now(), TURN_MS)) {
      if (world.monotonicMs() >= untilMs)
        throw new ExchangeFault('another customers process is working on the same account')
      await pause(CHECK_EVERY_MS)
    }
    try {
      return await work()
    } finally {
      store.claims.release(claim)
    }
  }
}

function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
