/** Many subscribers in a separate process: joins, counts and reports as its parent requests. */
import { Subscriber } from './subscriber.ts'
import type { Arrivals, Delays, SubscriberOrder, SubscriberReport, SubscriptionPlan } from './subscription.ts'

/** One reader in this number is timed. */
const TIMED_EVERY = 20
/** Connections opened at a time: the listening socket's queue is short. */
const OPENED_AT_ONCE = 100

const readers: Subscriber[] = []

process.on('message', (order: SubscriberOrder) => {
  obey(order).then(report, (cause: unknown) => report({ kind: 'problem', problem: String(cause) }))
})

function report(message: SubscriberReport): void {
  process.send?.(message)
}

async function obey(order: SubscriberOrder): Promise<SubscriberReport> {
  switch (order.kind) {
    case 'join':
      await join(order)
      return { kind: 'joined' }
    case 'arrivals':
      return { kind: 'arrivals', arrivals: arrivals() }
    case 'delays':
      return { kind: 'delays', delays: delays(new Map(order.acknowledged)) }
  }
}

async function join(plan: SubscriptionPlan): Promise<void> {
  for (let opened = 0; opened < plan.count; opened += OPENED_AT_ONCE) {
    const some = Array.from({ length: Math.min(OPENED_AT_ONCE, plan.count - opened) }, (_, i) => {
      const number = opened + i
      const isSlow = number >= plan.count - plan.slow
      const isLagging = !isSlow && number >= plan.count - plan.slow - plan.lagging
      const isTimed = number % TIMED_EVERY === 0 && !isSlow
      const subscriber = new Subscriber(plan, { isTimed, isDigested: number === 0, isSlow, isLagging })
      if (!isSlow) readers.push(subscriber)
      return subscriber.join()
    })
    await Promise.all(some)
  }
}

function arrivals(): Arrivals {
  const messages = readers.reduce((sum, reader) => sum + reader.messages, 0)
  return { messages, digest: (readers[0]?.digest ?? 0).toString(16) }
}

/** The delays of all timed readers and all their matches, which are then removed. */
function delays(acknowledgedAt: ReadonlyMap<string, number>): Delays {
  const found: number[] = []
  for (const { matchedAt } of readers) {
    for (const [id, at] of matchedAt) {
      const from = acknowledgedAt.get(id)
      // A match that arrives before the answer has no delay.
      if (from !== undefined) found.push(Math.max(0, at - from))
    }
    matchedAt.clear()
  }
  const sorted = Float64Array.from(found).sort()
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}
