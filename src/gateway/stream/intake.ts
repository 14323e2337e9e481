/**
 * What one connection may send, and all of an address together: frames and bytes at a rate, each with a burst. Everything that the runtime hands over is
 * taken to the intake first, control frames too, and what it does not admit is not looked at. Whoever sends more is cut off.
 */
import type { AddressIntake } from './address-intakes.ts'
import { Allowance } from './allowance.ts'
import type { StreamConfig } from './config.ts'

export const CUT_CAUSES = ['FRAMES', 'BYTES', 'ADDRESS', 'PROTOCOL'] as const
/** Why a connection was cut off: too many frames, too many bytes, too much of either from all of its address, or what no client of the protocol sends. */
export type CutCause = (typeof CUT_CAUSES)[number]

/** No connection has been cut off. */
export function countsOfCuts(): Record<CutCause, number> {
  return { FRAMES: 0, BYTES: 0, ADDRESS: 0, PROTOCOL: 0 }
}

export type IntakeConfig = Pick<
  StreamConfig,
  'framesPerSecondMax' | 'framesBurstMax' | 'receivedBytesPerSecondMax' | 'receivedBytesBurstMax'
>

export type IntakeOptions = {
  readonly config: IntakeConfig
  /** What all connections of the address share; undefined: nothing. */
  readonly address?: AddressIntake | undefined
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
    else if (this.#options.address?.admits(bytes, frames, now) === false) this.cut('ADDRESS')
    return !this.#isCut
  }

  cut(cause: CutCause): void {
    if (this.#isCut) return
    this.#isCut = true
    this.#options.onCut(cause)
  }
}

/** Bytes of a frame's payload. */
export function bytesOf(message: string | Uint8Array): number {
  return typeof message === 'string' ? Buffer.byteLength(message) : message.byteLength
}
