/**
 * The order in which a webhook sends, its reaction to failures, and the position from which it continues;
 * time only passes when the tests advance it.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../../../../test/support/until.ts'
import type { AdminEvent } from '../../../contract/admin/events.ts'
import { WEBHOOK_WAITING_MAX } from '../../../contract/admin/webhooks.ts'
import { DEAD_EVENTS_MAX, type StoredWebhook } from '../../../engine/port/webhook-store.ts'
import { SqliteWebhooks } from '../../../storage/sqlite/webhooks.ts'
import { AdminRequestError } from '../context.ts'
import type { Outcome } from './deliver.ts'
import { SENDER_LIMITS, type SenderPorts, type WebhookRequest, WebhookSender } from './sender.ts'

const NOW = 1_800_000_000_123
const SECRET = 'a secret of a webhook'
const DELIVERED: Outcome = { kind: 'DELIVERED', status: 200 }
const FAILED: Outcome = { kind: 'FAILED', problem: 'was answered with status 500' }

let directory: string
let store: SqliteWebhooks
let senders: WebhookSender[]
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'bourse-sender-'))
  store = new SqliteWebhooks(path.join(directory, 'webhooks.sqlite'))
  senders = []
})
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.stop()))
  store.close()
  rmSync(directory, { recursive: true })
})

/** A feed with an event for every tenth number. A read waits for events without a time limit. */
class Feed {
  end = 0

  events: SenderPorts['events'] = async ({ after = 0, limit = 100, wait }, signal) => {
    const first = Math.floor(after / 10) * 10 + 10
    while (wait !== undefined && first > this.end && !signal.aborted) await Bun.sleep(1)
    const numbers = Array.from({ length: limit }, (_, i) => first + 10 * i).filter((n) => n <= this.end)
    return {
      journal: 'one',
      events: numbers.map(eventOf),
      next: Math.max(after, numbers.at(-1) ?? 0),
      end: this.end,
    }
  }
}

function eventOf(number: number): AdminEvent {
  const time = new Date(NOW - 5_000).toISOString()
  const nobody = { account: null, actor: null, note: null }
  return { number, seq: number, time, kind: 'CREDIT', ...nobody, fields: {} }
}

type Started = { readonly sender: WebhookSender; readonly sent: WebhookRequest[]; readonly slept: number[] }

function start(
  feed: Feed,
  answer: (number: number, attempt: number) => Outcome | Promise<Outcome>,
  ports: Partial<SenderPorts> = {},
): Started {
  const name = 'books'
  if (store.all().length === 0) {
    const rest = { kinds: undefined, account: undefined, paused: undefined, sealedSecret: new Uint8Array(9) }
    store.add({ name, url: 'https://books.example/', journal: 'one', position: 0, ...rest })
  }
  const sent: WebhookRequest[] = []
  const slept: number[] = []
  const attempts = new Map<number, number>()
  const sender = new WebhookSender(store.all()[0] as StoredWebhook, SECRET, {
    events: feed.events,
    send: async (request) => {
      sent.push(request)
      const number = numberOf(request)
      attempts.set(number, (attempts.get(number) ?? 0) + 1)
      return answer(number, attempts.get(number) ?? 0)
    },
    store,
    nowMs: () => NOW,
    random: () => 1,
    sleep: async (ms) => {
      slept.push(ms)
    },
    waitMs: 0,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    ...ports,
  })
  senders.push(sender)
  sender.start()
  return { sender, sent, slept }
}

const numberOf = ({ headers }: WebhookRequest) => Number(headers['X-Bourse-Event'])
const reaches = (sender: WebhookSender, position: number) =>
  until(`it has come to ${position}`, () => sender.hook.position >= position)

test('the log says once that a webhook is not delivered, with the reason, and once that it is again', async () => {
  const feed = new Feed()
  feed.end = 30
  const said: unknown[] = []
  const say = (fields: object, words: string) => said.push([fields, words])
  const log = { debug: () => {}, info: say, warn: say, error: () => {} } as SenderPorts['log']
  const failing = (attempt: number): Outcome => ({ kind: 'FAILED', problem: `no ${attempt}` })
  const { sender } = start(
    feed,
    (number, attempt) => (number === 20 && attempt < 4 ? failing(attempt) : DELIVERED),
    {
      log,
    },
  )
  await reaches(sender, 30)
  expect(said).toEqual([
    [{ webhook: 'books', problem: 'no 1' }, 'a webhook could not deliver an event and retries'],
    [{ webhook: 'books' }, 'a webhook delivers again'],
  ])
})

