/**
 * Keeps the customers' process running beside the node: restarts it when it ends, and sends requests to it
 * over a socket in the data directory. While it is unavailable, every request to it is refused and trading
 * continues.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { AdminMail } from '../../contract/admin/customers.ts'
import {
  type CustomerAnswer,
  type CustomerAsked,
  type CustomerQuestion,
  OPERATORS_PATH,
} from '../../contract/customers/operator-questions.ts'
import { bindPasskeys } from '../../customers/store/bound-passkeys.ts'
import { STORE_FILE } from '../../customers/store/schema.ts'
import { type CustomersConfig, LASTING } from '../../customers/terms.ts'
import { SessionKeys } from '../../server/access/auth/session-keys.ts'
import { CustomerBudget } from '../../server/admin/accounts/customer-budget.ts'
import type { CustomerControl } from '../../server/admin/context.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { CustomersReading } from '../../server/monitoring/customer-metrics.ts'
import type { AccountService } from '../../server/public/account-requests.ts'
import { ensureDirectory } from '../../storage/files/directory.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import { prepareStorage } from '../node/storage/storage.ts'
import { backgroundScheduler } from '../process/background.ts'
import { type KeptProcess, KeptProcesses, type KeptProcessNote } from '../process/kept-processes.ts'
import { ownProgram, plainEnvironment } from '../process/own-program.ts'
import type { CustomersSettings, LogLevel } from '../settings/defaults.ts'
import { AccountForward } from './account-forward.ts'
import { smtpOf } from './customers-config.ts'
import type { AdminAccess } from './exchange-client.ts'
import {
  CHANGES_PATH,
  CUSTOMERS_COMMAND,
  type CustomersOrder,
  type CustomersPlace,
  HAS_ALL_HEADER,
  MAILS_PATH,
  type StartCustomers,
} from './order.ts'
import type { SmtpSettings } from './smtp-transport.ts'

/** In the data directory, readable by its owner only: the customers' files and the socket. */
export const CUSTOMERS_DIRECTORY = 'customers'
const SECRET_BYTES = 32
/** Minimum time between two reads for metrics. */
const USE_EVERY_MS = 1_000
/** Maximum time that a scrape waits. */
const USE_TIMEOUT_MS = 2_000
/** The pause after a page of changes for a standby, as a multiple of the time that the page took. */
const PAGE_REST_TIMES = 4
const PAGE_REST_MS_MAX = 1_000

export type CustomersOptions = {
  readonly dataDirectory: string
  readonly logLevel: LogLevel
  readonly log: Logger
  readonly terms: CustomersSettings
  /** Gateways in processes of their own forward requests here, so the process always runs. */
  readonly isShared: boolean
  /**
   * Called with each opened account before the customer is answered; called again with the same account if a
   * start continues the opening. Undefined outside the sandbox.
   */
  readonly onOpened: ((account: string) => Promise<void>) | undefined
}

/** Browsers bind passkeys to a name; without a configured one, `localhost` is used. */
const OWN_NAME = 'localhost'

export class Customers {
  readonly #options: CustomersOptions
  readonly #directory: string
  /** For gateways in processes of their own. */
  readonly place: CustomersPlace
  readonly #forward: AccountForward
  /** For the admin server: the secret that authorizes requests to the process, new at each start. */
  readonly token = randomBytes(SECRET_BYTES).toString('hex')
  readonly sessionKeys = new SessionKeys(() => performance.now())
  readonly budget = new CustomerBudget()
  #order: StartCustomers | undefined
  #processes: KeptProcesses | undefined
  #isStopped = false
  /** The last page of changes, and the pause after it. */
  #page: Promise<unknown> = Promise.resolve()
  #use: { readonly atMs: number; readonly answer: Promise<CustomerAnswer<'use'> | undefined> } | undefined

