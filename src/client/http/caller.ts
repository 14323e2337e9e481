/**
 * Requests with queueing, the server's time, and retries if a repetition is harmless. A placement is sent
 * only once by this class (`once`); `placements.ts` handles its retries.
 */
import { MeasuredClock } from '../access/server-clock.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { BourseError, detailOf, RefusedError } from '../errors.ts'
import type { Platform } from '../platform/ports.ts'
import type { Endpoint } from '../values.ts'
import { type Answer, aborted, type Fields, type Sender } from './attempt.ts'
import type { Slots } from './slots.ts'

/** Options of one call. */
export type CallOptions = {
  /** Aborts the call. A request already sent may have been carried out: the error's `outcome` shows that. */
  readonly signal?: AbortSignal | undefined
  /** Maximum time for one attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Maximum time for the call with all its attempts and pauses, in milliseconds. */
  readonly patienceMs?: number | undefined
  /** The time for which a request is valid after it is signed, in milliseconds, up to 60000. */
  readonly recvWindowMs?: number | undefined
}

/** The options with all defaults, and the time at which the call gives up, by the platform's `now`. */
export type RetriedCall = {
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly recvWindowMs: number
  readonly until: number
}

export type CallDefaults = {
  readonly timeoutMs: number
  readonly patienceMs: number
  readonly recvWindowMs: number
}

/** Temporary reasons, besides those with a time to wait. */
const PASSING: readonly string[] = [
  'STARTING',
  'STOPPING',
  'OVERLOADED',
  'ANSWERS_UNDER_WAY',
  'NO_LEADER',
  'NONCES_FULL',
  'NONCES_UNKNOWN',
  'SESSION_KEYS_UNKNOWN',
]

const TIME_REFUSALS: readonly string[] = ['TIMESTAMP_AHEAD', 'TIMESTAMP_EXPIRED']

/**
 * How many times a request gets a new timestamp: if the machine was suspended, the request arrives with a
 * timestamp that was correct when it was signed.
 */
export const TIME_REFUSALS_BORNE = 3

/** First and longest pause between attempts; each pause is half of that plus up to another half at random. */
const PAUSE_MS_MIN = 100
const PAUSE_MS_MAX = 5_000
/** Random addition to a pause requested by the server. */
const JITTER_MS = 500

export class RestCaller {
  readonly #platform: Platform
  readonly #sender: Sender
  readonly #slots: Slots
  readonly #defaults: CallDefaults
  readonly clock: MeasuredClock
  /** Nothing is sent before this time, by `now`: the server requested a pause for this address. */
  #quietUntil = 0

