/**
 * Determines which approvals expire with which command: pending approvals are in the order of their requests,
 * which is also the order in which they expire. Approvals that had expired at the time of the last command
 * are not kept, so that a replay from any snapshot gives the same result.
 */
import type { ApprovalChanged } from '../../core/events/event.ts'
import type { Approval } from '../../core/questions/view.ts'
import { APPROVAL_LIFETIME_MS } from '../../units/limits.ts'
import type { TimeMs } from '../../units/quantities.ts'

export class ApprovalWatch {
  /** By reference, at most `APPROVALS_MAX`. */
  readonly #waiting = new Map<string, Approval>()
  /** Approvals that the exchange removed with this command. */
  #forgotten: Approval[] = []
  #firstEnd = Number.POSITIVE_INFINITY

  /**
   * `approvals`: the approvals in the state at `time`, the time of the last command, in the order of their
   * requests.
   */
  constructor(approvals: Iterable<Approval>, time: TimeMs) {
    for (const approval of approvals) {
      if (endOf(approval) > time) this.#waiting.set(approval.reference, approval)
    }
    this.#lookAhead()
  }

  take({ approval, state }: ApprovalChanged): void {
    const { reference } = approval
    if (state === 'PENDING') this.#waiting.set(reference, approval)
    else if (this.#waiting.delete(reference) && state === 'EXPIRED') this.#forgotten.push(approval)
    this.#lookAhead()
  }

  /** Whether anything has expired by `time`, the time of the command just applied. */
  isDue(time: TimeMs): boolean {
    return this.#firstEnd <= time || this.#forgotten.length > 0
  }

  /** The requests that expired since the previous command, in the order in which they were made. */
  drain(time: TimeMs): readonly Approval[] {
    const lapsed = this.#forgotten
    this.#forgotten = []
    for (const approval of this.#waiting.values()) {
      if (endOf(approval) > time) break
      this.#waiting.delete(approval.reference)
      lapsed.push(approval)
    }
    this.#lookAhead()
    return lapsed
  }

  #lookAhead(): void {
    const [first] = this.#waiting.values()
    this.#firstEnd = first === undefined ? Number.POSITIVE_INFINITY : endOf(first)
  }
}

function endOf({ requestedAt }: Approval): number {
  return requestedAt + APPROVAL_LIFETIME_MS
}
