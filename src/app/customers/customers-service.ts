/**
 * The work of a customers process, as a child of a node or on its own in a cluster. It compares its store
 * with the journal, then answers; it announces session keys, sends emails and repeats steps that the exchange
 * has not accepted yet. It is independent of how requests reach it.
 */
import { randomBytes } from 'node:crypto'
import type { CustomersLack } from '../../contract/admin/records.ts'
import {
  type CustomerAsked,
  type CustomersUse,
  OPERATORS_PATH,
} from '../../contract/customers/operator-questions.ts'
import { awayMessage, isAway } from '../../customers/away.ts'
import type { CustomersContext } from '../../customers/customers-context.ts'
import { DayLimits } from '../../customers/day-limits.ts'
import { Expiring } from '../../customers/expiring.ts'
import { Failures } from '../../customers/factors/failures.ts'
import { Passwords } from '../../customers/factors/passwords.ts'
import { StepUps } from '../../customers/factors/step-ups.ts'
import type { TotpOffer } from '../../customers/factors/totp.ts'
import { endRests } from '../../customers/freezes/rests.ts'
import { FreezeTurns } from '../../customers/freezes/turns.ts'
import { answer } from '../../customers/http/answer.ts'
import { AskedMails } from '../../customers/mail/asked-mails.ts'
import { MailSender } from '../../customers/mail/mail-sender.ts'
import { mailOf } from '../../customers/mail/mail-texts.ts'
import { phraseOf } from '../../customers/mail/phrase.ts'
import { newToken } from '../../customers/names.ts'
import { NobodysKeys } from '../../customers/nobodys-keys.ts'
import { answerOperator } from '../../customers/operators/answer-operator.ts'
import { changeDueMails } from '../../customers/operators/resetting.ts'
import { compareTrail, journalHeadOfDay } from '../../customers/operators/trail.ts'
import { Challenges } from '../../customers/people/challenges.ts'
import { compareWithJournal, journalAllChanges } from '../../customers/people/journal-marks.ts'
import { Openings } from '../../customers/people/openings.ts'
import { type ExchangeAccess, ExchangeFault } from '../../customers/ports.ts'
import { KeyAnnouncer } from '../../customers/sessions/key-announcer.ts'
import { type ChangePage, readAsked, writePage } from '../../customers/store/copying/page.ts'
import type { Store } from '../../customers/store/store.ts'
import { sweep } from '../../customers/sweep.ts'
import type { CustomersConfig } from '../../customers/terms.ts'
import type { Logger } from '../../server/common/logger.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import { BytesFault } from '../../units/bytes.ts'
import { guarded } from '../../units/guarded.ts'
import { faultsOf } from '../process/background.ts'
import { ADDRESS_HEADER, CHANGES_PATH, HAS_ALL_HEADER, MAILS_PATH } from './order.ts'
import { PASSWORD_COST, passwordHash } from './password-hash.ts'
import { RepeatedSteps, type Step } from './repeated-steps.ts'
import { type SmtpSettings, SmtpTransport } from './smtp-transport.ts'

const SWEEP_MS = 60_000
/** The delay before a request that the exchange did not answer is repeated. */
const TELL_AGAIN_MS = 1_000
const MAILS_MAX = 100
/** Maximum number of accounts named in one log message. */
const NAMED_MAX = 20

export type CustomersServiceOptions = {
  readonly config: CustomersConfig
  readonly store: Store
  readonly exchange: ExchangeAccess
  /**
   * Identifies the memory that has the session keys: if it changes, all keys are announced again. Rejects
   * with `ExchangeFault`.
   */
  readonly lead: () => Promise<string>
  /** Undefined if no email is sent. */
  readonly mail: SmtpSettings | undefined
  readonly log: Logger
  /** Accepts requests from now on: the store has been compared with the journal. */
  readonly listen: (service: CustomersService) => { stop(): Promise<void> }
}

export class CustomersService {
  readonly #log: Logger
  readonly #context: CustomersContext
  readonly #listen: CustomersServiceOptions['listen']
  readonly #lead: CustomersServiceOptions['lead']
  #server: { stop(): Promise<void> } | undefined
  /** Undefined if no emails are sent. */
  readonly #sender: MailSender | undefined
  readonly #timers: ReturnType<typeof setInterval>[]
  readonly #steps: RepeatedSteps
  /** Separate from the steps, so that a long trail delays none of them. */
  readonly #comparison: RepeatedSteps
  #isComparing = false
  #isCompared = false
  /** Aborted when the process stops. */
  readonly #gone = new AbortController()
  /** The identity of the memory that has every existing key; undefined if none has. */
  #announcedTo: string | undefined
  #isGoingOn = false
  /** Consecutive attempts that the exchange or the store did not answer. */
  #unanswered = 0
  #lack: CustomersLack | undefined