  constructor(options: CustomersOptions) {
    this.#options = options
    this.#directory = path.resolve(options.dataDirectory, CUSTOMERS_DIRECTORY)
    const secret = randomBytes(SECRET_BYTES).toString('hex')
    this.place = { socketPath: path.join(this.#directory, 'customers.sock'), secret }
    this.#forward = new AccountForward(this.place)
  }

  /** For the public port. */
  get service(): AccountService {
    return this.#forward
  }

  /** For the admin server. */
  get control(): CustomerControl {
    const { onOpened = async () => {} } = this.#options
    const ask: CustomerControl['ask'] = (question, asked) => this.#ask(question, asked)
    const { sessionKeys, budget } = this
    return { sessionKeys, budget, onOpened, ask, mails: (limit) => this.#mails(limit) }
  }

  /** Throws `StoreFault` if passkeys are bound to another domain: browsers would offer none of them here. */
  bind(): void {
    prepareStorage()
    bindPasskeys(this.#directory, this.#options.terms.rpId ?? OWN_NAME)
  }

  /**
   * Starts the process at once if there have been customers before, since their sessions continue; otherwise
   * with the first request. The process finds the exchange at `admin`; clients find it at `url`. Throws
   * `FileFault`.
   */
  start(admin: AdminAccess, url: string): void {
    const { logLevel } = this.#options
    this.#order = {
      ...{ kind: 'start', logLevel, directory: this.#directory, ...this.place },
      ...{ admin, config: this.#config(url), mail: this.#mail() },
    }
    this.#forward.onFirst = () => this.#run()
    if (this.#options.isShared || existsSync(path.join(this.#directory, STORE_FILE))) this.#run()
    // True if there has never been a customer.
    else
      for (const step of ['beginPage', 'endPage'] as const) {
        this.sessionKeys[step]('WHOLE')
        this.sessionKeys.ownKeys[step]('WHOLE')
      }
  }

  /** Undefined in a sandbox, or if no mail server is set. */
  #mail(): SmtpSettings | undefined {
    const { terms, onOpened, log } = this.#options
    return onOpened === undefined ? smtpOf(terms, log) : undefined
  }

  #config(url: string): CustomersConfig {
    const { terms, onOpened } = this.#options
    const { name, rpId = OWN_NAME, signUp, termsVersion } = terms
    const { protocol, port } = new URL(url)
    const own = `${protocol}//${OWN_NAME}${port === '' ? '' : `:${port}`}`
    const [origin = own, ...others] = terms.origins
    const isSandbox = onOpened !== undefined
    return {
      ...{ rpId, name, origin, origins: [origin, ...others] },
      ...{ isSandbox, signUp, termsVersion },
      ...LASTING,
    }
  }

  #run(): void {
    const { log } = this.#options
    const order = this.#order
    if (order === undefined || this.#processes !== undefined || this.#isStopped) return
    ensureDirectory(this.#directory)
    this.#processes = new KeptProcesses({
      names: ['customers'],
      start: () => spawnChild(order),
      onNote: (note) => this.#noted(note),
      scheduler: backgroundScheduler(log, 'keeping the customers process running'),
      now: () => performance.now(),
    })
  }

  /**
   * Changes of the store for a standby, one page at a time; undefined if there is no store, or no answer. The
   * caller limits how many requests wait.
   */
  changes(asked: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly hasAll: boolean } | undefined> {
    const page = this.#page.then(() => this.#changes(asked))
    this.#page = page.then(
      ({ restMs }) => Bun.sleep(restMs),
      () => {},
    )
    return page.then(({ found }) => found)
  }

  async #changes(asked: Uint8Array) {
    if (this.#order === undefined || !existsSync(path.join(this.#directory, STORE_FILE)))
      return { found: undefined, restMs: 0 }
    const atMs = performance.now()
    const answer = await this.#forward.askBytes(CHANGES_PATH, asked)
    const restMs = Math.min(PAGE_REST_MS_MAX, PAGE_REST_TIMES * (performance.now() - atMs))
    if (answer === undefined) return { found: undefined, restMs }
    const hasAll = answer.headers.get(HAS_ALL_HEADER) === '1'
    return { found: { bytes: await answer.bytes(), hasAll }, restMs }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#processes?.stop()
    rmSync(this.place.socketPath, { force: true })
  }

  async #mails(limit: number): Promise<readonly AdminMail[] | undefined> {
    const text = await this.#forward.ask(MAILS_PATH)
    if (text === undefined) return undefined
    return (parseJson(text, DOCUMENT_JSON) as readonly AdminMail[]).slice(0, limit)
  }

  async #ask<Name extends CustomerQuestion>(
    question: Name,
    asked: CustomerAsked<Name>,
  ): Promise<CustomerAnswer<Name> | undefined> {
    const text = await this.#forward.ask(`${OPERATORS_PATH}${question}`, asked)
    return text === undefined ? undefined : (parseJson(text, DOCUMENT_JSON) as CustomerAnswer<Name>)
  }

  /**
   * For metrics; the same answer for all metrics of one scrape. Starts the process when it is first needed.
   */
  async use(): Promise<CustomersReading> {
    if (this.#processes === undefined) return { isUp: true, use: undefined }
    const nowMs = performance.now()
    if (this.#use === undefined || nowMs - this.#use.atMs >= USE_EVERY_MS) {
      const asked = this.#ask('use', { by: 'metrics', request: {} })
      const late = Bun.sleep(USE_TIMEOUT_MS).then(() => undefined)
      this.#use = { atMs: nowMs, answer: Promise.race([asked, late]) }
    }
    const answer = await this.#use.answer
    return answer?.ok === true ? { isUp: true, use: answer.result } : { isUp: false, use: undefined }
  }

  #noted(note: KeptProcessNote): void {
    if (note.kind === 'ProcessStarted') return
    const { exitCode, pauseMs } = note
    this.#options.log.error({ exitCode, pauseMs }, 'the customers process exited and is replaced')
  }
}

/** Starts this program again without secrets among its arguments. */
function spawnChild(order: StartCustomers): KeptProcess {
  const child = Bun.spawn([...ownProgram(), CUSTOMERS_COMMAND], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'inherit',
    env: plainEnvironment(),
  })
  const { stdin } = child
  const send = (one: CustomersOrder): void => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // The runtime reports that the reader has ended by throwing or by a rejected promise; the exit of the
    // process reports it too.
    const line = `${JSON.stringify(one)}\n`
    for (const step of [async () => stdin.write(line), async () => stdin.flush()]) step().catch(() => {})
  }
  send(order)
  return { exited: child.exited, stop: () => send({ kind: 'stop' }), kill: () => child.kill('SIGKILL') }
}
