/**
 * An engine's services for customers: while it leads, it stores session keys, carries out the operations of
 * customers processes, and passes operators' queries to one of these processes.
 */
import { timingSafeEqual } from 'node:crypto'
import { ADMIN_PATH } from '../../../contract/admin/admin.ts'
import type { AdminCustomersProcess } from '../../../contract/admin/records.ts'
import { OPERATORS_PATH } from '../../../contract/customers/operator-questions.ts'
import { SessionKeys } from '../../../server/access/auth/session-keys.ts'
import { CustomerBudget } from '../../../server/admin/accounts/customer-budget.ts'
import { digestOf } from '../../../server/admin/callers.ts'
import type { CustomerControl } from '../../../server/admin/context.ts'
import { WrongTokens } from '../../../server/admin/roles/wrong-tokens.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { RenewableListener } from '../../../server/listener/renewable-listener.ts'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'
import { CustomersPool } from '../../customers/customers-pool.ts'
import type { LeadSeen } from '../../customers/leader-access.ts'
import { LEAD_PATH, NOT_LEADING, SECRET_HEADER } from '../../customers/order.ts'
import { bindPort } from '../../node/serving/port.ts'
import type { LinkTerms } from '../link-terms.ts'
import type { EngineCustomers } from './engine-options.ts'

/** Maximum size of a body, as on the admin server. */
const BODY_BYTES_MAX = 64 * 1024
/** Maximum number of concurrent operations. */
const UNDER_WAY_MAX = 256
/** Longer than the customers processes wait for an answer. */
const OPERATION_MS_MAX = 20_000

/** The admin server of this engine, as the customers processes use it. */
export type CustomersAdmin = { readonly url: string; readonly token: string }

export class EnginesCustomers {
  readonly #terms: LinkTerms<EngineCustomers>
  readonly #log: Logger
  readonly #listener: RenewableListener
  readonly #pool: CustomersPool
  readonly #budget = new CustomerBudget()
  readonly #wrong = new WrongTokens()
  #lead: (LeadSeen & { readonly admin: CustomersAdmin }) | undefined
  #underWay = 0

  /** Listens. Throws `PortFault`. */
  constructor(terms: LinkTerms<EngineCustomers>, log: Logger) {
    this.#terms = terms
    this.#log = log
    const { hostname, port, tls } = terms.current.listen
    this.#listener = bindPort(
      hostname,
      port,
      'engines[].customers',
      () =>
        new RenewableListener(
          (free, material) =>
            Bun.serve({
              ...{ hostname, port: free, development: false, maxRequestBodySize: BODY_BYTES_MAX },
              // Outside of development the runtime would let a second server share the port.
              reusePort: false,
              ...(material === undefined ? {} : { tls: { cert: material.cert, key: material.key } }),
              error: (err) => {
                log.error({ err }, 'a request from a customers process failed')
                return new Response(null, { status: 500 })
              },
              fetch: (request) => this.#answer(request),
            }),
          port,
          tls && { ...tls, expiresAtMs: 0 },
        ),
    )
    this.#pool = new CustomersPool(() => terms.current, log)
  }

  get port(): number {
    return this.#listener.port
  }

  /** How each process answers this engine. */
  get processes(): readonly AdminCustomersProcess[] {
    return this.#pool.processes
  }

  /** The control for the admin server of a new lead: no session key is known yet. */
  newControl(): CustomerControl {
    return {
      sessionKeys: new SessionKeys(() => performance.now()),
      budget: this.#budget,
      onOpened: async () => {},
      ask: async (question, asked) => {
        const body = new TextEncoder().encode(JSON.stringify(asked))
        const sent = { method: 'POST', headers: new Headers(), body }
        const answer = await this.#pool.send(this.#pool.names, `${OPERATORS_PATH}${question}`, sent)
        if (answer?.ok !== true) return undefined
        return parseJson(await answer.text(), DOCUMENT_JSON) as never
      },
      mails: async () => undefined,
    }
  }

  /** Called when the engine leads with this admin server; undefined means that it no longer leads. */
  lead(lead: (LeadSeen & { readonly admin: CustomersAdmin }) | undefined): void {
    this.#lead = lead
  }

  /** Applies the secrets and certificates that the files contain now. */
  renew(): void {
    const tls = this.#terms.renew(this.#log)?.listen.tls
    if (tls !== undefined) this.#listener.renew({ ...tls, expiresAtMs: 0 })
  }

  async stop(): Promise<void> {
    this.#lead = undefined
    this.#pool.stop()
    await this.#listener.stop(true)
  }

  async #answer(request: Request): Promise<Response> {
    const shown = digestOf(request.headers.get(SECRET_HEADER) ?? '')
    const { secrets } = this.#terms.current
    if (secrets.filter((secret) => timingSafeEqual(digestOf(secret), shown)).length === 0) {
      if (!this.#wrong.isOneTooMany(Date.now()))
        this.#log.warn({}, 'a request had none of the secrets of the customers processes')
      return new Response(null, { status: 403 })
    }
    const lead = this.#lead
    if (lead === undefined) return new Response(null, { status: NOT_LEADING })
    const { admin, ...seen } = lead
    const { pathname } = new URL(request.url)
    if (pathname === LEAD_PATH) return Response.json(seen)
    if (request.method !== 'POST' || !pathname.startsWith(ADMIN_PATH))
      return new Response(null, { status: 404 })
    if (this.#underWay >= UNDER_WAY_MAX) return new Response(null, { status: 503 })
    this.#underWay++
    try {
      return await this.#handOn(request, pathname, admin)
    } finally {
      this.#underWay--
    }
  }

  /** The admin server derives the role from the token, which is only valid on this machine. */
  async #handOn(request: Request, pathname: string, { url, token }: CustomersAdmin): Promise<Response> {
    const body = await request.bytes()
    try {
      const answer = await fetch(`${url}${pathname}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body,
        signal: AbortSignal.timeout(OPERATION_MS_MAX),
      })
      const type = answer.headers.get('content-type') ?? ''
      return new Response(await answer.bytes(), { status: answer.status, headers: { 'Content-Type': type } })
    } catch {
      // The admin server is replaced when the lead begins or ends.
      return new Response(null, { status: NOT_LEADING })
    }
  }
}
