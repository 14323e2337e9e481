/**
 * A call that came over a stream connection. If its operation ends with a command, the answer is formatted in
 * the turn in which the reply arrives, without a promise: with a thousand orders in flight, promises cost
 * most (`npm run bench -- order-entry`).
 */

import type { AccountLimits } from '../../contract/api/account-limits.ts'
import type { Language } from '../../contract/language.ts'
import type { RequestId } from '../../contract/stream/stream.ts'
import type { Command } from '../../core/commands/command.ts'
import type { Reply } from '../../core/questions/reply.ts'
import type { ReplyReceiver } from '../../engine/port/ports.ts'
import { invariant } from '../../units/invariant.ts'
import { JsonWriter } from '../../units/json-writer.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { KeyOrders } from '../access/auth/session-keys.ts'
import {
  type Caller,
  type CallLimits,
  charge,
  chargeRows,
  giveBackOrder,
  limitUses,
  readInTurn,
  refuseOrders,
  takeOrders,
} from '../access/limits/call-limits.ts'
import type { Parameters } from '../common/parameters.ts'
import type { Refusal } from '../common/refusal.ts'
import { Call, type CallOptions, UNDER_WAY, type Wording } from '../trading/call.ts'

/** Present if a transport itself can acknowledge a message to its sender. */
export type Acknowledge = (answerJson: string) => void

/** The message that contained a call. */
export type Asked = {
  readonly id: RequestId
  readonly name: string
  readonly acknowledge: Acknowledge | undefined
  /** Milliseconds since an arbitrary time. */
  readonly startMs: number
  /** The answer repeats an earlier one. */
  isRepeat: boolean
  /** Undefined if they could not be read, or have not been read. */
  parameters: Parameters | undefined
}

/**
 * The answer to a request: the body of a success as JSON, valid in its writer until the next answer; or a
 * refusal.
 */
export type EntryAnswer = string | JsonWriter | Refusal

/** Formats the replies, each in the turn in which it arrives. */
const BODY = new JsonWriter()

export type EntryCallOptions = CallOptions & {
  readonly asked: Asked
  readonly caller: Caller
  readonly limits: CallLimits
  /** The orders of a customer's session key; undefined for any other key. */
  readonly keyOrders: KeyOrders | undefined
  readonly language: Language
  /** Called once with the answer; must not throw. */
  readonly answered: (asked: Asked, answer: EntryAnswer) => void
}

export class EntryCall extends Call implements ReplyReceiver {
  readonly #entry: EntryCallOptions
  #command: Command | undefined
  #word: Wording | undefined
  #ordersTaken = 0
  #orderCharge: OrderCharge | undefined

  constructor(options: EntryCallOptions) {
    super(options)
    this.#entry = options
  }

  override get language(): Language {
    return this.#entry.language
  }

  override charge(weight: number): Refusal | undefined {
    return charge(this.#entry.limits, this.#entry.caller, weight)
  }

  override readInTurn<T>(read: () => Promise<T>): Promise<T> | Refusal {
    return readInTurn(this.#entry.limits, this.#entry.caller, read)
  }

  override chargeRows(weight: number): Refusal | undefined {
    return chargeRows(this.#entry.limits, this.#entry.caller, weight)
  }

  override hasOrdersLeft(): boolean {
    const { limits, caller } = this.#entry
    return limits.orders.hasLeft(this.accountId, caller.now)
  }

  override takeOrders(count: number): Refusal | undefined {
    const { limits, caller, keyOrders } = this.#entry
    const refusal = takeOrders(limits, caller, this.accountId, count, keyOrders)
    if (refusal !== undefined) return refusal
    this.#ordersTaken = count
    this.#orderCharge = this.#entry.limits.orders.chargeOf(this.accountId, this.#entry.caller.now, count)
    return undefined
  }

  override get orderCharge(): OrderCharge | undefined {
    return this.#orderCharge
  }

  override ordersRefused(): Refusal {
    return refuseOrders(this.#entry.limits, this.#entry.caller, this.accountId, this.#ordersTaken)
  }

  override noteRepeat(): void {
    this.#entry.asked.isRepeat = true
    if (this.#ordersTaken > 0) giveBackOrder(this.#entry.limits, this.#entry.caller, this.accountId)
  }

  override limitUses(): Omit<AccountLimits, 'openOrders'> {
    return limitUses(this.#entry.limits, this.#entry.caller, this.accountId)
  }

  override handOver(command: Command, word: Wording): typeof UNDER_WAY {
    this.#command = command
    this.#word = word
    this.services.engine.hand(command, this, this.deadlineOf(command), this.#orderCharge)
    return UNDER_WAY
  }

  replied(reply: Reply): void {
    const command = this.#command
    const word = this.#word
    invariant(
      command !== undefined && word !== undefined,
      'a reply arrived for a request that was not handed over',
    )
    BODY.reset()
    let answer: EntryAnswer
    try {
      answer = this.worded(command, reply, word, BODY) ?? BODY
    } catch (error) {
      answer = this.unconfirmed(command, error)
    }
    this.#answer(answer)
  }

  failed(fault: unknown): void {
    invariant(this.#command !== undefined, 'a request that was not handed over failed')
    this.#answer(this.unconfirmed(this.#command, fault))
  }

  #answer(answer: EntryAnswer): void {
    this.#entry.answered(this.#entry.asked, answer)
  }
}
