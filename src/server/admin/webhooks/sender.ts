/**
 * Sends the events of one webhook, in order and at least once: each event is retried until it is accepted or
 * given up, and only then is the next one sent. The position is stored afterwards, so that events after a
 * position that was not stored are sent again. This module depends neither on sockets nor on SQL.
 */

import type { AdminEventRequest } from '../../../contract/admin/admin.ts'
import type { AdminEvent, AdminEventPage } from '../../../contract/admin/events.ts'
import { WEBHOOK_WAITING_MAX } from '../../../contract/admin/webhooks.ts'
import { DEAD_EVENTS_MAX, type StoredWebhook, type WebhookStore } from '../../../engine/port/webhook-store.ts'
import type { WebhookPause } from '../../../units/operator-enums.ts'
import type { Logger } from '../../common/logger.ts'
import { AdminRequestError } from '../context.ts'
import type { Outcome } from './deliver.ts'
import { SIGNATURE_HEADER, signatureOf } from './signature.ts'

export type SenderLimits = {
  /** An event is given up after this number of attempts. */
  readonly attemptsMax: number
  /** The longest pause after a first failure; doubled with each further failure, up to `pauseMsMax`. */
  readonly pauseMs: number
  readonly pauseMsMax: number
  /** Minimum time between two stores of the position while events wait. */
  readonly storeEveryMs: number
  /** The longest pause after events could not be read, or a position not stored. */
  readonly faultPauseMs: number
}

/** About three quarters of an hour until an event is given up. */
export const SENDER_LIMITS: SenderLimits = {
  attemptsMax: 20,
  pauseMs: 1_000,
  pauseMsMax: 300_000,
  storeEveryMs: 1_000,
  faultPauseMs: 5_000,
}

/**
 * Maximum number of bytes of a body. No event has nearly this size; one that did would be given up at once.
 */
export const WEBHOOK_BODY_BYTES_MAX = 256 * 1024
/** Maximum length of a stored problem text. */
const PROBLEM_MAX = 300

export type WebhookRequest = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type SenderPorts = {
  /**
   * A page of the feed; waits for events if there are none. Rejects with `AdminRequestError` or an
   * `EngineFault`.
   */
  readonly events: (
    request: AdminEventRequest,
    signal: AbortSignal,
    webhook: string,
  ) => Promise<AdminEventPage>
  /** One attempt; never rejects. */
  readonly send: (request: WebhookRequest, signal: AbortSignal) => Promise<Outcome>
  readonly store: WebhookStore
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  /** Random numbers from 0 to 1, for pauses. */
  readonly random: () => number
  /** Resolves after this number of milliseconds, or when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Maximum time that one read waits for events, in milliseconds. */
  readonly waitMs: number
  readonly log: Logger
}

export type SenderCounts = {
  /** Number of accepted attempts. */
  readonly delivered: number
  /** Number of failed attempts. */
  readonly failed: number
  /** Number of events given up. */
  readonly buried: number
}

/** The content of a test message: not an event of the feed, so it has no number. */
export type TestEvent = { readonly number: 0; readonly kind: 'TEST'; readonly time: string }

/**
 * Wakes a waiting sender, so that it checks again: after a change by an operator, or when the sender ends.
 */
class Change {
  #controller = new AbortController()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  happened(): void {
    const before = this.#controller
    this.#controller = new AbortController()
    before.abort()
  }
}

export class WebhookSender {
  readonly #ports: SenderPorts
  readonly #limits: SenderLimits
  readonly #url: URL
  readonly #secret: string
  readonly #ended = new AbortController()
  readonly #change = new Change()
  readonly #counts = { delivered: 0, failed: 0, buried: 0 }
  #hook: StoredWebhook
  #dead: number
  /** Events that were read, and neither accepted nor given up; the first one is being sent. */
  #waiting: readonly AdminEvent[] = []
  /** The feed was read up to this event. */
  #readTo: number
  /** Failed attempts to send the first waiting event. */
  #attempts = 0
  #problem: string | undefined
  #storedMs = Number.NEGATIVE_INFINITY
  /** Some of the events given up may have to be sent again. */
  #looksForAwaited = true
  /** One request is in flight at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  #run: Promise<void> = Promise.resolve()

  /** `secret`: any text if the webhook is paused because its stored secret cannot be opened. */
  constructor(hook: StoredWebhook, secret: string, ports: SenderPorts, limits = SENDER_LIMITS) {
    this.#hook = hook
    this.#secret = secret
    this.#ports = ports
    this.#limits = limits
    this.#url = new URL(hook.url)
    this.#readTo = hook.position
    this.#dead = ports.store.deadCount(hook.name)
  }

  /** The current state; the position may be ahead of the stored one. */
  get hook(): StoredWebhook {
    return this.#hook
  }

  get counts(): SenderCounts {
    return this.#counts
  }

  /** Number of stored events that were given up. */
  get dead(): number {
    return this.#dead
  }

  /**
   * Events that were read, and neither accepted nor given up, oldest first; at most `WEBHOOK_WAITING_MAX`,
   * although the feed may have more.
   */
  get waiting(): readonly AdminEvent[] {
    return this.#waiting
  }

