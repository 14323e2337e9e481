/**
 * The progress of long work, on standard error: a line that rewrites itself on a terminal, an occasional line
 * elsewhere. Short work shows nothing.
 */
import type { AuditHost } from './host.ts'

/** Work that takes less shows no progress on a terminal. */
const SILENCE_MS = 1_000
const TERMINAL_EVERY_MS = 100
/** Interval of lines elsewhere, and the duration of work before its first line. */
const LINE_EVERY_MS = 5_000
/** Clears the line and goes to its start. */
const CLEAR = '\r\u001b[2K'

export class Progress {
  readonly #host: AuditHost
  readonly #what: string
  readonly #startMs: number
  #nextMs: number
  #isShown = false

  /** `what`: words like `verifying`. */
  constructor(host: AuditHost, what: string) {
    this.#host = host
    this.#what = what
    this.#startMs = host.monotonicMs()
    this.#nextMs = this.#startMs + (host.terminal === undefined ? LINE_EVERY_MS : SILENCE_MS)
  }

  /** Called when the work has reached command `seq` of `endSeq`. Cheap: most calls print nothing. */
  readonly at = ({ seq, endSeq }: { readonly seq: number; readonly endSeq: number }): void => {
    const nowMs = this.#host.monotonicMs()
    if (nowMs < this.#nextMs || endSeq === 0) return
    const { terminal } = this.#host
    this.#nextMs = nowMs + (terminal === undefined ? LINE_EVERY_MS : TERMINAL_EVERY_MS)
    this.#isShown = true
    const percent = Math.floor((seq / endSeq) * 100)
    const perSecond = Math.round((seq * 1_000) / Math.max(1, nowMs - this.#startMs))
    const text = `${this.#what}: command ${count(seq)} of ${count(endSeq)} (${percent} %), ${count(perSecond)} a second`
    if (terminal === undefined) this.#host.printError(text)
    else terminal(CLEAR + text)
  }

  /** Called when the work is done, or prints its own output from now on: removes the line. */
  end(): void {
    if (this.#isShown) this.#host.terminal?.(CLEAR)
    this.#isShown = false
    this.#nextMs = Number.POSITIVE_INFINITY
  }
}

/** `1234567` as `1,234,567`. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
