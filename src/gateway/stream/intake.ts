/**
 * What one connection may send: frames and bytes at a rate, each with a burst. Everything that the runtime hands over is
 * taken to the intake first, control frames too, and what it does not admit is not looked at. Whoever sends more is cut off.
 */
import type { StreamConfig } from './config.ts'

export const CUT_CAUSES = ['FRAMES', 'BYTES', 'PROTOCOL'] as const
/** Why a connection was cut off: too many frames, too many bytes, or what no client of the protocol sends. */
export type CutCause = (typeof CUT_CAUSES)[number]

export type IntakeConfig = Pick<
  StreamConfig,
  'framesPerSecondMax' | 'framesBurstMax' | 'receivedBytesPerSecondMax' | 'receivedBytesBurstMax'
>

export type IntakeOptions = {
  readonly config: IntakeConfig
  /** Milliseconds. */
  readonly now: () => number
  /** Ends the connection; called once at most. */
  readonly onCut: (cause: CutCause) => void
}

export class Intake {
  readonly #options: IntakeOptions
  readonly #frames: Allowance
  readonly #bytes: Allowance
  #isCut = false

  constructor(options: IntakeOptions) {
    const { framesPerSecondMax, framesBurstMax, receivedBytesPerSecondMax, receivedBytesBurstMax } =
      options.config
    this.#options = options
    this.#frames = new Allowance(framesPerSecondMax, framesBurstMax)
    this.#bytes = new Allowance(receivedBytesPerSecondMax, receivedBytesBurstMax)
  }

  /** True from the cut on: frames that have arrived already are to be dropped. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Counts frames with `bytes` of payload together; false: they must not be processed. */
  admits(bytes: number, frames = 1): boolean {
    if (this.#isCut) return false
    const now = this.#options.now()
    if (!this.#frames.take(frames, now)) this.cut('FRAMES')
    else if (!this.#bytes.take(bytes, now)) this.cut('BYTES')
    return !this.#isCut
  }

  cut(cause: CutCause): void {
    if (this.#isCut) return
    this.#isCut = true
    this.#options.onCut(cause)
  }
}

/** So much at once, and then so much a second (a token bucket). A clock that is set back adds nothing. */
class Allowance {
  readonly #perMs: number
  readonly #max: number
  #left: number
  #at: number | undefined

  constructor(perSecond: number, max: number) {
    this.#perMs = perSecond / 1_000
    this.#max = max
    this.#left = max
  }

  take(count: number, now: number): boolean {
    if (this.#at !== undefined && now > this.#at) {
      this.#left = Math.min(this.#max, this.#left + (now - this.#at) * this.#perMs)
    }
    this.#at = now
    this.#left -= count
    return this.#left >= 0
  }
}

/** Bytes of a frame's payload. */
export function bytesOf(message: string | Uint8Array): number {
  return typeof message === 'string' ? Buffer.byteLength(message) : message.byteLength
}