  constructor(platform: Platform, sender: Sender, slots: Slots, defaults: CallDefaults) {
    this.#platform = platform
    this.#sender = sender
    this.#slots = slots
    this.#defaults = defaults
    this.clock = new MeasuredClock(platform, () => this.#serverTime())
  }

  /** The call with its defaults; its time limit begins now. */
  begin({ signal, timeoutMs, patienceMs, recvWindowMs }: CallOptions = {}): RetriedCall {
    const defaults = this.#defaults
    return {
      signal,
      timeoutMs: timeoutMs ?? defaults.timeoutMs,
      recvWindowMs: recvWindowMs ?? defaults.recvWindowMs,
      until: this.#platform.now() + (patienceMs ?? defaults.patienceMs),
    }
  }

  /**
   * Repeats until there is an answer: for requests that change nothing, or have the same effect when
   * repeated. `onFailure` is called for every failed attempt.
   */
  async repeatedly(
    endpoint: Endpoint,
    fields: Fields,
    call: RetriedCall,
    onFailure: (error: BourseError) => void = () => {},
  ): Promise<Answer> {
    let timeRefusals = 0
    for (let failures = 0; ; failures++) {
      try {
        return await this.once(endpoint, fields, call)
      } catch (error) {
        if (!(error instanceof BourseError)) throw error
        onFailure(error)
        if (isTimeRefusal(error)) timeRefusals++
        const isAgain = isTimeRefusal(error)
          ? timeRefusals <= TIME_REFUSALS_BORNE
          : isPassing(error) || isUnanswered(error)
        if (!isAgain) throw this.withSkew(error)
        await this.pause(error, failures, call)
      }
    }
  }

  /**
   * Sends once, when its turn comes and with a current timestamp, which is passed to `onTimestamp` before
   * anything is sent.
   */
  async once(
    endpoint: Endpoint,
    fields: Fields,
    call: RetriedCall,
    onTimestamp: (timestamp: number) => void = () => {},
  ): Promise<Answer> {
    const { method, path, security } = endpoint
    return this.#slots.use(`${method} ${path}`, call.signal, async () => {
      await this.#quiet(`${method} ${path}`, call)
      const timestamp =
        security === 'NONE'
          ? undefined
          : await unlessAborted(this.clock.time(), `${method} ${path}`, call.signal)
      const dated = timestamp === undefined ? {} : { timestamp: String(timestamp) }
      if (timestamp !== undefined) onTimestamp(timestamp)
      const isSigned = security !== 'NONE' && security !== 'KEY' && security !== 'USER_DATA'
      const window = isSigned ? { recvWindow: String(call.recvWindowMs) } : {}
      try {
        const { signal } = call
        const timeoutMs = Math.max(1, Math.min(call.timeoutMs, call.until - this.#platform.now()))
        const all = { ...fields, ...dated, ...window }
        return await this.#sender.send({ endpoint, fields: all, timeoutMs, signal })
      } catch (error) {
        if (error instanceof BourseError) this.#heed(error)
        throw error
      }
    })
  }

  /**
   * Waits before another attempt: as long as the server requested, otherwise longer each time. Rejects with
   * `error` if the call's time limit would end before that, or if the call is aborted.
   */
  async pause(error: BourseError, failures: number, call: RetriedCall): Promise<void> {
    const { now, random } = this.#platform
    if (isTimeRefusal(error) && failures === 0) return
    const longest = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** failures)
    const asked = error.retryAfterMs
    const waitMs = asked === undefined ? longest / 2 + (random() * longest) / 2 : asked + random() * JITTER_MS
    if (now() + waitMs >= call.until) throw this.withSkew(error)
    await this.#wait(waitMs, call.signal, () => {
      const said = `${error.request ?? 'request'}: aborted by the caller`
      return new BourseError('ABORTED', said, { ...detailOf(error), cause: call.signal?.reason })
    })
  }

  async #serverTime(): Promise<number> {
    const { timeoutMs } = this.#defaults
    const asked = { endpoint: ENDPOINTS.time, fields: {}, timeoutMs, signal: undefined }
    const { data } = await this.#sender.send(asked)
    return (data as { readonly serverTime: number }).serverTime
  }

  /** Waits while a pause that the server requested for this address lasts. */
  async #quiet(request: string, { until, signal }: RetriedCall): Promise<void> {
    const waitMs = this.#quietUntil - this.#platform.now()
    if (waitMs <= 0) return
    if (this.#quietUntil >= until) {
      const said = `${request}: the exchange requires this address to wait another ${Math.ceil(waitMs)} ms`
      throw new BourseError('BUSY', said, { outcome: 'NOT_DONE', request, retryAfterMs: Math.ceil(waitMs) })
    }
    await this.#wait(waitMs, signal, () => aborted(request, signal as AbortSignal, 'NOT_DONE'))
  }

  /** Applies the consequences of an error for later requests. */
  #heed(error: BourseError): void {
    if (isTimeRefusal(error)) this.clock.doubt()
    if (!(error instanceof RefusedError) || error.retryAfterMs === undefined) return
    const isOfAddress = error.reason === 'RATE_LIMITED' || error.reason === 'BANNED'
    if (isOfAddress) this.#quietUntil = Math.max(this.#quietUntil, this.#platform.now() + error.retryAfterMs)
  }

  /** Adds the error of the machine's clock to the refusal of a timestamp. */
  withSkew(error: BourseError): BourseError {
    const measure = this.clock.measure
    if (!isTimeRefusal(error) || measure === undefined) return error
    const { skewMs, roundTripMs } = measure
    const said = `Measured: this machine's clock is ${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} the server's, with a round trip of ${Math.round(roundTripMs)} ms.`
    return error.with({}, said)
  }

  #wait(delayMs: number, signal: AbortSignal | undefined, giveUp: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(giveUp())
        return
      }
      const onAbort = () => {
        cancel()
        reject(giveUp())
      }
      const cancel = this.#platform.schedule(delayMs, () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      })
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }
}

/** A request shared with others continues when one caller aborts. */
async function unlessAborted<Result>(
  work: Promise<Result>,
  request: string,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work
  if (signal.aborted) throw aborted(request, signal, 'NOT_DONE')
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(aborted(request, signal, 'NOT_DONE'))
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/** Whether the request was certainly not carried out and may succeed later. */
export function isPassing(error: BourseError): boolean {
  if (error.outcome !== 'NOT_DONE' || error.kind === 'USAGE' || error.kind === 'ABORTED') return false
  if (error instanceof RefusedError) return error.retryAfterMs !== undefined || PASSING.includes(error.reason)
  return error.kind === 'NO_ANSWER' || error.retryAfterMs !== undefined
}

/** Whether there was no answer, or one with an unknown outcome. */
function isUnanswered(error: BourseError): boolean {
  return error.kind === 'NO_ANSWER' || error.outcome === 'UNKNOWN' || isFault(error)
}

/**
 * A bug of the service, an unknown outcome, or a nonce that was repeated because a runtime sent a request
 * twice after its connection broke: a request that only reads can be repeated.
 */
function isFault(error: BourseError): boolean {
  return (
    error instanceof RefusedError &&
    (error.status === 500 || error.reason === 'OUTCOME_UNKNOWN' || error.reason === 'NONCE_REPEATED')
  )
}

export function isTimeRefusal(error: BourseError): boolean {
  return error instanceof RefusedError && TIME_REFUSALS.includes(error.reason)
}