test('each event is sent once, in order, with a signature over its time and its exact body', async () => {
  const feed = new Feed()
  feed.end = 2_500
  const { sender, sent } = start(feed, () => DELIVERED)
  await reaches(sender, 2_500)
  expect(sent.map(numberOf)).toEqual(Array.from({ length: 250 }, (_, i) => 10 * (i + 1)))
  for (const { headers, body } of sent) {
    const digest = createHmac('sha256', SECRET).update(`${NOW}.${body}`).digest('hex')
    expect(headers['X-Bourse-Signature']).toBe(`t=${NOW},v1=${digest}`)
    const { webhook, journal, event } = JSON.parse(body)
    expect([webhook, journal, String(event.number)]).toEqual(['books', 'one', headers['X-Bourse-Event']])
  }
})

test('an event that is not accepted is sent again before the next one, after pauses that double up to a bound', async () => {
  const feed = new Feed()
  feed.end = 30
  const { sender, sent, slept } = start(feed, (number, attempt) =>
    number === 20 && attempt < 12 ? FAILED : DELIVERED,
  )
  await reaches(sender, 30)
  expect(sent.map(numberOf)).toEqual([10, ...Array(12).fill(20), 30])
  expect(slept).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1_000))
  expect(sender.counts).toEqual({ delivered: 3, failed: 11, buried: 0 })
})

test('half of a pause is random, so that webhooks that failed together do not come back together', async () => {
  const feed = new Feed()
  feed.end = 10
  const { sender, slept } = start(feed, (_number, attempt) => (attempt < 3 ? FAILED : DELIVERED), {
    random: () => 0,
  })
  await reaches(sender, 10)
  expect(slept).toEqual([500, 1_000])
})

test('an event that is never accepted is given up and kept, and the webhook continues after it', async () => {
  const feed = new Feed()
  feed.end = 30
  const { sender, sent } = start(feed, (number) => (number === 20 ? FAILED : DELIVERED))
  await reaches(sender, 30)
  expect(sent.map(numberOf)).toEqual([10, ...Array(SENDER_LIMITS.attemptsMax).fill(20), 30])
  expect(store.dead('books')).toEqual([
    { number: 20, problem: 'was answered with status 500', timeMs: NOW, isAwaited: false },
  ])
  expect([sender.dead, sender.counts.buried]).toEqual([1, 1])
})

test('events that were given up are sent again on an operator’s request, once, before anything else, and stay where that fails', async () => {
  const feed = new Feed()
  feed.end = 30
  let isWell = false
  const { sender, sent } = start(feed, (number) => (number < 30 && !isWell ? FAILED : DELIVERED))
  await reaches(sender, 30)
  sent.length = 0
  expect(sender.sendAgain(10)).toBe(1)
  await until('it was tried again', () => sent.length === 1 && store.nextAwaited('books') === undefined)
  expect(store.dead('books').map(({ number }) => number)).toEqual([10, 20])
  isWell = true
  expect(sender.sendAgain(undefined)).toBe(2)
  await until('none is left', () => sender.dead === 0)
  expect([sent.map(numberOf), store.dead('books')]).toEqual([[10, 10, 20], []])
  feed.end = 40
  await reaches(sender, 40)
  expect(sent.map(numberOf).at(-1)).toBe(40)
})

test('a webhook that has given up as many events as are kept pauses, and skips nothing', async () => {
  const feed = new Feed()
  feed.end = 30
  const started = start(feed, () => DELIVERED)
  await reaches(started.sender, 30)
  await started.sender.stop()
  for (let i = 1; i < DEAD_EVENTS_MAX; i++) store.bury('books', { number: i, problem: '', timeMs: 0 })
  store.move('books', 30)
  feed.end = 60
  const { sender, sent } = start(feed, () => FAILED)
  await until('it pauses', () => sender.hook.paused === 'DEAD_EVENTS_FULL')
  expect([sender.hook.position, store.all()[0]?.paused]).toEqual([40, 'DEAD_EVENTS_FULL'])
  expect(new Set(sent.map(numberOf))).toEqual(new Set([40]))
})

