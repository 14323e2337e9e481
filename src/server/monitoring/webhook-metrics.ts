/** Metrics of the webhooks of a node. */
import type { Metrics, Reading } from './metric-kinds.ts'

export type WebhookUse = {
  readonly name: string
  readonly isPaused: boolean
  /** Number of waiting events among those that were read. */
  readonly waiting: number
  /** Age of the oldest waiting event; 0 if none is waiting. */
  readonly lagMs: number
  /** Stored events that were given up. */
  readonly dead: number
  /** Attempts since the process started. */
  readonly delivered: number
  readonly failed: number
  /** Events given up since the process started. */
  readonly buried: number
}

export function addWebhooks({ gauge, counter }: Metrics, use: () => readonly WebhookUse[]): void {
  const of = (value: (webhook: WebhookUse) => number) => (): Reading[] =>
    use().map((webhook) => ({ labels: { webhook: webhook.name }, value: value(webhook) }))
  gauge('bourse_webhooks', 'Webhooks of this node', () => [{ value: use().length }])
  gauge(
    'bourse_webhook_lag_seconds',
    'Age of the oldest event that a webhook has not delivered; 0 if all are delivered',
    of(({ lagMs }) => lagMs / 1_000),
  )
  gauge(
    'bourse_webhook_waiting_events',
    'Events waiting for a webhook; 100 means 100 or more',
    of(({ waiting }) => waiting),
  )
  gauge(
    'bourse_webhook_paused',
    '1 while a webhook is paused, else 0',
    of(({ isPaused }) => Number(isPaused)),
  )
  gauge(
    'bourse_webhook_dead_events',
    'Undelivered events stored for a webhook',
    of(({ dead }) => dead),
  )
  counter('bourse_webhook_attempts_total', 'Webhook requests, by result', () =>
    use().flatMap(({ name, delivered, failed }) =>
      Object.entries({ delivered, failed }).map(([outcome, value]) => ({
        labels: { webhook: name, outcome },
        value,
      })),
    ),
  )
  counter(
    'bourse_webhook_given_up_total',
    'Events that a webhook could not deliver',
    of(({ buried }) => buried),
  )
}
