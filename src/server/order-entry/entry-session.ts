/**
 * Requests of one conversation besides market data: login, and requests for its account. It checks limits and
 * the key, but is independent of frames and sockets; each request is answered once, unless the conversation
 * has ended by then.
 */
import { REASONS, type Reason } from '../../contract/reasons/catalogue.ts'
import { loggedInBody } from '../../contract/stream/login.ts'
import { PRIVATE_CHANNEL_ROWS, type PrivateChannel } from '../../contract/stream/private-feed.ts'
import type { RequestId } from '../../contract/stream/stream.ts'
import { invariant } from '../../units/invariant.ts'
import { mayUse, type Permission } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { checkTimes, takeNonce } from '../access/auth/freshness.ts'
import { isSessionKeyName } from '../access/auth/session-keys.ts'
import { windowOf } from '../access/auth/time-window.ts'
import type { Caller } from '../access/limits/call-limits.ts'
import { isMalformed } from '../access/limits/malformed.ts'
import type { Parameters } from '../common/parameters.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { AccountFeed, checkUnfollow, readFeedStart, weightOf } from '../private-feed/account-feed.ts'
import type { FeedReader } from '../private-feed/feed-reader.ts'
import { UNDER_WAY } from '../trading/call.ts'
import { isOfInterface } from '../trading/common-interface.ts'
import { readFields, untaken } from '../trading/fields.ts'
import type { Services } from '../trading/services.ts'
import type { Conversation, EntryClient, EntryOutput } from './conversation.ts'
import { deadlineRefusal, untilDeadline } from './deadline.ts'
import type { EntryBudget } from './entry-budget.ts'
import {
  type Acknowledge,
  type Asked,
  type EntryAnswer,
  EntryCall,
  type EntryCallOptions,
} from './entry-call.ts'
import type { EntryParts } from './entry-parts.ts'
import { Login, readLogin } from './login.ts'
import type { Logins, Principal } from './logins.ts'
import {
  type HeldSession,
  type SessionHolder,
  type SessionTerms,
  shownSession,
  withWords,
} from './order-sessions.ts'
import { ENTRY_REQUESTS, type EntryRequest } from './requests.ts'

const LEFT_OUT = {
  en: 'no value, or false: a session key cannot cancel orders when a connection ends',
  tr: 'gönderilmemesi veya false olması; oturum anahtarı bağlantı bitince emirleri iptal edemez',
}

/** Used in the answer to a login, in place of the id in the answer to a request. */
const LOGIN_ID = '"login"'

/**
 * The name under which unknown requests are counted: clients could send any number of names, and counters are
 * never dropped.
 */
const UNKNOWN_NAME = 'order.unknown'

/** The parts of a call that do not come from its conversation. */
type OwnOfCall = Pick<EntryCallOptions, 'services' | 'parameters' | 'asked' | 'caller' | 'window'> & {
  readonly login: Login
}

/** The result of a request: an answer, now or later; `UNDER_WAY`: its call answers. */
type EntryOutcome = string | Refusal | typeof UNDER_WAY | Promise<string | Refusal>

/** The permission required for a login whose orders end with its connection. */
const PLACES: Permission = 'TRADE'

export class EntrySession implements SessionHolder {
  readonly #parts: EntryParts
  readonly #client: EntryClient
  readonly #output: EntryOutput
  readonly #budget: EntryBudget
  /** All sessions that are logged in. */
  readonly #logins: Logins<EntrySession>
  /** Its private subscriptions. */
  readonly feed: AccountFeed
  #login: Login | undefined
  #lastCaller: Caller | undefined
  /** The session in which it places orders. */
  #session: HeldSession | undefined
  #isEnded = false
  /** Number of refused requests and logins. */
  #refusals = 0

  constructor(
    parts: EntryParts,
    { client, output, feed, budget }: Conversation,
    logins: Logins<EntrySession>,
  ) {
    this.#parts = parts
    this.#client = client
    this.#output = output
    this.#budget = budget
    this.#logins = logins
    this.feed = new AccountFeed({
      feeds: parts.feeds,
      output: feed,
      onCrash: (error) => this.#crashed('the feed', error),
    })
  }

  /** The login; undefined if not logged in. */
  get principal(): Principal | undefined {
    return this.#login
  }

  /** Number of refused requests and logins. */
  get refusals(): number {
    return this.#refusals
  }

  get limitKey(): string {
    return this.#client.limitKey
  }

  /** Whether its orders end with its connection. */
  get hasSession(): boolean {
    return this.#session !== undefined
  }

