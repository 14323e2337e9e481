/**
 * Which approvals lapse by which command: those that wait, in the order in which they were asked for, and so in that of their ends. What
 * lapsed by the time of the last command is not kept, so that a replay from any snapshot tells the same.
 */
import type { ApprovalChanged } from '../../core/exchange/event.ts'
import type { Approval } from '../../core/exchange/view.ts'
import { APPROVAL_LIFETIME_MS } from '../../units/limits.ts'
import type { TimeMs } from '../../units/quantities.ts'

export class ApprovalWatch {
  /** By reference, at most `APPROVALS_MAX`. */
  readonly #waiting = new Map<string, Approval>()
  /** The exchange forgot them with this command. */
  #forgotten: Approval[] = []
  #firstEnd = Number.POSITIVE_INFINITY

  /** `approvals`: those that the state has at `time`, that of the last command, in the order in which they were asked for. */
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

  /** Whether anything has lapsed by `time`, that of the command that was just applied. */
  isDue(time: TimeMs): boolean {
    return this.#firstEnd <= time || this.#forgotten.length > 0
  }

  /** What has lapsed since the command before, in the order in which it was asked for. */
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
