/**
 * Sends the events of one webhook, in order and at least once: each is tried until it is taken or given up, and the next one is sent after
 * that. Where it has come to is stored after the fact, so that what is not stored is sent again. It knows neither sockets nor SQL.
 */
import { DEAD_EVENTS_MAX, type StoredWebhook, type WebhookStore } from '../../../engine/port/webhook-store.ts'
import type { WebhookPause } from '../../../units/operator-words.ts'
import type { AdminEventRequest } from '../../../wire/admin.ts'
import type { AdminEvent, AdminEventPage } from '../../../wire/admin-events.ts'
import { WEBHOOK_WAITING_MAX } from '../../../wire/admin-webhooks.ts'
import type { Logger } from '../../common/logger.ts'
import { AdminRequestError } from '../context.ts'
import type { Outcome } from './deliver.ts'
import { SIGNATURE_HEADER, signatureOf } from './signature.ts'

export type SenderLimits = {
  /** An event is given up after so many attempts. */
  readonly attemptsMax: number
  /** The longest pause after a first failure; doubled with each, up to `pauseMsMax`. */
  readonly pauseMs: number
  readonly pauseMsMax: number
  /** A position is stored so often at most while events wait. */
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

/** Most bytes of a body. No event comes near it; one that did would be given up at once. */
export const WEBHOOK_BODY_BYTES_MAX = 256 * 1024
/** Longest problem that is kept. */
const PROBLEM_MAX = 300

export type WebhookRequest = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type SenderPorts = {
  /** A page of the feed; waits for news where there is nothing. Rejects with `AdminRequestError` or an `EngineFault`. */
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
  /** 0 to 1, for pauses. */
  readonly random: () => number
  /** Resolves after so many milliseconds, or when `signal` says so. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Longest wait for news in one question, in milliseconds. */
  readonly waitMs: number
  readonly log: Logger
}

export type SenderCounts = {
  /** Attempts that were taken. */
  readonly delivered: number
  /** Attempts that were not. */
  readonly failed: number
  /** Events given up. */
  readonly buried: number
}

/** What a test sends: no event of the feed, so that it has no number of one. */
export type TestEvent = { readonly number: 0; readonly kind: 'TEST'; readonly time: string }

/** When an operator has changed something, or it ends: whoever waits is to look again. */
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
  /** Read, and neither taken nor given up; the first one is under way. */
  #waiting: readonly AdminEvent[] = []
  /** The feed was read up to there. */
  #readTo: number
  /** Failed attempts of the first one that waits. */
  #attempts = 0
  #problem: string | undefined
  #storedMs = Number.NEGATIVE_INFINITY
  /** Some of those given up may have to be sent again. */
  #looksForAwaited = true
  /** One request is under way at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  #run: Promise<void> = Promise.resolve()

  /** `secret`: any where the webhook is paused because its own does not open. */
  constructor(hook: StoredWebhook, secret: string, ports: SenderPorts, limits = SENDER_LIMITS) {
    this.#hook = hook
    this.#secret = secret
    this.#ports = ports
    this.#limits = limits
    this.#url = new URL(hook.url)
    this.#readTo = hook.position
    this.#dead = ports.store.deadCount(hook.name)
  }

  /** As it is now; the position may be ahead of the stored one. */
  get hook(): StoredWebhook {
    return this.#hook
  }

  get counts(): SenderCounts {
    return this.#counts
  }

  /** How many events were given up and are kept. */
  get dead(): number {
    return this.#dead
  }

  /** Events read and not yet taken, the oldest first; `WEBHOOK_WAITING_MAX` at most, there may be more. */
  get waiting(): readonly AdminEvent[] {
    return this.#waiting
  }

  /** Failed attempts of the first event that waits. */
  get attempts(): number {
    return this.#attempts
  }

  /** What came of the last attempt; undefined: it was taken, or there was none. */
  get problem(): string | undefined {
    return this.#problem
  }

  start(): void {
    this.#run = this.#loop()
  }

  /** Cuts off what is under way. Resolves once nothing is, and the position is stored. */
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

  /** Undefined: it goes on, with the first attempt of what waits. Throws `JournalFault`. */
  pause(paused: WebhookPause | undefined): void {
    this.#ports.store.pause(this.#hook.name, paused)
    this.#hook = { ...this.#hook, paused }
    this.#attempts = 0
    this.#change.happened()
  }

  /** Goes on behind that number of that journal. Throws `JournalFault`. */
  moveTo(journal: string, position: number): void {
    this.#ports.store.moveTo(this.#hook.name, journal, position)
    this.#hook = { ...this.#hook, journal, position }
    this.#waiting = []
    this.#readTo = position
    this.#attempts = 0
    this.#change.happened()
  }

  /** Another sealing of the same secret. Throws `JournalFault`. */
  reseal(sealedSecret: Uint8Array): void {
    this.#ports.store.reseal(this.#hook.name, sealedSecret)
    this.#hook = { ...this.#hook, sealedSecret }
  }

  /** Those that were given up, one of them or all, are sent again before anything else. How many. Throws `JournalFault`. */
  sendAgain(number: number | undefined): number {
    const count = this.#ports.store.await(this.#hook.name, number)
    this.#looksForAwaited = true
    this.#change.happened()
    return count
  }

  /** One attempt with something that is no event; a webhook that is paused is sent it too. */
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
      log.error({ webhook }, 'a webhook is paused: its position is of another journal')
      this.#pauseItself('OTHER_JOURNAL')
      return
    }
    log.warn({ webhook, err: error }, 'a webhook could not go on, and tries again')
    await sleep(this.#limits.faultPauseMs * (0.5 + random() / 2), this.#ended.signal)
  }

  /** One that could not be stored lasts until the process ends, and is found again then. */
  #pauseItself(paused: WebhookPause): void {
    this.#hook = { ...this.#hook, paused }
    try {
      this.#ports.store.pause(this.#hook.name, paused)
    } catch (err) {
      this.#ports.log.warn({ webhook: this.#hook.name, err }, 'the pause of a webhook could not be stored')
    }
  }

  /** Does what is next: sends again, reads, waits for an operator, or sends. */
  async #step(): Promise<void> {
    const { signal } = this.#change
    const { paused } = this.#hook
    const isPaused = paused !== undefined
    if (this.#looksForAwaited && !isPaused) return this.#sendAwaited(signal)
    const event = this.#waiting[0]
    // Read while it is paused too: how far it is behind can be seen then.
    const isToRead = event === undefined || (isPaused && this.#hasRoom)
    if (isToRead && paused !== 'OTHER_JOURNAL') return this.#readOn(signal, this.#ports.waitMs)
    if (event === undefined || isPaused) return untilAborted(signal)
    await this.#sendFirst(event, signal)
  }

  get #hasRoom(): boolean {
    return this.#waiting.length < WEBHOOK_WAITING_MAX
  }

  /** Reads what comes behind those that wait; where there is nothing, waits for news as long as is said. */
  async #readOn(signal: AbortSignal, wait?: number): Promise<void> {
    const { journal, kinds, account, name } = this.#hook
    const limit = WEBHOOK_WAITING_MAX - this.#waiting.length
    const asked = { after: this.#readTo, journal, kinds, account, limit, wait }
    const { events, next } = await this.#ports.events(asked, signal, name)
    // Whoever was moved elsewhere meanwhile reads again.
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
    // Half of it at least, so that hooks that failed together do not come back together.
    await this.#ports.sleep(longest * (0.5 + this.#ports.random() / 2), signal)
    // So that everybody sees how much waits behind one that is not taken. After the pause: a read that fails makes it longer, never shorter.
    if (!signal.aborted && this.#hasRoom) await this.#readOn(signal)
  }

  /** Throws `JournalFault`, and then it is still the first that waits. */
  #bury(event: AdminEvent, problem: string): void {
    const { store, log, nowMs } = this.#ports
    const webhook = this.#hook.name
    store.bury(webhook, { number: event.number, problem, timeMs: nowMs() })
    this.#dead++
    this.#counts.buried++
    this.#passed(event)
    log.error({ webhook, number: event.number, problem }, 'a webhook gave an event up')
    if (this.#dead < DEAD_EVENTS_MAX) return
    log.error({ webhook }, 'a webhook is paused: it has given up as many events as are kept')
    this.#pauseItself('DEAD_EVENTS_FULL')
  }

  #passed({ number }: AdminEvent): void {
    this.#waiting = this.#waiting.slice(1)
    this.#attempts = 0
    // What was looked at behind the last one is passed too.
    this.#hook = { ...this.#hook, position: this.#waiting.length === 0 ? this.#readTo : number }
  }

  /** The oldest of those that an operator wants to be sent again, once. */
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
      if (this.#problem !== undefined) log.info({ webhook }, 'a webhook is delivered again')
      this.#problem = undefined
      return outcome
    }
    this.#counts.failed++
    const isNew = this.#problem === undefined
    this.#problem = outcome.problem.slice(0, PROBLEM_MAX)
    // Once: the attempts after it are in the metrics.
    if (isNew) log.warn({ webhook, problem: this.#problem }, 'a webhook is not delivered, and is tried again')
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

  /** One request after another. */
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
const GONE: Outcome = { kind: 'FAILED', problem: 'the feed of this journal does not have it' }

function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  return promise
}