  /** `["login", fields]` */
  login(fields: object, acknowledge: Acknowledge | undefined): void {
    if (this.#isEnded) return
    const asked = this.#asked(LOGIN_ID, 'login', acknowledge)
    try {
      this.#settle(asked, this.#admitLogin(withWords(fields), asked, this.#caller()))
    } catch (error) {
      this.#crash(asked, error)
    }
  }

  /** `[name, requestId, fields]`; `id` is the request's. */
  request(name: string, id: RequestId, fields: object, acknowledge: Acknowledge | undefined): void {
    if (this.#isEnded) return
    const request = ENTRY_REQUESTS.get(name)
    const asked = this.#asked(id, request === undefined ? UNKNOWN_NAME : name, acknowledge)
    try {
      this.#settle(asked, this.#carryOut(request, fields, asked, this.#caller()))
    } catch (error) {
      this.#crash(asked, error)
    }
  }

  /** A subscription to a private channel that is yet to begin; `fields` as a client has sent them. */
  follow(channel: PrivateChannel, fields: object): FeedReader | Refusal {
    const parameters = readFields(fields)
    if (parameters instanceof Refusal) return parameters
    const caller = this.#caller()
    const services = this.#admitted(caller, weightOf(channel, parameters))
    if (services instanceof Refusal) return services
    const login = this.#permitted(PRIVATE_CHANNEL_ROWS[channel].security, caller.now)
    if (login instanceof Refusal) return login
    const start = readFeedStart(channel, parameters, services)
    return start instanceof Refusal ? start : this.feed.follow(channel, login.accountId, start)
  }

  /** Ends a subscription; the answer states why it cannot be ended. */
  unfollow(channel: PrivateChannel, fields: object): Refusal | undefined {
    const parameters = readFields(fields)
    if (parameters instanceof Refusal) return parameters
    const fault = checkUnfollow(parameters)
    if (fault !== undefined) return fault
    return this.feed.unfollow(channel) ? undefined : refuse('NOT_SUBSCRIBED', {})
  }

  /** Checks the login again: its key, its account or the time has changed. */
  checkLogin(now: TimeMs): void {
    const key = this.#login?.key(now)
    if (key instanceof Refusal) this.logOut(key)
    else if (key !== undefined) this.feed.check(key.permissions)
  }

  /** Ends the login and reports the reason. */
  logOut(refusal: Refusal): void {
    if (this.#login === undefined) return
    this.#forget()
    this.#output.loggedOut(refusal.body(this.#client.language), refusal.retryAfter)
  }

  /** Called when the conversation is over: pending requests continue, and their answers are dropped. */
  end(): void {
    this.#isEnded = true
    this.#forget()
  }

  /** Called when another connection of the key takes over the session, with the orders placed by this one. */
  loseSession(): void {
    this.#session = undefined
    this.logOut(refuse('SESSION_TAKEN_OVER', {}))
  }

  #forget(): void {
    this.#login = undefined
    if (this.#session !== undefined) this.#parts.orderSessions.end(this.#session)
    this.#session = undefined
    this.#logins.remove(this)
    this.feed.close()
  }

  #asked(id: RequestId, name: string, acknowledge: Acknowledge | undefined): Asked {
    this.#budget.requests++
    this.#parts.underWay.started()
    this.#parts.traffic.started()
    return {
      id,
      name,
      acknowledge,
      startMs: this.#parts.turn.elapsedMs(),
      isRepeat: false,
      parameters: undefined,
    }
  }

  /** Answers a request once, now or when its outcome is known. */
  #settle(asked: Asked, outcome: EntryOutcome): void {
    if (outcome === UNDER_WAY) return
    if (!(outcome instanceof Promise)) {
      this.#answer(asked, outcome)
      return
    }
    outcome.then(
      (later) => this.#answer(asked, later),
      (error: unknown) => this.#crash(asked, error),
    )
  }

  /** All requests of a turn share one caller. */
  #caller(): Caller {
    const { turn, limits } = this.#parts
    const { limitKey } = this.#client
    const now = turn.steady()
    if (this.#lastCaller?.now === now) return this.#lastCaller
    this.#lastCaller = { limitKey, use: limits.addresses.use(limitKey, now), now }
    return this.#lastCaller
  }

  /** Ban and weight of the address, then whether the service runs: as for every request over HTTP. */
  #admitted({ limitKey, use, now }: Caller, weight: number): Services | Refusal {
    return this.#parts.limits.addresses.admit(limitKey, use, weight, now) ?? this.#parts.services()
  }

