/**
 * A gateway of the test's own: places orders with client order ids over a link to the leader, and records the
 * acknowledged ones. It repeats no order whose outcome is unknown.
 */

import { EngineFault } from '../../../src/engine/port/fault.ts'
import type { RememberedPlace } from '../../../src/engine/port/journal.ts'
import { limit } from '../../../src/engine/writer/commands.fixture.ts'
import { type Link, openLink } from '../../../src/transport/link/asking/link-client.ts'
import type { LinkAddress } from '../../../src/transport/link/protocol/link-address.ts'
import { until } from '../../support/until.ts'
import { LINK_SECRET } from './cluster-processes.ts'

/** Number of orders in flight at the same time. */
const LANES = 8

export class LoadClient {
  /** Acknowledged client order ids. */
  readonly acknowledged: string[] = []
  /** Client order ids of orders that were refused, or certainly not done. */
  readonly refused: string[] = []
  readonly unknown: string[] = []
  readonly #addresses: readonly LinkAddress[]
  #link: Link | undefined
  #remembered: RememberedPlace | undefined
  #isOver = false
  readonly #done: Promise<unknown>

  constructor(addresses: readonly LinkAddress[]) {
    this.#addresses = addresses
    const lanes = Array.from({ length: LANES }, (_, lane) => this.#trade(lane))
    this.#done = Promise.all([this.#keepLinked(), ...lanes])
  }

  /** Resolves once an order placed after the call is acknowledged. */
  async untilAcknowledged(): Promise<void> {
    const { length } = this.acknowledged
    // Orders in flight may still be answered.
    await until('orders are acknowledged', () => this.acknowledged.length > length + LANES)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#link?.close()
    await this.#done
  }

  async #keepLinked(): Promise<void> {
    while (!this.#isOver) {
      for (const address of this.#addresses) {
        if (this.#isOver) return
        const link = await openLink({
          ...{ address, secret: LINK_SECRET, name: 'load', remembered: this.#remembered },
          openTimeoutMs: 2_000,
          silenceMs: 2_000,
        }).catch(() => undefined)
        if (link === undefined) continue
        this.#link = link
        await link.lost
        const { journal } = link.welcome
        const confirmed = link.confirmed()
        if (confirmed !== undefined) this.#remembered = { ...confirmed, journal }
        this.#link = undefined
      }
      await Bun.sleep(10)
    }
  }

  /** Every order rests: no prices cross, so that each placed order is in the book at the end. */
  async #trade(lane: number): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const link = this.#link
      if (link === undefined) {
        await Bun.sleep(2)
        continue
      }
      const clientOrderId = `lane-${lane}-${i}`
      const order = { ...limit(3 + (i % 2), 'BUY', 100 + (i % 50), 10), clientOrderId }
      try {
        const reply = await link.engine.submit(order)
        if (reply.kind === 'OrderAccepted') this.acknowledged.push(clientOrderId)
        else this.refused.push(clientOrderId)
      } catch (cause) {
        const isUnknown = cause instanceof EngineFault && cause.kind === 'OUTCOME_UNKNOWN'
        ;(isUnknown ? this.unknown : this.refused).push(clientOrderId)
      }
    }
  }
}
