/** Where a node has its webhooks: nothing of them is loaded before there is a first one. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { JournalFault } from '../../engine/journal.ts'
import { AdminRequestError, type WebhookDesk, type WebhookPlace } from '../../gateway/admin/context.ts'
import type { WebhookUse } from '../../gateway/monitoring/webhook-metrics.ts'
import { WEBHOOKS_FILE } from '../storage/storage.ts'
import type { OpenedWebhooks, WebhooksParts } from '../webhooks/open-webhooks.ts'

export class NodeWebhooks implements WebhookPlace {
  readonly #parts: WebhooksParts
  #opening: Promise<OpenedWebhooks> | undefined
  #opened: OpenedWebhooks | undefined

  constructor(parts: WebhooksParts) {
    this.#parts = parts
  }

  /** Goes on where the process before has stopped. What cannot be read is logged, and keeps no exchange from its start. */
  async begin(): Promise<void> {
    try {
      await this.find()
    } catch (err) {
      if (!(err instanceof AdminRequestError)) throw err
      this.#parts.log.error(
        { problem: err.message },
        'no webhook is sent: what is stored of them cannot be read',
      )
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
    await (await this.#opening?.catch(() => undefined))?.stop()
  }

  async #open(): Promise<OpenedWebhooks> {
    const { openWebhooks } = await import('../webhooks/open-webhooks.ts')
    this.#opened = openWebhooks(this.#parts)
    return this.#opened
  }
}
