/** The storage of a node's webhooks. Loaded only if there are any. */
import { join } from 'node:path'
import type { WebhookStore } from '../../../engine/port/webhook-store.ts'
import { SqliteWebhooks } from '../../../storage/sqlite/webhooks.ts'
import { prepareStorage, WEBHOOKS_FILE } from './storage.ts'

/** Throws `JournalFault`. */
export function openWebhookStore(dataDirectory: string): WebhookStore {
  prepareStorage()
  return new SqliteWebhooks(join(dataDirectory, WEBHOOKS_FILE))
}
