/**
 * Filter for Engine.IO packets of a client, before the engine receives them. The engine trusts its clients:
 * each probe of an upgrade starts a timer that nothing stops, each unsolicited heartbeat another one, and a
 * timer of an upgrade outlives its socket. So one probe and one upgrade are admitted per session, and a
 * heartbeat only as the answer to one.
 */
import { bytesOf, type CutCause, type Intake } from '../intake/intake.ts'

/** A heartbeat's answer in Engine.IO 4. */
const PONG = '3'
const PROBE = '2probe'
const UPGRADE = '5'
/** Between the packets of a polling body. */
export const SEPARATOR = '\u001e'

/** The stage of a session's only upgrade. */
type Upgrade = 'none' | 'opened' | 'probed' | 'done'

export class EngineIntake {
  readonly #intake: Intake
  #upgrade: Upgrade = 'none'
  #isPongDue = false

  constructor(intake: Intake) {
    this.#intake = intake
  }

  /** Called when the engine has sent a heartbeat. */
  pinged(): void {
    this.#isPongDue = true
  }

  /** Whether a WebSocket may be opened for an upgrade: only once in a session, as clients do. */
  startUpgrade(): boolean {
    if (this.#upgrade !== 'none' || this.#intake.isCut) return false
    this.#upgrade = 'opened'
    return true
  }

  get isCut(): boolean {
    return this.#intake.isCut
  }

  /** Ends the connection because the client violated the protocol. */
  cut(cause: CutCause): void {
    this.#intake.cut(cause)
  }

  /** Whether a request of a polling client that contains no packets is admitted. */
  admitsRequest(): boolean {
    return this.#intake.admits(0)
  }

  /** Whether a control frame of a WebSocket is admitted. */
  admitsControl(bytes: number): boolean {
    return this.#intake.admits(bytes)
  }

  /** Whether a frame on the WebSocket that the session uses is admitted. */
  admits(message: string | Uint8Array): boolean {
    return this.#intake.admits(bytesOf(message)) && this.#isAsked(message)
  }

  /** Whether a frame on the WebSocket that the session will use is admitted: a probe, then the upgrade. */
  admitsUpgrading(message: string | Uint8Array): boolean {
    if (!this.#intake.admits(bytesOf(message))) return false
    if (message === PROBE && this.#upgrade === 'opened') {
      this.#upgrade = 'probed'
      return true
    }
    if (message === UPGRADE && this.#upgrade === 'probed') {
      this.#upgrade = 'done'
      return true
    }
    this.#intake.cut('PROTOCOL')
    return false
  }

  /** The packets of a polling body without unsolicited heartbeats; undefined if the connection is closed. */
  admitted(body: string, packets: readonly string[]): readonly string[] | undefined {
    if (!this.#intake.admits(bytesOf(body), packets.length)) return undefined
    return packets.filter((packet) => this.#isAsked(packet))
  }

  /** False for an unsolicited heartbeat. */
  #isAsked(message: string | Uint8Array): boolean {
    if (typeof message !== 'string' || !message.startsWith(PONG)) return true
    const isDue = this.#isPongDue
    this.#isPongDue = false
    return isDue
  }
}
