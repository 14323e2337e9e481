/**
 * The webhooks of a node: sends their events while the node runs, and executes operators' commands on them.
 * It is only loaded if webhooks exist. It does not depend on their storage or on the operators' audit trail.
 */
import { randomBytes } from 'node:crypto'
import type { AdminDeadEvent, AdminWebhook, AdminWebhookTest } from '../../../contract/admin/webhooks.ts'
import { isoTime } from '../../../contract/time.ts'
import { type StoredWebhook, WEBHOOKS_MAX, type WebhookStore } from '../../../engine/port/webhook-store.ts'
import { timeMs } from '../../../units/quantities.ts'
import { type SecretBox, SecretBoxFault } from '../../access/auth/secret-box.ts'
import { AdminRequestError, type MasterKeyKeeper, type NewWebhook, type WebhookControl } from '../context.ts'
import { deliver, type Outcome } from './deliver.ts'
import { type PaceClock, WebhookPace } from './pace.ts'
import {
  type SENDER_LIMITS,
  type SenderCounts,
  type SenderPorts,
  type WebhookRequest,
  WebhookSender,
} from './sender.ts'
import { targetUrl } from './target.ts'

/** Random bytes of a secret; it is twice as many hexadecimal digits. */
const SECRET_BYTES = 32
/** Time limit for the status of an answer. */
export const WEBHOOK_TIMEOUT_MS = 10_000
/**
 * Time between the starts of two requests of a node, of any webhooks: 100 a second, each of which takes less
 * than a millisecond of processor time with TLS.
 */
export const WEBHOOK_GAP_MS = 10

export type WebhooksOptions = {
  readonly store: WebhookStore
  /** The journal's name. */
  readonly journal: string
  /** Whether addresses of this machine and its network are permitted too, and plain HTTP. */
  readonly mayBePrivate: boolean
  readonly box: SecretBox
  readonly events: SenderPorts['events']
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  readonly clock: PaceClock
  readonly random: () => number
  readonly waitMs: number
  readonly log: SenderPorts['log']
  readonly limits?: typeof SENDER_LIMITS
  readonly timeoutMs?: number
  /** PEM of the trusted authorities; undefined means those of the system. */
  readonly ca?: string
}

/** Counters of a webhook since the process started, for metrics. */
export type WebhookCounts = { readonly webhook: AdminWebhook; readonly counts: SenderCounts }

export class Webhooks implements WebhookControl {
  readonly #options: WebhooksOptions
  readonly #pace: WebhookPace
  readonly #senderByName = new Map<string, WebhookSender>()

