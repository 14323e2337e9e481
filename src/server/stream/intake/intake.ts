/**
 * Intake limits of one connection, and of all connections of an address together: frames and bytes at a rate,
 * each with a burst. Everything that the runtime delivers passes here first, including control frames, and is
 * not processed unless admitted. A connection that sends more is closed.
 */

import type { StreamConfig } from '../config.ts'
import type { AddressIntake } from './address-intakes.ts'
import { Allowance } from './allowance.ts'

export const CUT_CAUSES = ['FRAMES', 'BYTES', 'ADDRESS', 'PROTOCOL'] as const
/**
 * The reason why a connection was cut off: too many frames, too many bytes or a frame that is too long, too
 * much of either from all connections of its address, or data that no client of the protocol sends.
 */
export type CutCause = (typeof CUT_CAUSES)[number]

/**
 * The close code of the runtime when it has ended a connection, with its reason; a client's own close frame
 * cannot have that code (RFC 6455, section 7.4.1).
 */
const ENDED_BY_RUNTIME = 1006
/**
 * Prefix of the runtime's reasons about received data. Other reasons are about idle time, and the end of the
 * connection itself.
 */
const WHAT_CAME = 'Received '
const TOO_LONG = 'Received too big message'

/**
 * The cause for which the runtime closed a connection because of the data it sent, from the code and reason;
 * undefined if there is none. The runtime reads frames before the program does, so frames that are too long
 * or invalid never reach the program.
 */
export function causeOfClose(code: number, reason: string): CutCause | undefined {
  if (code !== ENDED_BY_RUNTIME || !reason.startsWith(WHAT_CAME)) return undefined
  return reason === TOO_LONG ? 'BYTES' : 'PROTOCOL'
}

/** Counters of cut-off connections by cause, all at zero. */
export function countsOfCuts(): Record<CutCause, number> {
  return { FRAMES: 0, BYTES: 0, ADDRESS: 0, PROTOCOL: 0 }
}

export type IntakeConfig = Pick<
  StreamConfig,
  'framesPerSecondMax' | 'framesBurstMax' | 'receivedBytesPerSecondMax' | 'receivedBytesBurstMax'
>

export type IntakeOptions = {
  readonly config: IntakeConfig
  /** Limits shared by all connections of the address; undefined if there are none. */
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

  /** Counts frames with `bytes` of payload together; if it returns false, they must not be processed. */
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