  /** The refusal if too many requests are pending; this request is counted already. */
  #underWayRefusal(): Refusal | undefined {
    const { requests, requestsMax } = this.#budget
    return requests > requestsMax ? refuse('REQUESTS_UNDER_WAY', { max: requestsMax }) : undefined
  }

  #admitLogin(fields: object, asked: Asked, caller: Caller): EntryOutcome {
    const services = this.#admitted(caller, 1)
    if (services instanceof Refusal) return services
    this.checkLogin(caller.now)
    if (this.#login !== undefined) return refuse('ALREADY_LOGGED_IN', {})
    return this.#underWayRefusal() ?? this.#logIn(services, fields, asked, caller)
  }

  #logIn(
    services: Services,
    fields: object,
    asked: Asked,
    caller: Caller,
  ): string | Refusal | Promise<string | Refusal> {
    const parameters = readFields(fields)
    if (parameters instanceof Refusal) return parameters
    const terms = readLogin(parameters, this.#output.hasFrames)
    if (terms instanceof Refusal) return terms
    const { verifier, clock, nonces, sessionKeys } = this.#parts
    const { registry } = services.market
    const parts = { registry, verifier, sessionKeys, clientAddress: this.#client.remoteAddress }
    const login = Login.attempt(terms, parameters, parts, clock)
    if (login instanceof Refusal) return login
    // A session key cannot have this option: closing a page leaves its orders open, and the journal does not
    // contain session keys.
    if (terms.session !== undefined && isSessionKeyName(login.apiKey))
      return refuse('INVALID_PARAMETER', { name: 'cancelOnDisconnect', expected: LEFT_OUT })
    const enter = (): string | Refusal | Promise<string | Refusal> => {
      if (terms.session === undefined) return this.#loggedIn(login, terms.isMany)
      const call = this.#callOf({ services, parameters, asked, caller, login, window: undefined })
      return this.#enter(login, terms.isMany, terms.session, call)
    }
    const { claim } = terms
    if (claim.kind === 'PLAIN') return enter()
    const taken = takeNonce(parameters, login, claim, nonces(), clock)
    if (!(taken instanceof Promise)) return taken ?? enter()
    return taken.then((refusal) => refusal ?? enter())
  }

  /** Logs in with a session: opening one is a command of the journal, and counts as an order. */
  async #enter(
    login: Login,
    isMany: boolean,
    terms: SessionTerms,
    call: EntryCall,
  ): Promise<string | Refusal> {
    const key = login.key(this.#parts.clock.steady())
    if (key instanceof Refusal) return key
    if (!key.permissions.includes(PLACES)) return refuse('PERMISSION_DENIED', { permission: PLACES })
    const refusal = call.takeOrders(1)
    if (refusal !== undefined) return refusal
    const { orderSessions } = this.#parts
    const session = await orderSessions.open(call, key.apiKey, terms)
    if (session instanceof Refusal) return session
    const answer = this.#loggedIn(login, isMany, session)
    // If the client is no longer logged in, nothing would report the end of its connection.
    if (this.#login !== login) orderSessions.end(session)
    return answer
  }

  /**
   * Checks the key once more: while a nonce was used or a session opened, the key may have ended, or another
   * login may have arrived.
   */
  #loggedIn(login: Login, isMany: boolean, session?: HeldSession): string | Refusal {
    const { clock, keyUse } = this.#parts
    const now = clock.steady()
    const key = login.key(now)
    if (key instanceof Refusal) return key
    if (this.#login !== undefined) return refuse('ALREADY_LOGGED_IN', {})
    if (session !== undefined && !this.#isEnded && !this.#parts.orderSessions.hold(session, this))
      return refuse('SESSION_TAKEN_OVER', {})
    const { apiKey, permissions } = key
    if (!this.#isEnded) {
      this.#session = session
      this.#login = login
      this.#logins.add(this, login)
      keyUse.note(apiKey, now)
      if (isMany) this.#output.sendMany()
    }
    const shown = session && shownSession(session)
    const loggedIn = { apiKey, permissions, serverTime: clock.now(), session: shown }
    return loggedInBody(loggedIn, this.#client.language)
  }

  #carryOut(request: EntryRequest | undefined, fields: object, asked: Asked, caller: Caller): EntryOutcome {
    const services = this.#admitted(caller, request?.operation.weight ?? 1)
    if (services instanceof Refusal) return services
    if (request === undefined) return refuse('UNKNOWN_MESSAGE', {})
    const login = this.#authorized(request, caller.now)
    if (login instanceof Refusal) return login
    const crowded = this.#underWayRefusal()
    if (crowded !== undefined) return crowded
    const parameters = readFields(fields)
    if (parameters instanceof Refusal) return parameters
    asked.parameters = parameters
    const fault = this.#checked(request, parameters)
    if (fault !== undefined) return fault
    const window = untilDeadline(parameters.has('timestamp') ? windowOf(parameters) : undefined, parameters)
    const call = this.#callOf({ services, parameters, asked, caller, login, window })
    const outcome = request.operation.answer(call)
    if (outcome === UNDER_WAY) return UNDER_WAY
    return outcome instanceof Promise ? outcome.then(asText) : asText(outcome)
  }

  #callOf({ services, parameters, login, window, asked, caller }: OwnOfCall): EntryCall {
    const { clock, logger, lane, limits, nextRequestId } = this.#parts
    return new EntryCall({
      services,
      parameters,
      accountId: login.accountId,
      keyNumber: services.market.registry.placingKey(login.apiKey),
      keyOrders: this.#parts.sessionKeys?.ordersOf(login.apiKey),
      clock,
      window,
      requestId: nextRequestId,
      logger,
      lane,
      sessionNumber: this.#session?.sessionNumber,
      asked,
      caller,
      limits,
      language: this.#client.language,
      answered: this.#answer,
    })
  }

  /** The login, if its key still has this permission. */
  #authorized({ operation: { security } }: EntryRequest, now: TimeMs): Login | Refusal {
    return this.#permitted(security.kind === 'NONE' ? undefined : security.permission, now)
  }

  #permitted(permission: Permission | undefined, now: TimeMs): Login | Refusal {
    const login = this.#login
    if (login === undefined) return refuse('LOGIN_REQUIRED', {})
    const key = login.key(now)
    if (key instanceof Refusal) {
      this.logOut(key)
      return key
    }
    this.#parts.keyUse.note(login.apiKey, now)
    if (permission === undefined || mayUse(key.permissions, permission)) return login
    return refuse('PERMISSION_DENIED', { permission })
  }

  /** Refuses unknown names and, if the request requires a time window, checks it. */
  #checked(request: EntryRequest, parameters: Parameters): Refusal | undefined {
    const untakenName = untaken(parameters, request)
    if (untakenName !== undefined) return untakenName
    const isTimed = parameters.has('timestamp') || parameters.has('recvWindow')
    const refusal = isTimed ? checkTimes(parameters, undefined, this.#parts.clock) : undefined
    return refusal ?? deadlineRefusal(parameters, this.#parts.clock)
  }

  readonly #answer = (asked: Asked, answer: EntryAnswer): void => {
    const { traffic, turn, underWay } = this.#parts
    this.#budget.requests--
    traffic.answered(asked.name, turn.elapsedMs() - asked.startMs)
    if (answer instanceof Refusal) {
      this.#refusals++
      this.#count(answer.reason)
    }
    if (!this.#isEnded) this.#send(asked, answer)
    if (answer instanceof Refusal && answer.reason === 'BANNED') this.#endBanned()
    underWay.ended()
  }

  /** Other answers follow: one that cannot be sent ends its own connection and nothing else. */
  #send(asked: Asked, answer: EntryAnswer): void {
    const { id, name, acknowledge, isRepeat } = asked
    try {
      const isRefused = answer instanceof Refusal
      const status = isRefused ? REASONS[answer.reason].status : 200
      const body = isRefused ? this.#worded(asked, answer) : answer
      const retryAfter = isRefused ? answer.retryAfter : undefined
      this.#output.answer({ id, status, body, isRepeat, retryAfter, acknowledge })
    } catch (error) {
      this.#parts.logger.error({ err: error, message: name }, 'an answer could not be sent')
      this.#output.endConnection()
    }
  }

  /**
   * A client that continues after a ban gets no more answers: a frame may hold a thousand requests, and each
   * answer is work.
   */
  #endBanned(): void {
    if (this.#isEnded) return
    this.end()
    this.#output.endConnection()
  }

  /**
   * The body of a refusal, in the form of the common interface if the part of the request read so far uses
   * only that interface.
   */
  #worded({ parameters }: Asked, refusal: Refusal): string {
    const isBare = parameters === undefined || isOfInterface(parameters)
    return (isBare ? refusal.bare() : refusal).body(this.#client.language)
  }

  #count(reason: Reason): void {
    const { limits, clock, traffic } = this.#parts
    if (isMalformed(reason))
      limits.addresses.noteMalformed(limits.addresses.use(this.limitKey, clock.steady()))
    traffic.refused(reason)
  }

  #crash(asked: Asked, error: unknown): void {
    this.#answer(asked, this.#crashed(asked.name, error))
  }

  #crashed(what: string, error: unknown): Refusal {
    const { logger, nextRequestId } = this.#parts
    const requestId = nextRequestId()
    logger.error({ requestId, err: error, message: what }, 'a request of the stream failed')
    return refuse('INTERNAL_ERROR', { id: requestId })
  }
}

/** The answer as text: operations of order entry answer with one text. */
function asText(answer: unknown): string | Refusal {
  invariant(typeof answer === 'string' || answer instanceof Refusal, 'an answer of order entry is one text')
  return answer
}