  constructor(options: CustomersServiceOptions) {
    const { log, mail, listen, lead } = options
    this.#log = log
    this.#listen = listen
    this.#lead = lead
    this.#context = contextOf(options)
    const { store, config, world } = this.#context
    this.#steps = new RepeatedSteps(this.#stepsOf(this.#context), world)
    const compare = { name: 'comparing the trail with the journal', run: () => this.#compareOnce() }
    this.#comparison = new RepeatedSteps([compare], world)
    if (mail !== undefined) this.#sender = new MailSender(store, new SmtpTransport(mail), { config, world })
    this.#timers = [
      setInterval(
        guarded(() => this.#sweep(), faultsOf(log, 'removing ended rows')),
        SWEEP_MS,
      ),
      setInterval(
        guarded(() => void this.#goOn(), faultsOf(log, 'announcing session keys')),
        TELL_AGAIN_MS,
      ),
      setInterval(
        guarded(() => this.#mail(), faultsOf(log, 'sending emails')),
        TELL_AGAIN_MS,
      ),
      setInterval(
        guarded(() => this.#compare(), faultsOf(log, 'comparing the trail with the journal')),
        TELL_AGAIN_MS,
      ),
    ]
    void this.#goOn()
  }

  /** Whether the process answers requests. */
  get isOpen(): boolean {
    return this.#server !== undefined
  }

  /** The services that did not answer when they were last needed, at most a few seconds ago. */
  get lacks(): readonly CustomersLack[] {
    return this.#lack === undefined ? [] : [this.#lack]
  }

  /** A request of a customer, as a gateway passes it on. */
  async answerCustomer(request: Request): Promise<Response> {
    const { headers, method } = request
    const body = await request.bytes()
    const address = headers.get(ADDRESS_HEADER) ?? ''
    return answer(this.#context, { method, path: new URL(request.url).pathname, headers, body, address })
  }

  /** A query of operators, whose path begins with `OPERATORS_PATH`. */
  async answerExchange(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === MAILS_PATH) return this.#mails()
    const body = await request.bytes()
    return pathname === CHANGES_PATH ? this.#changes(body) : this.#operators(pathname, body)
  }

  /** For metrics. */
  async use(): Promise<CustomersUse | undefined> {
    try {
      const answer = await answerOperator(this.#context, 'use', { by: 'metrics', request: {} })
      return answer?.ok === true ? (answer.result as CustomersUse) : undefined
    } catch (cause) {
      if (isAway(cause)) return undefined
      throw cause
    }
  }

  async #operators(pathname: string, body: Uint8Array): Promise<Response> {
    const asked = parseJson(new TextDecoder().decode(body), DOCUMENT_JSON) as CustomerAsked
    try {
      const found = await answerOperator(this.#context, pathname.slice(OPERATORS_PATH.length), asked)
      return found === undefined ? new Response(null, { status: 404 }) : Response.json(found)
    } catch (cause) {
      if (!isAway(cause)) throw cause
      this.#log.warn({ problem: cause.message }, awayMessage(cause))
      return new Response(null, { status: 503 })
    }
  }

  #changes(asked: Uint8Array): Response {
    const { store, world } = this.#context
    if (store.changes === undefined) return new Response(null, { status: 404 })
    let page: ChangePage
    try {
      page = store.changes.page(readAsked(asked), world.now())
    } catch (cause) {
      if (cause instanceof BytesFault) return new Response(null, { status: 400 })
      throw cause
    }
    const hasAll = page.isEnd && page.rows.length === 0 ? '1' : '0'
    return new Response(writePage(page), { headers: { [HAS_ALL_HEADER]: hasAll } })
  }

  /** If the store does not answer now, it is swept and its emails are sent at the next interval. */
  #sweep(): void {
    try {
      sweep(this.#context)
      // Before the comparison with the journal it is not known whether the store is an older copy.
      const count = this.isOpen ? this.#context.nobodysKeys.sweep() : 0
      if (count > 0) this.#log.info({ count }, 'keys left by interrupted removals were destroyed')
    } catch (cause) {
      if (!isAway(cause)) throw cause
    }
  }

  #mail(): void {
    try {
      this.#context.askedMails.write()
    } catch (cause) {
      if (!isAway(cause)) throw cause
      return
    }
    this.#sender?.sendDue().catch((cause: unknown) => {
      if (!isAway(cause)) throw cause
    })
  }

  #mails(): Response {
    const { store, config, askedMails } = this.#context
    askedMails.write()
    if (!config.isSandbox) return new Response(null, { status: 404 })
    const mails = store.records.mails(MAILS_MAX).map((mail) => ({
      at: new Date(mail.at_ms).toISOString(),
      kind: mail.kind,
      to: mail.to,
      ...mailOf(mail, config, { phrase: phraseOf(store, mail) }),
    }))
    return new Response(JSON.stringify(mails))
  }

