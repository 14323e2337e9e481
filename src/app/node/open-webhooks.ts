/**
 * Assembles the webhooks of a node: their stored data, the feed, the clock and the network. Loaded only if
 * there are any.
 */

import { EVENT_WAIT_MS_MAX } from '../../contract/admin/events.ts'
import type { KeyRing } from '../../server/access/auth/key-ring.ts'
import type { AdminContext } from '../../server/admin/context.ts'
import { type EventsContext, listEvents } from '../../server/admin/events/list-events.ts'
import { NewsWatch } from '../../server/admin/events/news-watch.ts'
import { Webhooks, type WebhooksOptions } from '../../server/admin/webhooks/webhooks.ts'
import type { Logger } from '../../server/common/logger.ts'
import { cannotFail, guarded } from '../../units/guarded.ts'
import { faultsOf } from '../process/background.ts'
import type { Settings } from '../settings/defaults.ts'
import { openWebhookStore } from './storage/stored-webhooks.ts'

export type WebhooksParts = {
  readonly settings: Pick<Settings, 'dataDirectory' | 'webhooks'>
  readonly context: Omit<AdminContext, 'caller' | 'asker' | 'news' | 'webhooks' | 'reports'>
  readonly secretBox: KeyRing
  readonly log: Logger
}

export type OpenedWebhooks = {
  readonly webhooks: Webhooks
  /** Stops sending; resolves once no request is pending and all positions are stored. */
  readonly stop: () => Promise<void>
}

/** Starts the webhooks of the data directory. Throws `JournalFault`. */
export function openWebhooks({ settings, context, secretBox, log }: WebhooksParts): OpenedWebhooks {
  const news = new NewsWatch(context.seq, faultsOf(log, 'the event monitor'))
  // Each webhook waits for events under a name of its own, as tokens do.
  const readingFor = (webhook: string): EventsContext => ({
    ...{ ...context, news, webhooks: undefined },
    caller: { token: webhook, role: 'webhook', rights: [] },
  })
  const store = openWebhookStore(settings.dataDirectory)
  const options: WebhooksOptions = {
    store,
    journal: context.journal,
    mayBePrivate: settings.webhooks.privateAddresses,
    box: secretBox,
    events: (request, signal, webhook) => listEvents(readingFor(webhook), request, signal),
    nowMs: context.now,
    clock: { nowMs: () => performance.now(), sleep },
    random: Math.random,
    waitMs: EVENT_WAIT_MS_MAX,
    log,
  }
  let webhooks: Webhooks
  try {
    webhooks = new Webhooks(options)
  } catch (cause) {
    store.close()
    throw cause
  }
  const stop = async (): Promise<void> => {
    await webhooks.stop()
    news.close()
  }
  return { webhooks, stop }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const over = (): void => {
    clearTimeout(timer)
    signal.removeEventListener('abort', over)
    resolve()
  }
  const timer = setTimeout(guarded(over, cannotFail), ms)
  signal.addEventListener('abort', over)
  return promise
}
