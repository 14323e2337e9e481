/**
 * One request during its operation, with everything that was checked before. The transport determines how it
 * was received, and how its limits are counted.
 */

import type { AccountLimits } from '../../contract/api/account-limits.ts'
import type { Language } from '../../contract/language.ts'
import { isReason } from '../../contract/reasons/catalogue.ts'
import { type Command, type CommandKind, isPlacement } from '../../core/commands/command.ts'
import type { Reply } from '../../core/questions/reply.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import type { AccountId, KeyNumber, SessionNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { JsonWriter } from '../../units/json-writer.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { Clock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import type { Parameters } from '../common/parameters.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import { nearestValue } from '../description/nearest-value.ts'
import { secondsUntilTaken } from '../description/phase-wait.ts'
import { refusalDetail } from '../description/refusal-detail.ts'
import { isOfInterface } from './common-interface.ts'
import type { CsvAnswer } from './csv-answer.ts'
import type { LongAnswer } from './long-answer.ts'
import type { Services } from './services.ts'
import type { WorkLane } from './work-lane.ts'

/** The body of a success: as text, cached for many requests, in slices, or as a table; or a refusal. */
export type Answer = string | Blob | LongAnswer | CsvAnswer | Refusal

/** Instead of an answer: the call receives the reply to its command, and answers then. */
export const UNDER_WAY = Symbol('under way')

/** The result of an operation. */
export type Outcome = Answer | typeof UNDER_WAY | Promise<Answer>

/** A reply that is not a refusal. */
export type Done = Exclude<Reply, { kind: 'Refused' }>

/** Writes the body of the answer for such a reply, as JSON. */
export type Wording = (reply: Done, body: JsonWriter) => void

/** The buffer for a body that is sent as text: its content is read in the turn in which it was written. */
const BODY = new JsonWriter()

/** The time at which a request was sent, and the last time at which it may take effect. */
export type RequestWindow = {
  readonly sentAt: TimeMs
  readonly until: TimeMs
  /** Whether the window ends at a deadline given in the request. */
  readonly isDeadline?: boolean
}

/** Requests, besides those that place orders, that take effect only until the end of their window. */
const TIMED: ReadonlySet<CommandKind> = new Set<CommandKind>([
  'AmendOrder',
  'SetCountdown',
  'AskWithdrawal',
  'SetOwnAddress',
])

export type CallOptions = {
  readonly services: Services
  readonly parameters: Parameters
  /** The authorized account; undefined if the operation needs none. */
  readonly accountId: AccountId | undefined
  readonly clock: Clock
  readonly window: RequestWindow | undefined
  /** The request's name in the log; a function creates it on demand. */
  readonly requestId: string | (() => string)
  readonly logger: Logger
  /** The lane in which long answers are produced. */
  readonly lane: WorkLane
  /** The number of the authorized key; undefined if it has none. */
  readonly keyNumber?: KeyNumber | undefined
  /** The session that placed orders belong to; undefined if there is none. */
  readonly sessionNumber?: SessionNumber | undefined
  /** Whether a MARKET BUY may specify only its quantity; if absent, it needs a total. */
  readonly buysByQuantity?: boolean
}

export abstract class Call {
  readonly services: Services
  readonly parameters: Parameters
  readonly #options: CallOptions
  #requestId: string | undefined

  constructor(options: CallOptions) {
    this.services = options.services
    this.parameters = options.parameters
    this.#options = options
  }

  /** The language of the answer's messages. */
  abstract get language(): Language

  /** Charges weight beyond the operation's own. */
  abstract charge(weight: number): Refusal | undefined

  /** Charges the weight of the actual content of the answer. */
  abstract chargeRows(weight: number): Refusal | undefined

  /** Whether the account's limits allow this number of further orders now; undefined means one. */
  abstract hasOrdersLeft(count?: number): boolean

  /** Counts the orders against the account's limits: all of them, or none if they do not all fit. */
  abstract takeOrders(count: number): Refusal | undefined

  /**
   * Counts that the commands of accepted orders contain; undefined if the orders were counted already, or
   * there are none.
   */
  abstract get orderCharge(): OrderCharge | undefined

  /** The accepted orders turned out to be too many at the place that counts the orders of all gateways. */
  abstract ordersRefused(): Refusal

  /** Called when the order had already been placed: it does not count, and its answer is marked. */
  abstract noteRepeat(): void

  /**
   * Reads a long answer: at once, or when the transport gives it a turn; refused if too much is waiting
   * already. Rejects like `read` does.
   */
  readInTurn<T>(read: () => Promise<T>): Promise<T> | Refusal {
    return read()
  }

  /** Usage of the limits that the transport counts. */
  abstract limitUses(): Omit<AccountLimits, 'openOrders'>

  /** The authorized account; operations without security have none and never use this. */
  get accountId(): AccountId {
    const { accountId } = this.#options
    invariant(accountId !== undefined, 'an operation without security has no account')
    return accountId
  }

  /** The number of the authorized key, which is stored with placed orders; undefined if it has none. */
  get keyNumber(): KeyNumber | undefined {
    return this.#options.keyNumber
  }

  /**
   * The session with which placed orders end (docs/reference/order-entry.md#cancel-on-disconnect); undefined
   * if there is none.
   */
  get sessionNumber(): SessionNumber | undefined {
    return this.#options.sessionNumber
  }

  /** Whether a MARKET BUY may specify only its quantity. */
  get buysByQuantity(): boolean {
    return this.#options.buysByQuantity === true
  }

  /** The server's time, with which commands are dated. */
  get serverTime(): TimeMs {
    return this.#options.clock.now()
  }

  /** The lane in which long answers are produced. */
  get lane(): WorkLane {
    return this.#options.lane
  }

  /** The options of a call for the same request with other parameters: one operation among several. */
  optionsWith(parameters: Parameters): CallOptions {
    return { ...this.#options, parameters, requestId: this.#requestName() }
  }

  /**
   * Sends a command to the engine and turns its reply into the answer. From then on, an error that is not
   * "certainly not carried out" means that the outcome is unknown: the answer is OUTCOME_UNKNOWN, never
   * "internal error". `late` receives a reply that comes after that answer.
   */
  async submit(command: Command, word: Wording, late?: (reply: Reply) => void): Promise<string | Refusal> {
    try {
      return this.wordedText(command, await this.#replyTo(command, late), word)
    } catch (error) {
      return this.unconfirmed(command, error)
    }
  }

  #replyTo(command: Command, late?: (reply: Reply) => void): Promise<Reply> {
    const { engine } = this.services
    const deadline = this.deadlineOf(command)
    const { orderCharge } = this
    if (late === undefined) return engine.submit(command, deadline, orderCharge)
    return new Promise((replied, failed) =>
      engine.hand(command, { replied, failed, late }, deadline, orderCharge),
    )
  }

  /** Like `submit`, for the last action of an operation: with one promise, which a transport may avoid. */
  handOver(command: Command, word: Wording): Outcome {
    return new Promise((resolve) => this.handTo(resolve, command, word))
  }

  /**
   * Hands a command to the engine; `answered` is called once, in the turn in which its reply comes or before
   * this returns.
   */
  protected handTo(answered: (answer: string | Refusal) => void, command: Command, word: Wording): void {
    const receiver = {
      replied: (reply: Reply): void => answered(this.#answerOf(command, reply, word)),
      failed: (fault: unknown): void => answered(this.unconfirmed(command, fault)),
    }
    try {
      this.services.engine.hand(command, receiver, this.deadlineOf(command), this.orderCharge)
    } catch (error) {
      answered(this.unconfirmed(command, error))
    }
  }

  #answerOf(command: Command, reply: Reply, word: Wording): string | Refusal {
    try {
      return this.wordedText(command, reply, word)
    } catch (error) {
      return this.unconfirmed(command, error)
    }
  }

  /**
   * The time until which a command may take effect: for a new order, a replacement, an amendment, a
   * countdown, a withdrawal and an address, the end of the window in which it was signed. A cancel may come
   * late: while the clock is in doubt lateness cannot be determined, and cancels must work.
   */
  protected deadlineOf(command: Command): TimeMs | undefined {
    return isPlacement(command) || TIMED.has(command.kind) ? this.#options.window?.until : undefined
  }

  /** Writes the reply to a command as an answer; writes nothing for a refusal. */
  protected worded(command: Command, reply: Reply, word: Wording, body: JsonWriter): Refusal | undefined {
    if (reply.kind === 'Refused') return this.coreRefusal(command, reply.reason)
    word(reply, body)
    return undefined
  }

  /** The reply to a command as the text of an answer. */
  protected wordedText(command: Command, reply: Reply, word: Wording): string | Refusal {
    BODY.reset()
    return this.worded(command, reply, word, BODY) ?? BODY.take()
  }

  /** The answer to a command that has no reply, or whose reply could not be written. */
  protected unconfirmed(command: Command, error: unknown): Refusal {
    if (error instanceof EngineFault) {
      if (error.kind === 'DEADLINE_PASSED') return this.#late()
      return error.kind === 'ORDER_RATE_LIMITED' ? this.ordersRefused() : faultRefusal(error)
    }
    const requestId = this.#requestName()
    this.#options.logger.error(
      { err: error, command: command.kind, requestId },
      'a command has no confirmed result',
    )
    return refuse('OUTCOME_UNKNOWN', {})
  }

  /** The window was open when the request arrived, and has closed since. */
  #late(): Refusal {
    const { window } = this.#options
    invariant(window !== undefined, 'a request that is late must have a window')
    const { sentAt, until, isDeadline } = window
    const serverTimeMs = Math.max(this.serverTime, until + 1)
    if (isDeadline) return refuse('DEADLINE_OVER', { deadlineMs: until, serverTimeMs })
    return refuse('TIMESTAMP_EXPIRED', {
      skewMs: serverTimeMs - sentAt,
      serverTimeMs,
      recvWindowMs: until - sentAt,
    })
  }

  /**
   * The answer if an error occurred after a command was, or may have been, carried out: its result must be
   * looked up.
   */
  lost(error: unknown): Refusal {
    const requestId = this.#requestName()
    this.#options.logger.error({ err: error, requestId }, 'the outcome of a request could not be read')
    return refuse('OUTCOME_UNKNOWN', {})
  }

  #requestName(): string {
    const { requestId } = this.#options
    this.#requestId ??= typeof requestId === 'string' ? requestId : requestId()
    return this.#requestId
  }

  /**
   * The refusal in the form that the request may receive: without our additions if it uses only the common
   * interface.
   */
  shown(refusal: Refusal): Refusal {
    return isOfInterface(this.parameters) ? refusal.bare() : refusal
  }

  /** The core's refusal of a command as text, with the objects concerned. */
  coreRefusal(command: Command, reason: Extract<Reply, { kind: 'Refused' }>['reason']): Refusal {
    const requestId = this.#requestName()
    if (reason === 'INTERNAL_ERROR')
      this.#options.logger.error({ requestId, command: command.kind }, 'a command is quarantined')
    invariant(isReason(reason), `${reason} refuses only operators' commands, found for ${command.kind}`)
    const { market } = this.services
    const lastPrice = ({ id }: TradingSymbol) => market.recentTrades(id, 1)[0]?.price
    const view = { registry: market.registry, time: this.serverTime, lastPrice }
    const detail = refusalDetail(reason, command, view)
    const refusal = refuse(reason, { id: requestId, detail }).near(nearestValue(reason, command, view))
    return refusal.after(secondsUntilTaken(reason, command, view.registry.phases, view.time))
  }
}

/** The answer if the engine could not carry out a command or answer a question. */
export function faultRefusal({ kind }: EngineFault): Refusal {
  invariant(
    kind !== 'DEADLINE_PASSED' && kind !== 'ORDER_RATE_LIMITED',
    'only a command can be late or exceed the order limit',
  )
  return refuse(kind, {})
}
