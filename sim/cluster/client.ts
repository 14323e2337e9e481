/**
 * A trader that records everything sent and answered. If the outcome of an order is unknown, the trader sends
 * the same order again under the same client order id.
 */
import type { Command } from '../../src/core/commands/command.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import { writeFrame } from '../../src/engine/port/frames.ts'
import { ByteWriter } from '../../src/units/bytes.ts'
import type { AccountId, SymbolId } from '../../src/units/ids.ts'
import type { Lots, Price } from '../../src/units/quantities.ts'
import type { Random } from '../world/random.ts'
import { FOREVER, type Schedule } from '../world/schedule.ts'
import type { Checker } from './checker.ts'
import type { Gateway } from './gateway.ts'
import type { Outcome } from './messages.ts'

/** Everything that was sent in one form, and its outcomes. */
export type Sent = {
  readonly command: Command
  /** Number of times that it was sent, and number of times that it was certainly not done. */
  tries: number
  notDone: number
  readonly replies: Reply[]
}

export type ClientParts = {
  readonly schedule: Schedule
  readonly random: Random
  readonly gateways: readonly Gateway[]
  readonly checker: Checker
  readonly count: (cell: string) => void
  /** Share of the actions that read. */
  readonly reads: number
}

const PRICE_MIDDLE = 1_000
const QUANTITY_MAX = 9
/** Orders up to this quantity crash no machine. */
const SAFE_QUANTITY_MAX = 7
/** An order is given up if its outcome is still unknown after this number of attempts. */
const TRIES_MAX = 12

export class Client {
  readonly #name: string
  readonly #accountId: AccountId
  readonly #parts: ClientParts
  /** By the bytes of the command. */
  readonly sent = new Map<string, Sent>()
  readonly #placed: PlaceOrder[] = []
  #number = 0

  constructor(name: string, accountId: AccountId, parts: ClientParts) {
    this.#name = name
    this.#accountId = accountId
    this.#parts = parts
  }

  /** Carries out one action of a trader; resolves when its outcome is known, for certain or not. */
  async act(): Promise<void> {
    const { random, reads } = this.#parts
    const dice = random.below(10)
    if (random.chance(reads)) await this.read()
    else if (dice < 3 && this.#placed.length > 0) await this.send(this.#cancel())
    else if (dice < 5 && this.#placed.length > 0) await this.#again(random.pick(this.#placed))
    else await this.#again(this.#order())
  }

  /** After the last fault: an order and a reading, which must both be answered. */
  async last(): Promise<void> {
    await this.insist(this.#order(SAFE_QUANTITY_MAX))
    while ((await this.read()).kind !== 'STATE') await this.#pause(50)
  }

  /** Sends the order until its outcome is known, or gives up. */
  async #again(order: PlaceOrder): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      if ((await this.send(order)).kind === 'REPLY') return
      await this.#pause(this.#parts.random.between(50, 400))
    }
  }

  /** Sends a command until it is answered: used to set the exchange up. */
  async insist(command: Command): Promise<Reply> {
    for (;;) {
      const outcome = await this.send(command)
      if (outcome.kind === 'REPLY') return outcome.reply
      await this.#pause(50)
    }
  }

  async send(command: Command): Promise<Outcome> {
    const { gateways, random, checker, count } = this.#parts
    const writer = new ByteWriter(128)
    writeFrame(writer, command)
    const frame = writer.take()
    const key = Buffer.from(frame).toString('hex')
    const sent = this.sent.get(key) ?? { command, tries: 0, notDone: 0, replies: [] }
    this.sent.set(key, sent)
    sent.tries++
    const outcome = await random.pick(gateways).ask({ command, frame })
    if (outcome.kind === 'REPLY') {
      sent.replies.push(outcome.reply)
      checker.answered(outcome.mark)
      count(`answer ${outcome.reply.kind}`)
    } else if (outcome.kind === 'NOT_DONE') {
      sent.notDone++
      count(`answer ${outcome.fault}`)
    } else count(`answer ${outcome.kind}`)
    return outcome
  }

  async read(): Promise<Outcome> {
    const { gateways, random, checker, count } = this.#parts
    const floor = checker.answeredSeq
    const outcome = await random.pick(gateways).ask({ accountId: this.#accountId })
    if (outcome.kind === 'STATE') {
      checker.read(this.#name, floor, outcome.state.seq)
      count('read')
    }
    return outcome
  }

  #order(quantityMax = QUANTITY_MAX): PlaceOrder {
    const { random } = this.#parts
    const order: PlaceOrder = {
      kind: 'PlaceOrder',
      accountId: this.#accountId,
      symbolId: 0 as SymbolId,
      selfTradeMode: undefined,
      clientOrderId: `${this.#name}-${++this.#number}`,
      type: 'LIMIT',
      side: random.chance(0.5) ? 'BUY' : 'SELL',
      timeInForce: 'GTC',
      price: (PRICE_MIDDLE + random.between(-20, 20)) as Price,
      quantity: random.between(1, quantityMax) as Lots,
      total: undefined,
    }
    this.#placed.push(order)
    return order
  }

  #cancel(): Command {
    const order = this.#parts.random.pick(this.#placed)
    const clientOrderId = order.clientOrderId as string
    return { kind: 'CancelClientOrder', accountId: this.#accountId, clientOrderId }
  }

  #pause(delayMs: number): Promise<void> {
    return this.#parts.schedule.sleep(delayMs, FOREVER)
  }
}