test('a paused webhook sends nothing and says how far it is behind; resumed, it continues where it stopped', async () => {
  const feed = new Feed()
  feed.end = 10
  const { sender, sent } = start(feed, () => DELIVERED)
  await reaches(sender, 10)
  sender.pause('OPERATOR')
  feed.end = 50
  await until('it has read on', () => sender.waiting.length === 4)
  expect([sent.length, store.all()[0]?.paused]).toEqual([1, 'OPERATOR'])
  sender.pause(undefined)
  await reaches(sender, 50)
  expect(sent.map(numberOf)).toEqual([10, 20, 30, 40, 50])
})

test('while an event is not accepted or sending is paused, up to a hundred later ones are read, and sent in order', async () => {
  const feed = new Feed()
  feed.end = 10
  let isWell = false
  // Events that arrive while it waits after the first failure are sent with the second attempt.
  const sleep: SenderPorts['sleep'] = async (_ms, signal) => {
    if (feed.end === 10) feed.end = 30
    else await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  const { sender, sent } = start(feed, () => (isWell ? DELIVERED : FAILED), { sleep })
  await until('it has read behind the first', () => sender.waiting.length === 3)
  sender.pause('OPERATOR')
  feed.end = 2_000
  await until('it has as many as it may', () => sender.waiting.length === WEBHOOK_WAITING_MAX)
  const { hook, waiting } = sender
  expect([hook.position, waiting[0]?.number, waiting.at(-1)?.number]).toEqual([0, 10, 1_000])
  isWell = true
  sender.pause(undefined)
  await reaches(sender, 2_000)
  const numbers = sent.map(numberOf)
  expect(numbers.slice(numbers.lastIndexOf(10))).toEqual(Array.from({ length: 200 }, (_, i) => 10 * (i + 1)))
})

test('an unreadable feed shortens no pause after a failure: no event is given up sooner', async () => {
  const feed = new Feed()
  feed.end = 10
  const events: SenderPorts['events'] = async (asked, ...rest) => {
    if (asked.wait === undefined) throw new Error('the history is behind')
    return feed.events(asked, ...rest)
  }
  const { sender, slept } = start(feed, (_number, attempt) => (attempt < 4 ? FAILED : DELIVERED), { events })
  await reaches(sender, 10)
  const { faultPauseMs } = SENDER_LIMITS
  expect(slept).toEqual([1_000, faultPauseMs, 2_000, faultPauseMs, 4_000, faultPauseMs])
})

test('resuming a webhook ends the pause after a failure', async () => {
  const feed = new Feed()
  feed.end = 10
  let isWell = false
  const sleep: SenderPorts['sleep'] = (_ms, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  const { sender } = start(feed, () => (isWell ? DELIVERED : FAILED), { sleep })
  await until('it has failed', () => sender.attempts === 1)
  isWell = true
  sender.pause(undefined)
  await reaches(sender, 10)
})

test('a restarted webhook continues after its stored position, and repeats at most what was not stored', async () => {
  const feed = new Feed()
  feed.end = 1_000
  const killed = start(feed, (number) => (number > 500 ? new Promise<Outcome>(() => {}) : DELIVERED))
  await until('it has come some way', () => killed.sent.length === 51)
  // As after a kill: the first sender stores nothing any more.
  const stored = store.all()[0]?.position ?? 0
  const next = start(feed, () => DELIVERED)
  await reaches(next.sender, 1_000)
  const numbers = next.sent.map(numberOf)
  expect(numbers[0]).toBe(stored + 10)
  expect(numbers).toEqual(Array.from({ length: (1_000 - stored) / 10 }, (_, i) => stored + 10 * (i + 1)))
  expect(stored).toBeLessThanOrEqual(500)
  // The first sender is not stopped at the end, because its request never ends.
  senders.shift()
})

test('a clean stop stores everything that was delivered', async () => {
  const feed = new Feed()
  feed.end = 1_000
  const { sender, sent } = start(feed, () => DELIVERED)
  await until('it has come some way', () => sent.length > 20)
  await sender.stop()
  expect(store.all()[0]?.position).toBe(sender.hook.position)
})

test('a position of another journal pauses it until an operator sets a new one', async () => {
  const feed = new Feed()
  feed.end = 30
  const otherJournal: SenderPorts['events'] = async (request, signal, name) => {
    if (request.journal !== 'two') throw new AdminRequestError('OTHER_JOURNAL')
    return feed.events(request, signal, name)
  }
  const { sender, sent } = start(feed, () => DELIVERED, { events: otherJournal })
  await until('it is paused', () => sender.hook.paused === 'OTHER_JOURNAL')
  expect(store.all()[0]?.paused).toBe('OTHER_JOURNAL')
  sender.moveTo('two', 10)
  sender.pause(undefined)
  await reaches(sender, 30)
  expect(sent.map(numberOf)).toEqual([20, 30])
})

test('a webhook that is moved while it is paused sends nothing that it had read, and everything after its new position', async () => {
  const feed = new Feed()
  feed.end = 10
  const { sender, sent } = start(feed, () => DELIVERED)
  await reaches(sender, 10)
  for (const to of [70, 20]) {
    sender.pause('OPERATOR')
    sent.length = 0
    feed.end += 40
    await until('it has read on', () => sender.waiting.at(-1)?.number === feed.end)
    sender.moveTo('one', to)
    sender.pause(undefined)
    feed.end += 40
    await reaches(sender, feed.end)
    const expected = Array.from({ length: (feed.end - to) / 10 }, (_, i) => to + 10 * (i + 1))
    expect([to, sent.map(numberOf)]).toEqual([to, expected])
  }
})

test('failures of one event do not count for the next: each has all its attempts, with pauses from the first on', async () => {
  const feed = new Feed()
  feed.end = 40
  const last = SENDER_LIMITS.attemptsMax
  // One event is accepted after failures, one is given up, one is accepted at its last attempt.
  const failures = new Map([
    [10, 3],
    [20, last],
    [30, last - 1],
    [40, 1],
  ])
  const { sender, sent, slept } = start(feed, (number, attempt) =>
    attempt <= (failures.get(number) ?? 0) ? FAILED : DELIVERED,
  )
  await reaches(sender, 40)
  const attempts = (number: number) => sent.filter((request) => numberOf(request) === number).length
  expect([10, 20, 30, 40].map(attempts)).toEqual([4, last, last, 2])
  expect(store.dead('books').map(({ number }) => number)).toEqual([20])
  const firsts = slept.flatMap((ms, i) => (ms === SENDER_LIMITS.pauseMs ? [i] : []))
  expect(firsts).toEqual([0, 3, 3 + last - 1, 3 + 2 * (last - 1)])
})

test('events that cannot be read for a while delay it, and no longer', async () => {
  const feed = new Feed()
  feed.end = 20
  let faults = 3
  const events: SenderPorts['events'] = async (request, signal, name) => {
    if (faults-- > 0) throw new Error('the history is busy')
    return feed.events(request, signal, name)
  }
  const { sender, slept } = start(feed, () => DELIVERED, { events })
  await reaches(sender, 20)
  expect(slept).toEqual([5_000, 5_000, 5_000])
})

test('one request of a webhook is in flight at a time, including a test', async () => {
  const feed = new Feed()
  feed.end = 10
  const first = Promise.withResolvers<Outcome>()
  const { sender, sent } = start(feed, (number) => (number === 10 ? first.promise : DELIVERED))
  await until('it sends', () => sent.length === 1)
  const tested = sender.test({ number: 0, kind: 'TEST', time: '' })
  await Bun.sleep(0)
  expect(sent.length).toBe(1)
  first.resolve(DELIVERED)
  expect(await tested).toEqual(DELIVERED)
  await reaches(sender, 10)
  expect(sent.map(numberOf)).toEqual([10, 0])
})
