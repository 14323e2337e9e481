/** The follower, for the thread that started it: it is started, finished or failed, each at most once. */
import type { FollowerNote } from '../../engine/follower/note.ts'
import type { Seq } from '../../units/quantities.ts'
import { type Channel, listen } from './channel.ts'
import type { FollowerOrder, FollowerReport } from './follower-messages.ts'

/** The follower ended by a fault of its own; the message includes its report. */
export class FollowerFault extends Error {
  override readonly name = 'FollowerFault'
  /** Name of the fault in the follower thread. */
  readonly fault: string
  /** Whether there was no space for its writes. */
  readonly isFull: boolean

  constructor(fault: string, message: string, options?: ErrorOptions & { readonly isFull?: boolean }) {
    super(message, options)
    this.fault = fault
    this.isFull = options?.isFull ?? false
  }
}

export class FollowerHandle {
  /** Resolves with the last command that history contains, once queries are answered. */
  readonly started: Promise<Seq>
  /** Resolves with the last command processed, if it ended as requested; rejects with `FollowerFault`. */
  readonly ended: Promise<Seq>
  readonly #control: Channel
  readonly #fail: (failure: FollowerFault) => void

  constructor(control: Channel, onNote: (note: FollowerNote) => void) {
    this.#control = control
    const started = Promise.withResolvers<Seq>()
    const ended = Promise.withResolvers<Seq>()
    this.started = started.promise
    this.ended = ended.promise
    this.#fail = (failure) => {
      started.reject(failure)
      ended.reject(failure)
    }
    // The composition of the node awaits one or both; a failure not yet awaited must not end the process.
    this.started.catch(() => {})
    this.ended.catch(() => {})
    listen<FollowerReport>(control, (report) => {
      if (report.kind === 'started') started.resolve(report.seq)
      else if (report.kind === 'note') onNote(report.note)
      else if (report.kind === 'finished') ended.resolve(report.seq)
      else this.#fail(failureOf(report))
    })
  }

  /**
   * Notifies the follower that the rest of the node is ready. A follower with `beginsOnRequest` and a
   * complete history answers queries at once, but reads its state only after this call, because that keeps a
   * core busy for seconds.
   */
  begin(): void {
    this.#control.postMessage({ kind: 'begin' } satisfies FollowerOrder)
  }

  /** Requests that the follower end once it has processed command `seq`; resolves like `ended`. */
  finish(seq: Seq): Promise<Seq> {
    this.#control.postMessage({ kind: 'finish', seq } satisfies FollowerOrder)
    return this.ended
  }

  /** Notifies the follower that the engine thread has ended. */
  engineLost(): void {
    this.#control.postMessage({ kind: 'engineLost' } satisfies FollowerOrder)
  }

  /** Called when the follower thread ended; the runtime reports this, since the thread cannot. */
  lose(reason: string): void {
    this.#fail(new FollowerFault('ThreadLost', reason))
  }
}

function failureOf(report: Extract<FollowerReport, { kind: 'failed' }>): FollowerFault {
  const cause = new Error(report.message)
  if (report.stack !== undefined) cause.stack = report.stack
  const isFull = report.isFull ?? false
  return new FollowerFault(report.fault, `${report.fault}: ${report.message}`, { cause, isFull })
}
