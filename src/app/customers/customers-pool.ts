/**
 * The customers processes of a cluster, for a gateway or an engine: tracks which of them answer, and sends
 * each request to one of them. A process that does not answer in time gets no requests until it answers
 * again. Each process has its own limit of requests, so that a slow process does not use up the places of
 * another.
 */
import type { AdminCustomersProcess, CustomersProcessState } from '../../contract/admin/records.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { NamedAddress } from '../../transport/link/asking/leader-link.ts'
import { guarded } from '../../units/guarded.ts'
import { faultsOf } from '../process/background.ts'
import { isNotThere, type Sent, UNDER_WAY_MAX } from './account-forward.ts'
import { PROBE_PATH, SECRET_HEADER } from './order.ts'
import { fetchAt } from './place-fetch.ts'
import { type ProbeAnswer, readProbeAnswer } from './probe-answer.ts'

const PROBE_EVERY_MS = 500
/** A process that does not answer a probe for this long is left out. */
export const PROBE_MS_MAX = 3_000
const TIMEOUT_MS = 15_000
/** Maximum number of requests to all processes together, below the limit of the runtime. */
const UNDER_WAY_IN_ALL_MAX = 192

/** The processes, and the secret shared with them. */
export type CustomersLinks = { readonly processes: readonly NamedAddress[]; readonly secret: string }

type Member = {
  readonly name: string
  state: CustomersProcessState
  /** The time of the last change of `state`, in milliseconds since 1970; undefined if there was none. */
  sinceMs: number | undefined
  /** Its last report on itself; a gateway gets none. */
  reported: ProbeAnswer | undefined
  isProbed: boolean
  underWay: number
  /** Ends the requests to this process. */
  gone: AbortController
}

export class CustomersPool {
  readonly #links: () => CustomersLinks
  readonly #log: Logger
  readonly #members: readonly Member[]
  readonly #underWayMax: number
  readonly #timeoutMs: number
  readonly #timer: ReturnType<typeof setInterval>