  /**
   * Repeats until every pending account is opened and the exchange has received every key and every ended
   * key.
   */
  async #goOn(): Promise<void> {
    if (this.#isGoingOn) return
    this.#isGoingOn = true
    try {
      this.#context.store.records.flush()
      if (this.#server === undefined) await this.#open()
      await this.#steps.run()
      this.#unanswered = 0
      this.#lack = undefined
    } catch (cause) {
      if (!isAway(cause)) throw cause
      this.#lack = cause instanceof ExchangeFault ? 'EXCHANGE' : 'STORE'
      // A single failure is normal while the node starts or stops.
      if (++this.#unanswered === 2) this.#log.warn({ problem: cause.message }, awayMessage(cause))
    } finally {
      this.#isGoingOn = false
    }
  }

  /** Runs once, after the process has begun to answer. */
  async #compare(): Promise<void> {
    if (this.#server === undefined || this.#isComparing || this.#isCompared) return
    this.#isComparing = true
    try {
      await this.#comparison.run()
    } catch (cause) {
      // While the exchange or the store does not answer, the steps report it.
      if (!isAway(cause) && !this.#gone.signal.aborted) throw cause
    } finally {
      this.#isComparing = false
    }
  }

  async #compareOnce(): Promise<void> {
    await compareTrail(this.#context, this.#gone.signal)
    this.#isCompared = true
  }

  #stepsOf(context: CustomersContext): readonly Step[] {
    const { announcer, openings } = context
    const announceAll = async (): Promise<void> => {
      const lead = await this.#lead()
      if (this.#announcedTo === lead) return
      await announcer.announceAll()
      this.#announcedTo = lead
    }
    return [
      { name: 'announcing session keys', run: announceAll },
      { name: 'announcing ended keys', run: () => announcer.announceEnded() },
      { name: 'opening accounts', run: () => openings.goOn() },
      { name: 'allowing withdrawals again', run: () => endRests(context) },
      { name: 'changing email addresses', run: () => changeDueMails(context) },
      { name: 'journaling the head of the trail', run: () => journalHeadOfDay(context) },
      { name: 'journaling changes', run: () => journalAllChanges(context) },
    ]
  }

  /** Compares the store with the journal, then answers. */
  async #open(): Promise<void> {
    const { erased, old, unknown } = await compareWithJournal(this.#context)
    this.#context.found.missing = unknown.length
    this.#context.found.old = old.length
    if (erased > 0) this.#log.warn({ erased }, 'customers whose erasure is journaled were erased here too')
    if (old.length > 0)
      this.#log.error(
        named(old),
        'the customer store is older than the journal: these customers cannot sign in',
      )
    if (unknown.length > 0)
      this.#log.error(named(unknown), 'the customer store lacks customers that are in the journal')
    this.#server = this.#listen(this)
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#gone.abort()
    await this.#server?.stop()
    try {
      this.#context.askedMails.write()
    } catch (cause) {
      if (!isAway(cause)) throw cause
    }
    this.#context.store.close()
  }
}

function named(accounts: readonly string[]) {
  return { count: accounts.length, accounts: accounts.slice(0, NAMED_MAX) }
}

/** The random source of a process. */
export function randomOf(size: number): Uint8Array {
  return new Uint8Array(randomBytes(size))
}

function contextOf({ store, exchange, config, log }: CustomersServiceOptions): CustomersContext {
  const world = {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    randomBytes: randomOf,
    log,
  }
  const found = { missing: 0, old: 0, trailDiffers: 0 }
  return {
    config,
    world,
    store,
    exchange,
    challenges: new Challenges(world),
    stepUps: new StepUps(world),
    passwords: new Passwords(passwordHash(PASSWORD_COST), () => newToken(world.randomBytes)),
    failures: new Failures(world, store),
    totpOffers: new Expiring<TotpOffer>(world),
    openings: new Openings(store, exchange),
    announcer: new KeyAnnouncer(store, exchange, world),
    turns: new FreezeTurns({ store, world, process: config.processName }),
    dayLimits: new DayLimits(world),
    found,
    askedMails: new AskedMails({ store, world }),
    nobodysKeys: new NobodysKeys({ store, world, found }),
  }
}
