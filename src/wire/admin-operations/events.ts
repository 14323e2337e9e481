/** The numbered feed of events, and the webhooks that send it. */
import type { EventKind } from '../../units/event-words.ts'
import type { AdminEventPage, AdminEventRequest } from '../admin-events.ts'
import type { AdminDeadEvent, AdminWebhook, AdminWebhookTest } from '../admin-webhooks.ts'
import type { AuditFields } from './fields.ts'

export type EventOperations = {
  /** The same as `GET /admin/v1/events`. */
  'event/list': { readonly request: AdminEventRequest; readonly result: AdminEventPage }
  'webhook/list': { readonly request: Record<string, never>; readonly result: readonly AdminWebhook[] }
  'webhook/show': { readonly request: { name: string }; readonly result: AdminWebhook }
  /** Sends what comes after `after`; without it, what happens from now on. */
  'webhook/add': {
    readonly request: AuditFields & {
      name: string
      url: string
      kinds?: EventKind[] | undefined
      account?: string | undefined
      after?: number | undefined
    }
    /** The only time that the secret is shown. */
    readonly result: AdminWebhook & { readonly secret: string }
  }
  'webhook/pause': { readonly request: AuditFields & { name: string }; readonly result: AdminWebhook }
  /** Where it stopped, or with what comes after `after`. */
  'webhook/resume': {
    readonly request: AuditFields & { name: string; after?: number | undefined }
    readonly result: AdminWebhook
  }
  'webhook/remove': {
    readonly request: AuditFields & { name: string }
    /** As it was. */
    readonly result: AdminWebhook
  }
  /** One attempt at once, with something that is no event. */
  'webhook/test': { readonly request: AuditFields & { name: string }; readonly result: AdminWebhookTest }
  /** One of the events that it gave up, or all. */
  'webhook/retry': {
    readonly request: AuditFields & { name: string; number?: number | undefined }
    /** How many are to be sent again. */
    readonly result: { readonly count: number }
  }
  /** What a webhook gave up, the oldest first. */
  'dead-event/list': { readonly request: { name: string }; readonly result: readonly AdminDeadEvent[] }
}
