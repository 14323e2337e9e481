/**
 * Finds gateways that serve clients and have not sent a message for too long: each sends one every second.
 * The system continues to assign connections to a process that hangs.
 */
import type { Scheduler } from '../../engine/writer/loop.ts'

/** A gateway that has sent nothing for this long counts as hung. */
export const HUNG_MS = 15_000
/** Interval of the checks. */
const CHECK_EVERY_MS = 1_000
/**
 * A check that is this late shows that this process itself did not run: messages sent in the meantime have
 * not been read yet.
 */
const LATE_MS = 2_000

export type HangWatchOptions = {
  readonly onHung: (gateway: string) => void
  readonly scheduler: Pick<Scheduler, 'later'>
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number
}

export class HangWatch {
  readonly #options: HangWatchOptions
  readonly #heardAtByGateway = new Map<string, number>()
  #cancel: () => void = () => {}

  constructor(options: HangWatchOptions) {
    this.#options = options
    this.#lookLater()
  }

  /**
   * Called when the gateway serves clients: from now on it is watched. Before that, it may take any amount of
   * time to build its read models.
   */
  serves(gateway: string): void {
    this.#heardAtByGateway.set(gateway, this.#options.now())
  }

  /** Called when the gateway has sent a message. */
  heard(gateway: string): void {
    if (this.#heardAtByGateway.has(gateway)) this.serves(gateway)
  }

  /** Called when the gateway's process has ended. */
  gone(gateway: string): void {
    this.#heardAtByGateway.delete(gateway)
  }

  stop(): void {
    this.#cancel()
  }

  #lookLater(): void {
    const { scheduler, now } = this.#options
    const dueAt = now() + CHECK_EVERY_MS
    this.#cancel = scheduler.later(() => {
      // Scheduled first, so that a failed check is not the last one.
      const isLate = now() - dueAt > LATE_MS
      this.#lookLater()
      this.#look(isLate)
    }, CHECK_EVERY_MS)
  }

  #look(isLate: boolean): void {
    const now = this.#options.now()
    for (const [gateway, heardAt] of [...this.#heardAtByGateway]) {
      if (isLate) this.#heardAtByGateway.set(gateway, now)
      else if (now - heardAt > HUNG_MS) {
        this.gone(gateway)
        this.#options.onHung(gateway)
      }
    }
  }
}
