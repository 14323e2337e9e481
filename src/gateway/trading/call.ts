/**
 * What an endpoint gets to answer a request: everything that was checked before it is here, checked.
 */
import type { Command } from '../../core/exchange/command.ts'
import type { Reply } from '../../core/exchange/reply.ts'
import type { AddressBan } from '../../core/registry/records.ts'
import { EngineFault, type EnginePort, type HistoryPort } from '../../engine/ports.ts'
import type { AccountId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { MarketData } from '../../views/market-data.ts'
import { type Language, pickLanguage } from '../../wire/language.ts'
import type { AddressLimits, AddressUse } from '../access/limits/address-limits.ts'
import type { OrderCount, OrderLimits } from '../access/limits/order-limits.ts'
import type { Logger } from '../common/logger.ts'
import type { Parameters } from '../common/parameters.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { refusalDetail } from '../description/refusal-detail.ts'
import type { LongAnswer } from './long-answer.ts'
import type { WorkLane } from './work-lane.ts'

/** The body of a success (HTTP 200), whole, kept for many requests, or in slices; or a refusal. */
export type Answer = string | Blob | LongAnswer | Refusal

/** What the doors work with once the exchange runs. */
export type Services = {
  readonly engine: EnginePort
  readonly history: HistoryPort
  readonly market: MarketData
  /** Whom operators have banned, by the key that limits are counted by. */
  readonly banByAddress: ReadonlyMap<string, AddressBan>
}

export type CallOptions = {
  readonly services: Services
  readonly parameters: Parameters
  readonly accountId: AccountId | undefined
  readonly now: TimeMs
  readonly acceptLanguage: string | null
  /** The request's name in the log. */
  readonly requestId: string
  readonly logger: Logger
  readonly addressLimits: AddressLimits
  readonly orderLimits: OrderLimits
  /** Where long answers are made. */
  readonly lane: WorkLane
  /** What the address is counted by, and what it has used. */
  readonly limitKey: string
  readonly use: AddressUse
}

/** One request on its way through an endpoint. */
export class Call {
  readonly services: Services
  readonly parameters: Parameters
  readonly now: TimeMs
  /** Set when an order was counted: what the answer's headers say. */
  orderCounts: readonly OrderCount[] = []
  readonly #options: CallOptions

  constructor(options: CallOptions) {
    this.services = options.services
    this.parameters = options.parameters
    this.now = options.now
    this.#options = options
  }

  get language(): Language {
    return pickLanguage(this.#options.acceptLanguage)
  }

  /** The key's account; endpoints without security have none and never ask. */
  get accountId(): AccountId {
    const { accountId } = this.#options
    invariant(accountId !== undefined, 'an endpoint without security asked for an account')
    return accountId
  }

  /** Takes weight beyond the endpoint's own. */
  charge(weight: number): Refusal | undefined {
    const { addressLimits, limitKey, use, now } = this.#options
    return addressLimits.charge(limitKey, use, weight, now)
  }

  /** Takes the weight of what the answer turns out to hold. */
  chargeRows(weight: number): Refusal | undefined {
    const { addressLimits, limitKey, use, now } = this.#options
    return addressLimits.chargeRows(limitKey, use, weight, now)
  }

  /** Where long answers are made. */
  get lane(): WorkLane {
    return this.#options.lane
  }

  /** Counts one order against the account's limits. */
  takeOrder(): Refusal | undefined {
    const { addressLimits, orderLimits, limitKey, use, now } = this.#options
    const counts = orderLimits.take(this.accountId, now)
    if (counts instanceof Refusal) return addressLimits.noteRefusal(limitKey, use, now) ?? counts
    this.orderCounts = counts
    return undefined
  }

  /**
   * Hands a command to the engine and words its reply. From the moment of handing over, an error that does not
   * say "certainly not done" means that nobody knows: the answer is OUTCOME_UNKNOWN, never "internal error".
   */
  async submit(
    command: Command,
    word: (reply: Exclude<Reply, { kind: 'Refused' }>) => string,
  ): Promise<Answer> {
    try {
      const reply = await this.services.engine.submit(command)
      return reply.kind === 'Refused' ? this.#coreRefusal(command, reply.reason) : word(reply)
    } catch (error) {
      if (error instanceof EngineFault) return refuse(error.kind, {})
      const { logger, requestId } = this.#options
      logger.error({ err: error, command: command.kind, requestId }, 'a command has no confirmed result')
      return refuse('OUTCOME_UNKNOWN', {})
    }
  }

  #coreRefusal(command: Command, reason: Extract<Reply, { kind: 'Refused' }>['reason']): Refusal {
    const { logger, requestId } = this.#options
    if (reason === 'INTERNAL_ERROR')
      logger.error({ requestId, command: command.kind }, 'a command is quarantined')
    const detail = refusalDetail(reason, command, this.services.market)
    return refuse(reason, { id: requestId, detail })
  }
}
