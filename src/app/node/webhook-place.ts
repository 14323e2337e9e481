/** The webhooks of a node: their code is only loaded once there is a webhook. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'
import { AdminRequestError, type WebhookControl, type WebhookPlace } from '../../server/admin/context.ts'
import type { WebhookUse } from '../../server/monitoring/webhook-metrics.ts'
import { guarded } from '../../units/guarded.ts'
import { faultsOf } from '../process/background.ts'
import type { OpenedWebhooks, WebhooksParts } from './open-webhooks.ts'
import { WEBHOOKS_FILE } from './storage/storage.ts'

const NOTHING_SENT = 'no webhooks are sent: the stored webhooks cannot be read'
/** Interval at which opening is retried while a full disk prevents it. */
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
   * Continues from the end of the previous process. Unreadable data is logged and does not prevent the
   * exchange from starting; if a full disk prevents opening, it is retried until there is space.
   */
  async begin(): Promise<void> {
    const problem = await this.#problem()
    if (problem === undefined) return
    this.#parts.log.error({ problem: problem.message }, NOTHING_SENT)
    if (problem.error.reason === 'STORAGE_FULL') this.#beginLater()
  }

  /** Does not keep the process running. */
  #beginLater(): void {
    const again = async (): Promise<void> => {
      if (this.#isStopped) return
      const problem = await this.#problem()
      if (problem?.error.reason === 'STORAGE_FULL') this.#beginLater()
    }
    setTimeout(
      guarded(again, faultsOf(this.#parts.log, 'opening the webhooks after a full disk')),
      RETRY_MS,
    ).unref()
  }

  /** The reason why the stored data cannot be opened; undefined if it is open or there is none. */
  async #problem(): Promise<AdminRequestError | undefined> {
    try {
      await this.find()
      return undefined
    } catch (err) {
      if (!(err instanceof AdminRequestError)) throw err
      return err
    }
  }

  async find(): Promise<WebhookControl | undefined> {
    const file = path.join(this.#parts.settings.dataDirectory, WEBHOOKS_FILE)
    return this.#opening === undefined && !existsSync(file) ? undefined : this.open()
  }

  async open(): Promise<WebhookControl> {
    this.#opening ??= this.#open()
    try {
      return (await this.#opening).webhooks
    } catch (cause) {
      // An operation that failed once, for example for lack of space, may work later.
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