  /** Starts to send. Throws `JournalFault`. */
  constructor(options: WebhooksOptions) {
    this.#options = options
    this.#pace = new WebhookPace(WEBHOOK_GAP_MS, options.clock)
    // Nothing is sent before all webhooks are available: if one cannot be created, none is used.
    for (const stored of options.store.all()) this.#take(this.#settled(stored))
    for (const sender of this.#senderByName.values()) sender.start()
  }

  get isFull(): boolean {
    return this.#senderByName.size >= WEBHOOKS_MAX
  }

  list(): readonly AdminWebhook[] {
    return [...this.#senderByName.keys()].sort().map((name) => this.#shown(this.#sender(name)))
  }

  counts(): readonly WebhookCounts[] {
    return [...this.#senderByName.values()].map((sender) => {
      return { webhook: this.#shown(sender), counts: sender.counts }
    })
  }

  has(name: string): boolean {
    return this.#senderByName.has(name)
  }

  show(name: string): AdminWebhook {
    return this.#shown(this.#sender(name))
  }

  requireUrl(url: string): void {
    targetUrl(url, this.#options.mayBePrivate)
  }

  add({ name, url, kinds, account, position }: NewWebhook): string {
    const { store, journal, box } = this.#options
    if (this.has(name)) throw new AdminRequestError('WEBHOOK_EXISTS')
    if (this.isFull) throw new AdminRequestError('LIMIT_REACHED')
    const secret = randomBytes(SECRET_BYTES).toString('hex')
    const sealedSecret = box.seal(secret, boundTo(name))
    // The checked URL is stored, because another reader might interpret the original text differently.
    const { href } = targetUrl(url, this.#options.mayBePrivate)
    const stored = { name, url: href, kinds, account, journal, position, sealedSecret, paused: undefined }
    store.add(stored)
    this.#take(stored).start()
    return secret
  }

  pause(name: string): void {
    this.#sender(name).pause('OPERATOR')
  }

  requireResumable(name: string, position: number | undefined): void {
    const { journal } = this.#options
    const { hook } = this.#sender(name)
    const isElsewhere = hook.journal !== journal || hook.paused === 'OTHER_JOURNAL'
    if (isElsewhere && position === undefined) {
      const message = `its position ${hook.position} belongs to journal ${hook.journal}, and this journal is ${journal}: give the number after which it should continue`
      throw new AdminRequestError('WEBHOOK_CANNOT_RESUME', { field: 'after', message })
    }
    if (this.#opened(hook) !== undefined) return
    const message = 'its secret cannot be decrypted with the master key: remove the webhook and add another'
    throw new AdminRequestError('WEBHOOK_CANNOT_RESUME', { message })
  }

  resume(name: string, position: number | undefined): void {
    this.requireResumable(name, position)
    const sender = this.#sender(name)
    if (position !== undefined) sender.moveTo(this.#options.journal, position)
    sender.pause(undefined)
  }

  async remove(name: string): Promise<void> {
    const sender = this.#sender(name)
    this.#options.store.remove(name)
    // No other webhook may have this name until the sender has stored its position for the last time.
    await sender.stop()
    if (this.#senderByName.get(name) === sender) this.#senderByName.delete(name)
  }

  dead(name: string): readonly AdminDeadEvent[] {
    this.#sender(name)
    return this.#options.store.dead(name).map(({ number, problem, timeMs: at, isAwaited }) => {
      return { number, problem, time: isoTime(timeMs(at)), awaited: isAwaited }
    })
  }

  requireDead(name: string, number: number | undefined): void {
    const dead = this.#options.store.dead(name)
    if (dead.some((event) => number === undefined || event.number === number)) return
    const message =
      number === undefined ? 'it has no undelivered events' : `${number} is not among its undelivered events`
    throw new AdminRequestError('UNKNOWN_DEAD_EVENT', { message })
  }

  sendAgain(name: string, number: number | undefined): number {
    return this.#sender(name).sendAgain(number)
  }

  async test(name: string): Promise<AdminWebhookTest> {
    const sender = this.#sender(name)
    if (this.#opened(sender.hook) === undefined) this.requireResumable(name, sender.hook.position)
    const time = isoTime(timeMs(this.#options.nowMs()))
    const outcome = await sender.test({ number: 0, kind: 'TEST', time })
    return outcome.kind === 'DELIVERED'
      ? { delivered: true, status: outcome.status, problem: null }
      : { delivered: false, status: null, problem: outcome.problem }
  }

  reseal(masterKeys: Pick<MasterKeyKeeper, 'reseal'>): number {
    let count = 0
    for (const [name, sender] of this.#senderByName) {
      if (sender.hook.paused === 'SECRET_UNREADABLE') continue
      const sealed = masterKeys.reseal(sender.hook.sealedSecret, boundTo(name))
      if (sealed === undefined) continue
      sender.reseal(sealed)
      count++
    }
    return count
  }

  /** Stops sending. Resolves once no request is pending and all positions are stored. */
  async stop(): Promise<void> {
    await Promise.all([...this.#senderByName.values()].map((sender) => sender.stop()))
    this.#options.store.close()
  }

  /** A webhook of another journal, or with a secret that cannot be opened, is paused, which is logged. */
  #settled(stored: StoredWebhook): StoredWebhook {
    const { journal, store, log } = this.#options
    const { name, paused } = stored
    const isReadable = this.#opened(stored) !== undefined
    const wanted = !isReadable
      ? 'SECRET_UNREADABLE'
      : stored.journal !== journal
        ? 'OTHER_JOURNAL'
        : undefined
    if (wanted === undefined && paused !== 'SECRET_UNREADABLE') return stored
    if (wanted !== paused) store.pause(name, wanted)
    if (wanted !== undefined) log.error({ webhook: name, paused: wanted }, 'a webhook is paused')
    return { ...stored, paused: wanted }
  }

  /** Creates the webhook's sender without starting it. Throws `JournalFault`. */
  #take(hook: StoredWebhook): WebhookSender {
    const { store, events, nowMs, random, clock, waitMs, log, limits } = this.#options
    const send = (request: WebhookRequest, signal: AbortSignal) => this.#send(request, signal)
    const ports = { events, send, store, nowMs, random, sleep: clock.sleep, waitMs, log }
    const sender = new WebhookSender(hook, this.#opened(hook) ?? '', ports, limits)
    this.#senderByName.set(hook.name, sender)
    return sender
  }

  async #send(request: WebhookRequest, signal: AbortSignal): Promise<Outcome> {
    const { mayBePrivate, timeoutMs = WEBHOOK_TIMEOUT_MS, ca } = this.#options
    await this.#pace.turn(signal)
    return deliver({ ...request, timeoutMs, mayBePrivate, signal, ca })
  }

  /** Undefined if it cannot be opened. */
  #opened({ sealedSecret, name }: StoredWebhook): string | undefined {
    try {
      return this.#options.box.open(sealedSecret, boundTo(name))
    } catch (fault) {
      if (!(fault instanceof SecretBoxFault)) throw fault
      return undefined
    }
  }

  #sender(name: string): WebhookSender {
    const sender = this.#senderByName.get(name)
    if (sender === undefined) throw new AdminRequestError('UNKNOWN_WEBHOOK')
    return sender
  }

  #shown({ hook, waiting, attempts, problem, dead }: WebhookSender): AdminWebhook {
    const { name, url, kinds = null, account = null, paused = null, position, journal } = hook
    const [oldest] = waiting
    const lagMs = oldest === undefined ? 0 : Math.max(0, this.#options.nowMs() - Date.parse(oldest.time))
    const progress = { waiting: waiting.length, lagMs, attempts, problem: problem ?? null, dead }
    return { name, url, kinds, account, paused, position, journal, ...progress }
  }
}

/** The name to which a sealed secret is bound: no API key has such a name. */
function boundTo(name: string): string {
  return `webhook:${name}`
}
