/**
 * The leading engine for a cluster's customers process: it asks all engines repeatedly which of them leads,
 * and calls operations there. When another engine begins to lead, calls to the former leader end without an
 * answer.
 */
import { ADMIN_PATH, type AdminAnswer, type AdminOperation } from '../../contract/admin/admin.ts'
import { ExchangeFault } from '../../customers/ports.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { NamedAddress } from '../../transport/link/asking/leader-link.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import { guarded } from '../../units/guarded.ts'
import { faultsOf } from '../process/background.ts'
import { type AdminCall, CALL_MS_MAX } from './exchange-client.ts'
import { LEAD_PATH, NOT_LEADING, SECRET_HEADER } from './order.ts'
import { fetchAt } from './place-fetch.ts'

/** A change of leaders takes about a second; each search costs every engine one small request. */
const CHECK_EVERY_MS = 500
const CHECK_MS_MAX = 2_000
/** The time that a search waits for the other engines once one has answered that it leads. */
const OTHERS_MS = 200

/** The engines at the addresses for customers, and the secret shared with them. */
export type ExchangeLinks = { readonly engines: readonly NamedAddress[]; readonly secret: string }

/** An engine's answer to the question which engine leads. */
export type LeadSeen = { readonly name: string; readonly epoch: number; readonly journal: string }

type Lead = LeadSeen & { readonly engine: NamedAddress; readonly over: AbortController }

export class LeaderAccess {
  readonly #links: () => ExchangeLinks
  readonly #log: Logger
  readonly #callMsMax: number
  readonly #timer: ReturnType<typeof setInterval>
  #lead: Lead | undefined
  #looking: Promise<void> | undefined
  #epochMin = 0

  /**
   * `links` is read with each request. Begins a search at once. `callMsMax`: the longest time of a call to an
   * engine that leads.
   */
  constructor(links: () => ExchangeLinks, log: Logger, callMsMax = CALL_MS_MAX) {
    this.#links = links
    this.#callMsMax = callMsMax
    this.#log = log
    const onFault = faultsOf(log, 'looking for the leading engine')
    this.#timer = setInterval(
      guarded(() => void this.#look(), onFault),
      CHECK_EVERY_MS,
    )
    void this.#look()
  }

  /** The leading engine; undefined if it is not known. */
  get seen(): LeadSeen | undefined {
    return this.#lead
  }

  /** Identifies the current lead: a new lead has no session keys. Rejects with `ExchangeFault`. */
  async lead(): Promise<string> {
    const { journal, epoch } = await this.#found()
    return `${journal} ${epoch}`
  }

  /** Calls an operation at the engine that leads. Rejects if it does not answer, or no longer leads. */
  readonly call: AdminCall = async (operation, body) => {
    const lead = await this.#found()
    const { secret } = this.#links()
    const response = await fetchAt(lead.engine.address, `${ADMIN_PATH}${operation}`, {
      method: 'POST',
      headers: { [SECRET_HEADER]: secret, 'Content-Type': 'application/json' },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(this.#callMsMax), lead.over.signal]),
    }).catch((cause: unknown) => {
      this.#lost(lead)
      throw cause
    })
    const text = await response.text()
    if (response.status !== NOT_LEADING && response.headers.get('content-type') !== null && !isOver(text))
      return text
    this.#lost(lead)
    throw new ExchangeFault(`${lead.name} no longer leads`)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#lead?.over.abort()
    this.#lead = undefined
  }

  async #found(): Promise<Lead> {
    if (this.#lead === undefined) await this.#look()
    if (this.#lead === undefined) throw new ExchangeFault('no engine leads now, or none can be reached')
    return this.#lead
  }

  /** Forgets the leader, so that the next call searches for it again. */
  #lost(lead: Lead): void {
    if (this.#lead === lead) this.#lead = undefined
  }

  /** One search at a time. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    const { engines, secret } = this.#links()
    const found: Lead[] = []
    const first = Promise.withResolvers<void>()
    const all = Promise.all(
      engines.map(async (engine) => {
        const seen = await ask(engine, secret)
        if (seen === undefined || seen.epoch < this.#epochMin) return
        found.push({ ...seen, engine, over: new AbortController() })
        first.resolve()
      }),
    )
    await Promise.race([all, first.promise.then(() => Bun.sleep(OTHERS_MS))])
    const [newest] = found.toSorted((a, b) => b.epoch - a.epoch)
    if (newest !== undefined) this.#take(newest)
  }

  #take(lead: Lead): void {
    const known = this.#lead
    if (known?.epoch === lead.epoch && known.name === lead.name) return
    this.#epochMin = Math.max(this.#epochMin, lead.epoch)
    this.#lead = lead
    known?.over.abort()
    this.#log.info(
      { leader: lead.name, epoch: lead.epoch },
      'the exchange is now reached through the leading engine',
    )
  }
}

/** Undefined if the engine does not lead, or does not answer. */
async function ask({ address }: NamedAddress, secret: string): Promise<LeadSeen | undefined> {
  try {
    const signal = AbortSignal.timeout(CHECK_MS_MAX)
    const answer = await fetchAt(address, LEAD_PATH, { headers: { [SECRET_HEADER]: secret }, signal })
    const text = await answer.text()
    return answer.ok ? (parseJson(text, DOCUMENT_JSON) as LeadSeen) : undefined
  } catch {
    // An engine that is down and one that has not started yet are treated alike: the next search asks again.
    return undefined
  }
}

/** Whether the answer shows that the admin server was replaced by one that reports the leader. */
function isOver(text: string): boolean {
  const answer = parseJson(text, DOCUMENT_JSON) as AdminAnswer<AdminOperation>
  return !answer.ok && answer.error.reason === 'NO_LEADER'
}