  /** Failed attempts to send the first waiting event. */
  get attempts(): number {
    return this.#attempts
  }

  /** The result of the last attempt; undefined if it was delivered, or there was no attempt yet. */
  get problem(): string | undefined {
    return this.#problem
  }

  start(): void {
    this.#run = this.#loop()
  }

  /** Cancels pending work. Resolves when none is left and the position is stored. */
  async stop(): Promise<void> {
    this.#ended.abort()
    this.#change.happened()
    await Promise.all([this.#run, this.#turn])
    try {
      this.#storePosition()
    } catch (err) {
      this.#ports.log.warn({ webhook: this.#hook.name, err }, 'the position of a webhook could not be stored')
    }
  }

  /**
   * Undefined resumes the webhook, with the first attempt to send the next waiting event. Throws
   * `JournalFault`.
   */
  pause(paused: WebhookPause | undefined): void {
    this.#ports.store.pause(this.#hook.name, paused)
    this.#hook = { ...this.#hook, paused }
    this.#attempts = 0
    this.#change.happened()
  }

  /** Continues after event `position` of `journal`. Throws `JournalFault`. */
  moveTo(journal: string, position: number): void {
    this.#ports.store.moveTo(this.#hook.name, journal, position)
    this.#hook = { ...this.#hook, journal, position }
    this.#waiting = []
    this.#readTo = position
    this.#attempts = 0
    this.#change.happened()
  }

  /** Stores the same secret, sealed again. Throws `JournalFault`. */
  reseal(sealedSecret: Uint8Array): void {
    this.#ports.store.reseal(this.#hook.name, sealedSecret)
    this.#hook = { ...this.#hook, sealedSecret }
  }

  /**
   * Sends events that were given up again, one of them or all, before any others. Returns their number.
   * Throws `JournalFault`.
   */
  sendAgain(number: number | undefined): number {
    const count = this.#ports.store.await(this.#hook.name, number)
    this.#looksForAwaited = true
    this.#change.happened()
    return count
  }

  /** Makes one attempt to send a message that is not an event; a paused webhook sends it too. */
  test(event: TestEvent): Promise<Outcome> {
    return this.#alone(() => this.#ports.send(this.#requestOf(event), this.#ended.signal))
  }

  async #loop(): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      try {
        await this.#step()
      } catch (error) {
        if (!signal.aborted) await this.#failed(error)
      }
    }
  }

  async #failed(error: unknown): Promise<void> {
    const { log, sleep, random } = this.#ports
    const webhook = this.#hook.name
    if (error instanceof AdminRequestError && error.error.reason === 'OTHER_JOURNAL') {
      log.error({ webhook }, 'a webhook is paused: its position belongs to another journal')
      this.#pauseItself('OTHER_JOURNAL')
      return
    }
    log.warn({ webhook, err: error }, 'a webhook failed and is retried')
    await sleep(this.#limits.faultPauseMs * (0.5 + random() / 2), this.#ended.signal)
  }

  /**
   * A pause that could not be stored lasts until the process ends; its cause is found again at the next
   * start.
   */
  #pauseItself(paused: WebhookPause): void {
    this.#hook = { ...this.#hook, paused }
    try {
      this.#ports.store.pause(this.#hook.name, paused)
    } catch (err) {
      this.#ports.log.warn({ webhook: this.#hook.name, err }, 'the pause of a webhook could not be stored')
    }
  }

  /** Does the next step: sends again, reads, waits for an operator, or sends. */
  async #step(): Promise<void> {
    const { signal } = this.#change
    const { paused } = this.#hook
    const isPaused = paused !== undefined
    if (this.#looksForAwaited && !isPaused) return this.#sendAwaited(signal)
    const event = this.#waiting[0]
    // Events are read during a pause too, so that its backlog is visible.
    const isToRead = event === undefined || (isPaused && this.#hasRoom)
    if (isToRead && paused !== 'OTHER_JOURNAL') return this.#readOn(signal, this.#ports.waitMs)
    if (event === undefined || isPaused) return untilAborted(signal)
    await this.#sendFirst(event, signal)
  }

  get #hasRoom(): boolean {
    return this.#waiting.length < WEBHOOK_WAITING_MAX
  }

  /**
   * Reads the events after the waiting ones; if there are none, waits for events for at most the given time.
   */
  async #readOn(signal: AbortSignal, wait?: number): Promise<void> {
    const { journal, kinds, account, name } = this.#hook
    const limit = WEBHOOK_WAITING_MAX - this.#waiting.length
    const asked = { after: this.#readTo, journal, kinds, account, limit, wait }
    const { events, next } = await this.#ports.events(asked, signal, name)
    // A sender that was repositioned in the meantime reads again.
    if (signal.aborted) return
    this.#waiting = [...this.#waiting, ...events]
    this.#readTo = next
    if (this.#waiting.length > 0 || next === this.#hook.position) return
    this.#hook = { ...this.#hook, position: next }
    this.#storePosition()
  }

  async #sendFirst(event: AdminEvent, signal: AbortSignal): Promise<void> {
    const outcome = await this.#attempt(event)
    if (this.#ended.signal.aborted || this.#waiting[0] !== event) return
    if (outcome.kind === 'DELIVERED') {
      this.#passed(event)
      this.#storePositionSometimes()
      return
    }
    this.#attempts++
    if (this.#attempts >= this.#limits.attemptsMax || outcome.kind === 'TOO_LONG') {
      this.#bury(event, outcome.problem)
      return
    }
    const { pauseMs, pauseMsMax } = this.#limits
    const longest = Math.min(pauseMsMax, pauseMs * 2 ** (this.#attempts - 1))
    // At least half of the longest pause, so that webhooks that failed together do not retry together.
    await this.#ports.sleep(longest * (0.5 + this.#ports.random() / 2), signal)
    // Reads on, so that the number of events behind a rejected one is shown. This comes after the pause: a
    // failed read makes the pause longer, never shorter.
    if (!signal.aborted && this.#hasRoom) await this.#readOn(signal)
  }

  /** Throws `JournalFault`; the event is then still the first waiting one. */
  #bury(event: AdminEvent, problem: string): void {
    const { store, log, nowMs } = this.#ports
    const webhook = this.#hook.name
    store.bury(webhook, { number: event.number, problem, timeMs: nowMs() })
    this.#dead++
    this.#counts.buried++
    this.#passed(event)
    log.error({ webhook, number: event.number, problem }, 'a webhook could not deliver an event and gave up')
    if (this.#dead < DEAD_EVENTS_MAX) return
    log.error({ webhook }, 'a webhook is paused: it has reached the limit of undelivered events')
    this.#pauseItself('DEAD_EVENTS_FULL')
  }

  #passed({ number }: AdminEvent): void {
    this.#waiting = this.#waiting.slice(1)
    this.#attempts = 0
    // If no event waits, also passes the events of the feed that are not for this webhook.
    this.#hook = { ...this.#hook, position: this.#waiting.length === 0 ? this.#readTo : number }
  }

  /** Sends the oldest event that an operator wants sent again, once. */
  async #sendAwaited(signal: AbortSignal): Promise<void> {
    const { store, events } = this.#ports
    const { name, journal, kinds, account } = this.#hook
    const number = store.nextAwaited(name)
    if (number === undefined) {
      this.#looksForAwaited = false
      return
    }
    const page = await events(
      { after: number - 1, limit: 1, journal, kinds, account },
      this.#ended.signal,
      name,
    )
    const event = page.events[0]
    const isThere = event?.number === number
    const outcome = isThere ? await this.#attempt(event) : GONE
    if (this.#ended.signal.aborted) return
    if (outcome.kind !== 'DELIVERED') {
      store.stay(name, number, outcome.problem)
      await this.#ports.sleep(this.#limits.pauseMs, signal)
      return
    }
    store.raise(name, number)
    this.#dead--
  }

  async #attempt(event: AdminEvent): Promise<Outcome | TooLong> {
    const request = this.#requestOf(event)
    if (Buffer.byteLength(request.body) > WEBHOOK_BODY_BYTES_MAX) return TOO_LONG
    const outcome = await this.#alone(() => this.#ports.send(request, this.#ended.signal))
    if (this.#ended.signal.aborted) return outcome
    const { log } = this.#ports
    const webhook = this.#hook.name
    if (outcome.kind === 'DELIVERED') {
      this.#counts.delivered++
      if (this.#problem !== undefined) log.info({ webhook }, 'a webhook delivers again')
      this.#problem = undefined
      return outcome
    }
    this.#counts.failed++
    const isNew = this.#problem === undefined
    this.#problem = outcome.problem.slice(0, PROBLEM_MAX)
    // Logged once: later attempts are in the metrics.
    if (isNew)
      log.warn({ webhook, problem: this.#problem }, 'a webhook could not deliver an event and retries')
    return { kind: 'FAILED', problem: this.#problem }
  }

  #requestOf(event: AdminEvent | TestEvent): WebhookRequest {
    const { name, journal } = this.#hook
    const body = JSON.stringify({ webhook: name, journal, event })
    const headers = {
      [SIGNATURE_HEADER]: signatureOf(this.#secret, this.#ports.nowMs(), body),
      'X-Bourse-Webhook': name,
      'X-Bourse-Event': String(event.number),
    }
    return { url: this.#url, headers, body }
  }

  /** Sends one request after another. */
  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }

  #storePositionSometimes(): void {
    const isDue = this.#ports.nowMs() - this.#storedMs >= this.#limits.storeEveryMs
    if (isDue || this.#waiting.length === 0) this.#storePosition()
  }

  #storePosition(): void {
    const { name, position } = this.#hook
    this.#ports.store.move(name, position)
    this.#storedMs = this.#ports.nowMs()
  }
}

type TooLong = { readonly kind: 'TOO_LONG'; readonly problem: string }

const TOO_LONG: TooLong = {
  kind: 'TOO_LONG',
  problem: `its body has more than ${WEBHOOK_BODY_BYTES_MAX} bytes`,
}
const GONE: Outcome = { kind: 'FAILED', problem: 'the feed of this journal does not contain it' }

function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  return promise
}
