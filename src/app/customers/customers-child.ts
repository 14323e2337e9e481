/** The customers' process. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { type CustomerAsked, OPERATORS_PATH } from '../../contract/customers/operator-questions.ts'
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
import { answerOperator } from '../../customers/operators/answer-operator.ts'
import { changeDueMails } from '../../customers/operators/resetting.ts'
import { compareTrail, journalHeadOfDay } from '../../customers/operators/trail.ts'
import { Challenges } from '../../customers/people/challenges.ts'
import { compareWithJournal, journalAllChanges } from '../../customers/people/journal-marks.ts'
import { Openings } from '../../customers/people/openings.ts'
import { ExchangeFault } from '../../customers/ports.ts'
import { KeyTelling } from '../../customers/sessions/key-telling.ts'
import { type ChangePage, readAsked, writePage } from '../../customers/store/copying/page.ts'
import { Store } from '../../customers/store/store.ts'
import { sweep } from '../../customers/sweep.ts'
import type { Logger } from '../../server/common/logger.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import { BytesFault } from '../../units/bytes.ts'
import { guarded } from '../../units/guarded.ts'
import { prepareStorage } from '../node/storage/storage.ts'
import { faultsOf } from '../process/background.ts'
import { type ChildHost, EXIT_REPLACE, EXIT_STOPPED, runChild } from '../process/child.ts'
import { ExchangeClient } from './exchange-client.ts'
import {
  ADDRESS_HEADER,
  CHANGES_PATH,
  CUSTOMERS_COMMAND,
  type CustomersOrder,
  HAS_ALL_HEADER,
  MAILS_PATH,
  SECRET_HEADER,
  type StartCustomers,
} from './order.ts'
import { PASSWORD_COST, passwordHash } from './password-hash.ts'
import { RepeatedSteps, type Step } from './repeated-steps.ts'
import { SmtpTransport } from './smtp-transport.ts'

/** On an overloaded machine, trading has priority. */
const NICE = 10
const SWEEP_MS = 60_000
/** The delay before a request that the exchange did not answer is repeated. */
const TELL_AGAIN_MS = 1_000
const MAILS_MAX = 100
/** Maximum number of accounts named in one log message. */
const NAMED_MAX = 20

/** Resolves with the exit code. */
export const runCustomersChild = (host: ChildHost): Promise<number> =>
  runChild<CustomersOrder>(host, {
    command: CUSTOMERS_COMMAND,
    startedBy: 'a node',
    logFields: () => ({ process: 'customers' }),
    died: 'the process of customers has died',
    run: async (start, log, orders) => {
      setPriority(NICE)
      return new CustomersChild(start, log).run(orders)
    },
  })

class CustomersChild {
  readonly #start: StartCustomers
  readonly #log: Logger
  readonly #context: CustomersContext
  #server: Bun.Server<undefined> | undefined
  /** Undefined if no mails are sent. */
  readonly #sender: MailSender | undefined
  readonly #timers: ReturnType<typeof setInterval>[]
  readonly #steps: RepeatedSteps
  /** Apart from the steps: a long trail holds up none of them. */
  readonly #comparison: RepeatedSteps
  #isComparing = false
  #isCompared = false
  /** Aborted when the process stops. */
  readonly #gone = new AbortController()
  /** True once the exchange knows every existing key. */
  #isTold = false
  #isTelling = false
  /** Consecutive attempts that the exchange has not answered. */
  #unanswered = 0

