/**
 * Tracks the sessions of a gateway's connections from its requests. A lost gateway cannot end them, so the
 * engine's end of the link does (docs/reference/order-entry.md#cancel-on-disconnect).
 */
import type { Command } from '../../../core/commands/command.ts'
import type { DisconnectSession } from '../../../core/commands/sessions.ts'
import type { Reply } from '../../../core/questions/reply.ts'
import { EngineFault } from '../../../engine/port/fault.ts'
import type { EnginePort } from '../../../engine/port/ports.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import type { SessionNumber } from '../../../units/ids.ts'

/** Interval of retries while the engine has no room. */
const AGAIN_MS = 1_000

export class LinkSessions {
  readonly #engine: EnginePort
  readonly #scheduler: Scheduler
  readonly #attachments = new Map<SessionNumber, number>()
  #isLost = false

  constructor(engine: EnginePort, scheduler: Scheduler) {
    this.#engine = engine
    this.#scheduler = scheduler
  }

  /** Must be called with each reply to a command of the gateway, including replies after its loss. */
  replied(command: Command, reply: Reply): void {
    if (reply.kind === 'SessionOpened') {
      const { sessionNumber, attachment } = reply
      if (this.#isLost) this.#disconnect({ kind: 'DisconnectSession', sessionNumber, attachment })
      else this.#attachments.set(sessionNumber, attachment)
    } else if (command.kind === 'DisconnectSession') {
      const { sessionNumber, attachment } = command
      if (this.#attachments.get(sessionNumber) === attachment) this.#attachments.delete(sessionNumber)
    }
  }

  /**
   * Called when the reply to a command that opens a session arrives after its outcome was reported as
   * unknown: no connection has the session.
   */
  openedLate(reply: Reply): void {
    if (reply.kind !== 'SessionOpened') return
    const { sessionNumber, attachment } = reply
    this.#disconnect({ kind: 'DisconnectSession', sessionNumber, attachment })
  }

  /** Called when the gateway is lost, with all of its connections. */
  lost(): void {
    this.#isLost = true
    for (const [sessionNumber, attachment] of this.#attachments)
      this.#disconnect({ kind: 'DisconnectSession', sessionNumber, attachment })
    this.#attachments.clear()
  }

  /** If the engine stops, the start of the next engine ends all sessions. */
  #disconnect(command: DisconnectSession): void {
    this.#engine.hand(command, {
      replied: () => {},
      failed: (fault) => {
        const isFull =
          fault instanceof EngineFault && (fault.kind === 'OVERLOADED' || fault.kind === 'STORAGE_FULL')
        if (isFull) this.#scheduler.later(() => this.#disconnect(command), AGAIN_MS)
      },
    })
  }
}