  /**
   * `links` is read with each request; the set of processes never changes. `timeoutMs`: the longest time of a
   * request to a process that answers probes.
   */
  constructor(links: () => CustomersLinks, log: Logger, timeoutMs = TIMEOUT_MS) {
    this.#links = links
    this.#timeoutMs = timeoutMs
    this.#log = log
    this.#members = links().processes.map(({ name }) => ({
      ...{ name, state: 'NOT_ASKED_YET' as const, sinceMs: undefined, reported: undefined },
      ...{ isProbed: false, underWay: 0 },
      gone: new AbortController(),
    }))
    const part = Math.floor(UNDER_WAY_IN_ALL_MAX / Math.max(1, this.#members.length))
    this.#underWayMax = Math.min(UNDER_WAY_MAX, part)
    const onFault = faultsOf(log, 'probing the customers processes')
    this.#timer = setInterval(
      guarded(() => this.#probeAll(), onFault),
      PROBE_EVERY_MS,
    )
    this.#probeAll()
  }

  /** The names of all processes. */
  get names(): readonly string[] {
    return this.#members.map(({ name }) => name)
  }

  /** Number of processes that answer. */
  get linked(): number {
    return this.#members.filter(({ state }) => state === 'ANSWERS').length
  }

  /** For operators. */
  get processes(): readonly AdminCustomersProcess[] {
    return this.#members.map(({ name, state, sinceMs, reported }) => {
      const { version = null, commit = null, lacks = [] } = reported ?? {}
      const ms = reported?.startedAtMs ?? sinceMs
      const since = ms === undefined ? null : new Date(ms).toISOString()
      return { name, state, since, version, commit, lacks }
    })
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const { gone } of this.#members) gone.abort()
  }

  /**
   * The answer of the first available process of `names`. Undefined if none is available, or if that process
   * did not answer: then it may have carried out the request, unless the request only reads.
   */
  async send(names: readonly string[], path: string, sent: Sent): Promise<Response | undefined> {
    const isRead = sent.method === 'GET' || sent.method === 'HEAD'
    for (const name of names) {
      const member = this.#members.find((each) => each.name === name)
      if (member === undefined || isOut(member) || member.underWay >= this.#underWayMax) continue
      const answer = await this.#ask(member, path, sent)
      if (answer instanceof Response) return answer
      if (answer === 'UNKNOWN' && !isRead) return undefined
    }
    return undefined
  }

  async #ask(
    member: Member,
    path: string,
    { headers, ...init }: Sent,
  ): Promise<Response | 'NOT_THERE' | 'UNKNOWN'> {
    const { signal: gone } = member.gone
    const signal = AbortSignal.any([AbortSignal.timeout(this.#timeoutMs), gone])
    const sent = new Headers(headers)
    member.underWay++
    try {
      const answer = await this.#fetch(member, path, { ...init, headers: sent, signal })
      // Reads the whole body: answers are small, and a request keeps its place until it is answered.
      return new Response(await answer.bytes(), { status: answer.status, headers: answer.headers })
    } catch (cause) {
      if (!gone.aborted) this.#found(member, stateOf(cause))
      return isNotThere(cause) ? 'NOT_THERE' : 'UNKNOWN'
    } finally {
      member.underWay--
    }
  }

  /** Rejects as `fetch` does, also if the process does not accept this end's secret. */
  async #fetch(
    { name }: Member,
    path: string,
    init: BunFetchRequestInit & { readonly headers: Headers },
  ): Promise<Response> {
    const { processes, secret } = this.#links()
    const address = processes.find((each) => each.name === name)?.address
    if (address === undefined) throw new Error(`${name} has no address`)
    init.headers.set(SECRET_HEADER, secret)
    const answer = await fetchAt(address, path, init)
    if (answer.headers.get(SECRET_HEADER) !== null) throw new SecretRefusedFault()
    return answer
  }

  #probeAll(): void {
    for (const member of this.#members) if (!member.isProbed) void this.#probe(member)
  }

  async #probe(member: Member): Promise<void> {
    member.isProbed = true
    try {
      const signal = AbortSignal.timeout(PROBE_MS_MAX)
      const answer = await this.#fetch(member, PROBE_PATH, { headers: new Headers(), signal })
      const reported = readProbeAnswer(await answer.bytes())
      this.#found(member, answer.ok ? 'ANSWERS' : 'NO_ANSWER', reported)
    } catch (cause) {
      this.#found(member, stateOf(cause))
    } finally {
      member.isProbed = false
    }
  }

  #found(member: Member, state: 'ANSWERS' | Failed, reported?: ProbeAnswer): void {
    member.reported = state === 'ANSWERS' ? reported : undefined
    if (member.state === state) return
    const wasOut = isOut(member)
    member.state = state
    member.sinceMs = Date.now()
    const { name } = member
    if (state === 'ANSWERS') {
      this.#log.info({ name }, 'a customers process answers')
      return
    }
    const problem = PROBLEMS[state]
    this.#log.warn(
      { name, problem },
      'a customers process does not answer, and gets no requests until it does',
    )
    if (wasOut) return
    // Pending requests would wait for longer than their senders do.
    member.gone.abort()
    member.gone = new AbortController()
  }
}

/** The process does not accept the secret of this end. */
class SecretRefusedFault extends Error {}

type Failed = Exclude<CustomersProcessState, 'ANSWERS' | 'NOT_ASKED_YET'>

const PROBLEMS = {
  NO_ANSWER: 'no answer',
  CERTIFICATE_REFUSED: 'its certificate is not trusted',
  SECRET_REFUSED: 'it does not accept the secret of this process',
} as const satisfies Record<Failed, string>

function isOut({ state }: Member): boolean {
  return state !== 'ANSWERS' && state !== 'NOT_ASKED_YET'
}

function stateOf(cause: unknown): Failed {
  if (cause instanceof SecretRefusedFault) return 'SECRET_REFUSED'
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return /CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code) ? 'CERTIFICATE_REFUSED' : 'NO_ANSWER'
}