  /** Throws `StoreFault`. */
  constructor(start: StartCustomers, log: Logger) {
    this.#start = start
    this.#log = log
    prepareStorage()
    this.#context = contextOf(start, log)
    const { store, config, world } = this.#context
    this.#steps = new RepeatedSteps(this.#stepsOf(this.#context), world)
    const compare = { name: 'comparing the trail with the journal', run: () => this.#compareOnce() }
    this.#comparison = new RepeatedSteps([compare], world)
    if (start.mail !== undefined)
      this.#sender = new MailSender(store, new SmtpTransport(start.mail), { config, world })
    // A socket left by a killed process cannot be reused.
    rmSync(start.socketPath, { force: true })
    this.#timers = [
      setInterval(
        guarded(() => sweep(this.#context), faultsOf(log, 'removing ended rows')),
        SWEEP_MS,
      ),
      setInterval(
        guarded(() => void this.#tell(), faultsOf(log, 'announcing session keys')),
        TELL_AGAIN_MS,
      ),
      setInterval(
        guarded(() => this.#mail(), faultsOf(log, 'sending mails')),
        TELL_AGAIN_MS,
      ),
      setInterval(
        guarded(() => this.#compare(), faultsOf(log, 'comparing the trail with the journal')),
        TELL_AGAIN_MS,
      ),
    ]
    void this.#tell()
  }

  async run(orders: AsyncIterable<CustomersOrder>): Promise<number> {
    for await (const order of orders) {
      if (order.kind !== 'stop') continue
      await this.#stop()
      return EXIT_STOPPED
    }
    return EXIT_REPLACE
  }

  async #fetch(request: Request): Promise<Response> {
    const { headers, method } = request
    if (headers.get(SECRET_HEADER) !== this.#start.secret) return new Response(null, { status: 403 })
    const { pathname } = new URL(request.url)
    if (pathname === MAILS_PATH) return this.#mails()
    const body = await request.bytes()
    if (pathname === CHANGES_PATH) return this.#changes(body)
    if (pathname.startsWith(OPERATORS_PATH)) return this.#operators(pathname, body)
    const address = headers.get(ADDRESS_HEADER) ?? ''
    return answer(this.#context, { method, path: pathname, headers, body, address })
  }

  async #operators(pathname: string, body: Uint8Array): Promise<Response> {
    const asked = parseJson(new TextDecoder().decode(body), DOCUMENT_JSON) as CustomerAsked
    try {
      const found = await answerOperator(this.#context, pathname.slice(OPERATORS_PATH.length), asked)
      return found === undefined ? new Response(null, { status: 404 }) : Response.json(found)
    } catch (cause) {
      if (!(cause instanceof ExchangeFault)) throw cause
      this.#log.warn({ problem: cause.message }, 'the exchange did not answer customers')
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

  #mail(): void {
    this.#context.askedMails.write()
    void this.#sender?.sendDue()
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

  /** Repeats until every pending account is opened and the exchange knows every key and every ended key. */
  async #tell(): Promise<void> {
    if (this.#isTelling) return
    this.#isTelling = true
    try {
      this.#context.store.records.flush()
      if (this.#server === undefined) await this.#open()
      await this.#steps.run()
      this.#unanswered = 0
    } catch (cause) {
      if (!(cause instanceof ExchangeFault)) throw cause
      // A single failure is normal while the node starts or stops.
      if (++this.#unanswered === 2)
        this.#log.warn({ problem: cause.message }, 'the exchange does not answer customers yet')
    } finally {
      this.#isTelling = false
    }
  }

  /** Once, after the process has begun to answer. */
  async #compare(): Promise<void> {
    if (this.#server === undefined || this.#isComparing || this.#isCompared) return
    this.#isComparing = true
    try {
      await this.#comparison.run()
    } catch (cause) {
      // While the exchange does not answer, the steps say so.
      if (!(cause instanceof ExchangeFault) && !this.#gone.signal.aborted) throw cause
    } finally {
      this.#isComparing = false
    }
  }

  async #compareOnce(): Promise<void> {
    await compareTrail(this.#context, this.#gone.signal)
    this.#isCompared = true
  }

  #stepsOf(context: CustomersContext): readonly Step[] {
    const { telling, openings } = context
    const tellAll = async (): Promise<void> => {
      if (!this.#isTold) await telling.tellAll()
      this.#isTold = true
    }
    return [
      { name: 'announcing keys of sessions', run: tellAll },
      { name: 'announcing ended keys', run: () => telling.tellEnded() },
      { name: 'opening accounts', run: () => openings.goOn() },
      { name: 'allowing withdrawals again', run: () => endRests(context) },
      { name: 'changing mail addresses', run: () => changeDueMails(context) },
      { name: 'journaling the head of the trail', run: () => journalHeadOfDay(context) },
      { name: 'journaling changes', run: () => journalAllChanges(context) },
    ]
  }

  /** Compares the store with the journal, then answers. */
  async #open(): Promise<void> {
    const { erased, old, unknown } = await compareWithJournal(this.#context)
    this.#context.found.missing = unknown.length
    this.#context.found.old = old.length
    if (erased > 0) this.#log.warn({ erased }, 'persons whose erasure is journaled are erased here too')
    if (old.length > 0)
      this.#log.error(named(old), 'the store of customers is older than the journal: these cannot sign in')
    if (unknown.length > 0)
      this.#log.error(named(unknown), 'the journal has customers whom the store does not have')
    this.#server = Bun.serve({
      unix: this.#start.socketPath,
      development: false,
      error: (err) => {
        this.#log.error({ err }, 'a request of a customer failed')
        return new Response(null, { status: 500 })
      },
      fetch: (request) => this.#fetch(request),
    })
  }

  async #stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#gone.abort()
    await this.#server?.stop()
    this.#context.askedMails.write()
    this.#context.store.close()
  }
}

function named(accounts: readonly string[]) {
  return { count: accounts.length, accounts: accounts.slice(0, NAMED_MAX) }
}

function contextOf({ directory, admin, config }: StartCustomers, log: Logger): CustomersContext {
  const world = {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    randomBytes: (size: number) => new Uint8Array(randomBytes(size)),
    log,
  }
  const store = Store.open({ directory, randomBytes: world.randomBytes, rpId: config.rpId })
  const exchange = new ExchangeClient(admin)
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
    telling: new KeyTelling(store, exchange, world),
    turns: new FreezeTurns({ store, world, process: config.processName }),
    dayLimits: new DayLimits(world),
    found: { missing: 0, old: 0, trailDiffers: 0 },
    askedMails: new AskedMails({ store, world }),
  }
}
