/** Where a node has its webhooks: nothing of them is loaded before there is a first one. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'
import { AdminRequestError, type WebhookDesk, type WebhookPlace } from '../../server/admin/context.ts'
import type { WebhookUse } from '../../server/monitoring/webhook-metrics.ts'
import { guarded } from '../../units/guarded.ts'
import { faultsOf } from '../process/background.ts'
import type { OpenedWebhooks, WebhooksParts } from './open-webhooks.ts'
import { WEBHOOKS_FILE } from './storage/storage.ts'

const NOTHING_SENT = 'no webhook is sent: what is stored of them cannot be read'
/** How often what a full disk keeps from being opened is tried. */
const RETRY_MS = 500

export class NodeWebhooks implements WebhookPlace {
  readonly #parts: WebhooksParts
  #opening: Promise<OpenedWebhooks> | undefined
  #opened: OpenedWebhooks | undefined
  #isStopped = false

  constructor(parts: WebhooksParts) {
    this.#parts = parts
  }

  /**
   * Goes on where the process before has stopped. What cannot be read is logged, and keeps no exchange from its start; what a full disk keeps from
   * being opened is tried again until there is room.
   */
  async begin(): Promise<void> {
    const problem = await this.#problem()
    if (problem === undefined) return
    this.#parts.log.error({ problem: problem.message }, NOTHING_SENT)
    if (problem.error.reason === 'STORAGE_FULL') this.#beginLater()
  }

  /** Keeps no process running. */
  #beginLater(): void {
    const again = async (): Promise<void> => {
      if (this.#isStopped) return
      const problem = await this.#problem()
      if (problem?.error.reason === 'STORAGE_FULL') this.#beginLater()
    }
    setTimeout(guarded(again, faultsOf(this.#parts.log, 'the webhooks of a full disk')), RETRY_MS).unref()
  }

  /** Why what is stored cannot be opened; undefined: it is open, or nothing is stored. */
  async #problem(): Promise<AdminRequestError | undefined> {
    try {
      await this.find()
      return undefined
    } catch (err) {
      if (!(err instanceof AdminRequestError)) throw err
      return err
    }
  }

  async find(): Promise<WebhookDesk | undefined> {
    const file = path.join(this.#parts.settings.dataDirectory, WEBHOOKS_FILE)
    return this.#opening === undefined && !existsSync(file) ? undefined : this.open()
  }

  async open(): Promise<WebhookDesk> {
    this.#opening ??= this.#open()
    try {
      return (await this.#opening).webhooks
    } catch (cause) {
      // What failed once, for want of room say, may work later.
      this.#opening = undefined
      if (!(cause instanceof JournalFault)) throw cause
      const reason = cause.kind === 'STORAGE_FULL' ? 'STORAGE_FULL' : 'WEBHOOKS_UNREADABLE'
      throw new AdminRequestError(reason, { message: cause.message })
    }
  }

  /** For metrics. */
  use(): readonly WebhookUse[] {
    return (this.#opened?.webhooks.counts() ?? []).map(({ webhook, counts }) => {
      const { name, paused, waiting, lagMs, dead } = webhook
      return { name, isPaused: paused !== null, waiting, lagMs, dead, ...counts }
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await (await this.#opening?.catch(() => undefined))?.stop()
  }

  async #open(): Promise<OpenedWebhooks> {
    const { openWebhooks } = await import('./open-webhooks.ts')
    this.#opened = openWebhooks(this.#parts)
    return this.#opened
  }
}
