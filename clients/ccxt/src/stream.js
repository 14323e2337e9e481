/**
 * The connections of the stream: opening, login, subscriptions and answers. The meaning of a channel's
 * messages is left to the layers after this one.
 */
import { hmacSha256 } from './sha256.js'

/** The subscriptions that count as joins at the exchange, because a long state is sent for them. */
const isJoin = ({ channel, levels, symbol }) =>
  symbol === undefined || channel.startsWith('kline_') || (channel === 'book' && levels === undefined)

/** Reasons after which a position in the private feed is invalid. */
const PLACE_LOST = new Set(['UNKNOWN_JOURNAL', 'SINCE_TOO_OLD'])
/** Reasons that answer several messages: the exchange ignores them for a while. */
const PASSED_OVER = new Set(['RATE_LIMITED', 'BANNED'])

/** The name of a subscription, among futures and subscriptions. */
export const hashOf = ({ channel, symbol, levels, intervalMs }) =>
  [channel, symbol, levels, intervalMs].filter((part) => part !== undefined).join(':')

export function withStream(Exchange, errors) {
  return class extends Exchange {
    afterConstruct() {
      super.afterConstruct()
      /**
       * `places`: the position reached in each channel of the private feed; `notBefore`: the time at which a
       * stopping server is back.
       */
      this.streamState = { lastRequest: 0, places: {}, notBefore: {}, session: undefined }
    }

    /**
     * The address of public channels, or of the separate connection with a login: neither waits for the
     * other.
     */
    streamUrl(kind) {
      const { api } = this.urls
      const base = api.ws ?? this.restUrl().replace(/^http/, 'ws')
      return `${base.replace(/\/$/, '')}/${kind === 'public' ? 'stream' : 'ws'}`
    }

    /** ccxt requires an agent for each address without TLS; none is needed without a proxy. */
    getHttpAgentIfNeeded(url) {
      return this.httpAgent === undefined ? undefined : super.getHttpAgentIfNeeded(url)
    }

    calculateWsBackoffDelay(url) {
      const rest = (this.streamState.notBefore[url] ?? 0) - this.milliseconds()
      delete this.streamState.notBefore[url]
      return Math.max(super.calculateWsBackoffDelay(url), rest)
    }

    /**
     * The newest value of any of the subscriptions that was not returned yet, or the next one. If several
     * arrive between two calls of a program, the last one represents them.
     */
    async followLatest(kind, subscriptions) {
      const stateOf = (subscription) => this.clients[this.streamUrl(kind)]?.following?.[hashOf(subscription)]
      const waiting = subscriptions.map(stateOf).find((state) => state?.isNew)
      const latest = waiting === undefined ? await this.follow(kind, subscriptions) : waiting.latest
      for (const state of subscriptions.map(stateOf)) if (state?.latest === latest) state.isNew = false
      return latest
    }

    /** Passes a value of a subscription to its waiting caller, or keeps it for the next call. */
    publish(client, hash, value) {
      Object.assign(client.following[hash], { latest: value, isNew: true })
      client.resolve(value, hash)
    }

    /**
     * The next message of any of the subscriptions, which are made if absent: `messageHashes` are the names
     * under which callers wait for it.
     */
    follow(kind, subscriptions, messageHashes = subscriptions.map(hashOf)) {
      const url = this.streamUrl(kind)
      const future = this.watchMultiple(url, messageHashes, undefined, messageHashes)
      const client = this.clients[url]
      client.following ??= {}
      for (const subscription of subscriptions) {
        const hash = hashOf(subscription)
        if (client.following[hash] !== undefined) continue
        client.following[hash] = { subscription, seq: subscription.since }
        this.sendAbout(client, 'subscribe', subscription)
      }
      return future
    }

    /** Sends a message about a subscription, not faster than the exchange accepts them. */
    sendAbout(client, name, subscription) {
      client.unanswered ??= []
      const send = async () => {
        await client.connected
        await this.paced(client, name === 'subscribe' && isJoin(subscription) ? 'joins' : 'messages')
        const sent = { name, hash: hashOf(subscription) }
        client.unanswered.push(sent)
        await client.send([name, subscription])
        const timer = setTimeout(() => {
          if (client.unanswered.includes(sent)) this.drop(client, `${name} of ${sent.hash}`)
        }, this.timeout)
        timer.unref?.()
      }
      // A message that cannot be sent is lost with the connection, which notifies all waiting callers.
      client.sending = (client.sending ?? Promise.resolve()).then(send).catch(() => {})
    }

    /**
     * Gives up a connection that does not answer: waiting callers are notified, and the next call opens
     * another one.
     */
    drop(client, what) {
      client.onError(new errors.RequestTimeout(`${this.id} ${what} had no answer within ${this.timeout} ms`))
      client.close()
    }

    /** Waits until another message of a kind may be sent in this second. */
    async paced(client, kind) {
      const perSecond = this.options.streamPerSecond[kind]
      client.sentAt ??= { joins: [], messages: [] }
      const times = client.sentAt[kind]
      if (times.length >= perSecond) await this.sleep(Math.max(0, times.shift() + 1100 - this.milliseconds()))
      times.push(this.milliseconds())
    }

    /** Restarts a subscription after a gap. */
    followAnew(client, hash) {
      const state = client.following[hash]
      if (state.isMissing) return
      state.isMissing = true
      this.sendAbout(client, 'subscribe', { ...state.subscription, ...this.streamState.places[hash] })
    }

    /**
     * Whether a message of a subscription applies: 'state' replaces everything, 'change' follows the previous
     * message. A message that does not follow the last one is dropped, and the subscription restarts.
     */
    followed(client, hash, { seq, prevSeq }) {
      const state = client.following?.[hash]
      if (state === undefined) return undefined
      if (prevSeq !== undefined && prevSeq !== state.seq) {
        this.followAnew(client, hash)
        return undefined
      }
      // A channel with a position continues from there; every other one begins with the complete state.
      if (prevSeq === undefined || this.streamState.places[hash] !== undefined) state.isMissing = false
      if (state.isMissing) return undefined
      state.seq = seq
      return prevSeq === undefined ? 'state' : 'change'
    }

    handleMessage(client, message) {
      const messages = Array.isArray(message[0]) ? message : [message]
      for (const [event, ...values] of messages) this.handleEvent(client, event, values)
    }

    /** Layers after this one handle the events of channels. */
    handleEvent(client, event, [payload, ...rest]) {
      if (event === 'answer') this.handleAnswer(client, payload, rest)
      else if (event === 'subscribed') this.handleSubscribed(client, payload)
      else if (event === 'unsubscribed') this.handleUnsubscribed(client, payload)
      else if (event === 'error') this.handleStreamError(client, payload)
      else if (event === 'loggedOut') this.handleLoggedOut(client, payload, rest)
      else if (event === 'shutdown') this.handleShutdown(client, payload)
    }

    handleSubscribed(client, payload) {
      this.takeAnswered(client, 'subscribe', hashOf(payload))
    }

    /**
     * Removes a message from the unanswered ones. Answers arrive in order: the messages before it were
     * ignored.
     */
    takeAnswered(client, name, hash) {
      const index = client.unanswered?.findIndex((sent) => sent.name === name && sent.hash === hash) ?? -1
      if (index < 0) return
      const passedOver = client.unanswered.splice(0, index + 1).slice(0, -1)
      const error = new errors.RateLimitExceeded(
        `${this.id} the stream has passed over a message: too many at once`,
      )
      for (const sent of passedOver) this.endFollowing(client, sent.hash, error)
    }

    handleUnsubscribed(client, payload) {
      const hash = hashOf(payload)
      if (payload.status === false) {
        if (PLACE_LOST.has(payload.reason)) delete this.streamState.places[hash]
        this.endFollowing(client, hash, this.refusal(payload, undefined))
        return
      }
      this.takeAnswered(client, 'unsubscribe', hash)
      this.endFollowing(client, hash, new errors.UnsubscribeError(`${this.id} ${hash}`))
      client.resolve(true, `unsubscribe:${hash}`)
    }

    /** An error has no name: it answers the oldest unanswered message. */
    handleStreamError(client, body) {
      const error = this.refusal(body, undefined)
      const unanswered = client.unanswered ?? []
      if (unanswered.length === 0) {
        client.reject(error)
        return
      }
      const answered = PASSED_OVER.has(body.reason) ? unanswered.splice(0) : [unanswered.shift()]
      for (const { name, hash } of answered) {
        const state = client.following?.[hash]
        if (PLACE_LOST.has(body.reason) && state !== undefined) this.followWithoutPlace(client, hash, state)
        else if (name === 'unsubscribe') client.reject(error, `unsubscribe:${hash}`)
        else this.endFollowing(client, hash, error)
      }
    }

    /**
     * The exchange was restored, or too many changes were missed: the current state replaces the known one.
     */
    followWithoutPlace(client, hash, state) {
      delete this.streamState.places[hash]
      state.subscription = { channel: state.subscription.channel }
      state.seq = undefined
      this.sendAbout(client, 'subscribe', state.subscription)
    }

    endFollowing(client, hash, error) {
      delete client.following?.[hash]
      for (const messageHash of Object.keys(client.futures)) {
        if (messageHash === hash || messageHash.startsWith(`${hash}:`)) client.reject(error, messageHash)
      }
    }

    /** Ends a subscription; waiting callers get an UnsubscribeError. */
    async unfollow(kind, subscription) {
      const hash = hashOf(subscription)
      const client = this.clients[this.streamUrl(kind)]
      if (client?.following?.[hash] === undefined) return true
      const future = client.future(`unsubscribe:${hash}`)
      const { channel, symbol, levels, intervalMs } = client.following[hash].subscription
      this.sendAbout(client, 'unsubscribe', { channel, symbol, levels, intervalMs })
      return future
    }

    /** Records when a stopping server is back: clients do not connect before then, and not all at once. */
    handleShutdown(client, { reconnectAfterMs }) {
      const spread = Math.floor(reconnectAfterMs * Math.random())
      this.streamState.notBefore[client.url] = this.milliseconds() + reconnectAfterMs + spread
    }

    /** The private connection, once it is logged in. */
    logIn() {
      this.checkRequiredCredentials()
      const url = this.streamUrl('private')
      const known = this.clients[url]?.login
      if (known !== undefined) return known
      const future = this.watch(url, 'login', undefined, 'login')
      const client = this.clients[url]
      client.login = this.loginOver(client, future)
      return client.login
    }

    async loginOver(client, future) {
      const send = async () => {
        await client.connected
        await client.send(['login', this.loginFields()])
      }
      send().catch(() => {})
      try {
        const body = await this.within(future, 'the login')
        this.streamState.session = body.data.session
        return client
      } catch (error) {
        client.login = undefined
        if (error.reason === 'UNKNOWN_SESSION') this.streamState.session = undefined
        // Without an answer the login of the connection is unknown.
        if (error instanceof errors.RequestTimeout && this.clients[client.url] === client)
          this.drop(client, 'the login')
        throw error
      }
    }

    loginFields() {
      const { cancelOnDisconnect, graceMs, recvWindow } = this.options
      const signed = {
        apiKey: this.apiKey,
        timestamp: this.nonce(),
        recvWindow,
        nonce: this.uuid16() + this.uuid16(),
      }
      const line = Object.entries(signed).map(([name, value]) => `${name}=${value}`)
      const fields = { ...signed, signature: hmacSha256(this.secret, `login\n${line.join('&')}`) }
      if (!cancelOnDisconnect) return fields
      const { session } = this.streamState
      return { ...fields, cancelOnDisconnect: true, graceMs, ...(session === undefined ? {} : { session }) }
    }

    handleLoggedOut(client, body, [seconds]) {
      const error = this.refusal(body, undefined, seconds === undefined ? {} : { retryAfter: seconds })
      client.login = undefined
      for (const hash of Object.keys(client.following ?? {})) this.endFollowing(client, hash, error)
    }

    handleAnswer(client, id, [status, body, beside = {}]) {
      const hash = id === 'login' ? 'login' : `answer:${id}`
      // The answer to a request whose caller no longer waits.
      if (!(hash in client.futures)) return
      if (status === 200 || this.placedOnly(body)) client.resolve(body, hash)
      else client.reject(this.refusal(body, status, beside), hash)
    }

    /**
     * The answer to a request of order entry. If it is lost or late, the outcome of the request is unknown.
     */
    async requestOverStream(name, params) {
      const client = await this.logIn()
      if (!client.isOpen())
        throw new errors.NetworkError(`${this.id} ${name} was not sent: the connection is closed`)
      this.streamState.lastRequest += 1
      const id = this.streamState.lastRequest
      const hash = `answer:${id}`
      const future = client.future(hash)
      client
        .send([name, id, params])
        .catch((error) => client.reject(new errors.NetworkError(error.message), hash))
      try {
        return await this.within(future, name)
      } catch (error) {
        delete client.futures[hash]
        if (error.constructor !== errors.NetworkError) throw error
        throw new errors.RequestTimeout(`${this.id} ${name} lost its connection: ${error.message}`)
      }
    }

    /** The result of `future`, or a RequestTimeout after `timeout`. */
    async within(future, what) {
      let timer
      const late = new Promise((_, reject) => {
        const message = `${this.id} ${what} had no answer within ${this.timeout} ms`
        timer = setTimeout(() => reject(new errors.RequestTimeout(message)), this.timeout)
      })
      try {
        return await Promise.race([future, late])
      } finally {
        clearTimeout(timer)
      }
    }
  }
}
