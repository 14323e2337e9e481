/** Webhooks as operators use them, over the admin server, with receivers on real sockets. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../../../../test/support/until.ts'
import type { AdminAction } from '../../../contract/admin/records.ts'
import type { AdminDeadEvent, AdminWebhook, AdminWebhookTest } from '../../../contract/admin/webhooks.ts'
import { JournalFault } from '../../../engine/port/journal.ts'
import { type StoredWebhook, WEBHOOKS_MAX, type WebhookStore } from '../../../engine/port/webhook-store.ts'
import { SqliteWebhooks } from '../../../storage/sqlite/webhooks.ts'
import { KeyRing } from '../../access/auth/key-ring.ts'
import { type AdminFixture, JOURNAL, openAdminFixture, type WebhookContext } from '../admin.fixture.ts'
import type { WebhookPlace } from '../context.ts'
import { listEvents } from '../events/list-events.ts'
import { NewsWatch } from '../events/news-watch.ts'
import { SENDER_LIMITS } from './sender.ts'
import { Webhooks } from './webhooks.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-webhooks-'))
const file = path.join(directory, 'webhooks.sqlite')
const ring = new KeyRing({ newest: new Uint8Array(32).fill(1), previous: undefined }, (size) =>
  randomBytes(size),
)

/** The node's webhooks, which a test may stop and start again. */
class Place implements WebhookPlace {
  current: Webhooks | undefined
  isPublicOnly = false
  journal = JOURNAL
  #context: WebhookContext | undefined
  #news: NewsWatch | undefined

  of(context: WebhookContext): this {
    this.#context = context
    return this
  }

  async find(): Promise<Webhooks | undefined> {
    return this.current
  }

  async open(): Promise<Webhooks> {
    this.current ??= this.#begin(this.#context as WebhookContext)
    return this.current
  }

  async stop(): Promise<void> {
    await this.current?.stop()
    this.#news?.close()
    this.current = undefined
    this.#news = undefined
  }

  /** Webhooks of a store other than the node's own. */
  over(store: WebhookStore): Webhooks {
    return this.#begin(this.#context as WebhookContext, store)
  }

  #begin(context: WebhookContext, store: WebhookStore = new SqliteWebhooks(file)): Webhooks {
    const news = new NewsWatch(context.seq, (cause) => expect(cause).toBeUndefined())
    this.#news ??= news
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    return new Webhooks({
      store,
      journal: this.journal,
      mayBePrivate: !this.isPublicOnly,
      box: ring,
      events: (request, signal, webhook) => {
        const caller = { token: webhook, role: 'webhook', rights: [] }
        return listEvents(
          { ...context, journal: this.journal, news, caller, webhooks: undefined },
          request,
          signal,
        )
      },
      nowMs: context.now,
      clock: { nowMs: () => 0, sleep: async () => {} },
      random: () => 1,
      waitMs: 25_000,
      log,
      limits: { ...SENDER_LIMITS, attemptsMax: 2 },
      timeoutMs: 60_000,
    })
  }
}

const place = new Place()
let admin: AdminFixture
let references = 0
beforeAll(async () => {
  admin = await openAdminFixture(undefined, undefined, (context) => place.of(context))
  await admin.done('asset/add', { code: 'BTC', fraction: 8 })
  for (const name of ['alice', 'bob']) await admin.done('account/add', { name })
})
afterAll(async () => {
  await place.stop()
  await admin.stop()
  rmSync(directory, { recursive: true })
})

const servers: Bun.Server<undefined>[] = []
afterEach(async () => {
  place.isPublicOnly = false
  place.journal = JOURNAL
  await place.stop()
  await place.open()
  for (const { name } of await list()) await admin.done('webhook/remove', { name })
  for (const server of servers.splice(0)) await server.stop(true)
})

type Taken = {
  readonly number: number
  readonly reference: unknown
  readonly headers: Headers
  readonly body: string
}

function receiver(statusOf: (taken: Taken, times: number) => number | Promise<number> = () => 200) {
  const taken: Taken[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const body = await request.text()
      const { event } = JSON.parse(body)
      const one = { number: event.number, reference: event.fields?.reference, headers: request.headers, body }
      taken.push(one)
      const times = taken.filter(({ number }) => number === one.number).length
      return new Response(null, { status: await statusOf(one, times) })
    },
  })
  servers.push(server)
  return { taken, url: `http://127.0.0.1:${server.port}/` }
}

const list = async () => (await admin.done('webhook/list')) as AdminWebhook[]
const show = async (name = 'books') => (await admin.done('webhook/show', { name })) as AdminWebhook
const add = async (url: string, more: object = {}) =>
  (await admin.done('webhook/add', { name: 'books', url, ...more })) as AdminWebhook & { secret: string }

async function credit(account = 'alice'): Promise<string> {
  const reference = `ref-${++references}`
  await admin.done('money/credit', { account, asset: 'BTC', amount: '1', reference })
  return reference
}

async function trail(limit: number): Promise<unknown[]> {
  const actions = (await admin.done('audit/list', { kind: 'NoteChange', limit })) as AdminAction[]
  return actions.map(({ actor, note, fields }) => [actor, note, fields.subject, fields.change])
}

test('a webhook gets events from its creation on, signed with the secret that was shown once', async () => {
  await credit()
  const { taken, url } = receiver()
  const { secret, ...added } = await add(url)
  expect(added).toMatchObject({ name: 'books', url, kinds: null, account: null, paused: null, dead: 0 })
  const references = [await credit(), await credit('bob')]
  await until('both came', () => taken.length === 2)
  expect(taken.map(({ reference }) => reference)).toEqual(references)
  for (const { headers, body, number } of taken) {
    const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get('x-bourse-signature') ?? '') ?? []
    expect(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')).toBe(digest as string)
    expect([headers.get('x-bourse-event'), headers.get('x-bourse-webhook')]).toEqual([
      String(number),
      'books',
    ])
  }
  const everywhere = [await list(), await show(), await trail(10), admin.logged]
  expect(JSON.stringify(everywhere)).not.toContain(secret)
})

test('kinds, an account and a number select the events that are sent', async () => {
  const { taken, url } = receiver()
  await add(url, { kinds: ['CREDIT'], account: 'bob', after: 0 })
  await credit('alice')
  const last = await credit('bob')
  await until('the last one came', () => taken.at(-1)?.reference === last)
  const events = taken.map(({ body }) => JSON.parse(body).event)
  expect(new Set(events.map(({ kind, account }) => `${kind} ${account}`))).toEqual(new Set(['CREDIT bob']))
  expect(events.map(({ number }) => number)).toEqual(
    events.map(({ number }) => number).toSorted((a, b) => a - b),
  )
})

test('each change is in the audit trail with actor and note, and without the part of the address after ?', async () => {
  const { url } = receiver()
  await add(`${url}hook?key=hidden`, {
    kinds: ['FILL', 'CREDIT'],
    account: 'bob',
    after: 0,
    note: 'for the books',
  })
  await admin.done('webhook/pause', { name: 'books', actor: 'ann', note: 'they move' })
  await admin.done('webhook/resume', { name: 'books' })
  await admin.done('webhook/remove', { name: 'books' })
  expect((await trail(4)).toReversed()).toEqual([
    ['local:operator', 'for the books', 'webhook books', `added after 0: ${url}hook FILL,CREDIT bob`],
    ['local:ann', 'they move', 'webhook books', 'paused'],
    ['local:operator', '', 'webhook books', 'resumed'],
    ['local:operator', '', 'webhook books', 'removed'],
  ])
})

test('the address is stored in its normalized form, not as it was sent', async () => {
  const { url } = receiver()
  const sent = ` ${url.replace('http:', 'HTTP:')}a/../ho\tok `
  expect((await add(sent)).url).toBe(`${url}hook`)
})

test('a refused request leaves no trace and changes nothing', async () => {
  const { url } = receiver()
  await add(url)
  const before = [await trail(500), await list()]
  const refused = [
    await admin.error('webhook/add', { name: 'books', url }),
    await admin.error('webhook/add', { name: 'a b', url }),
    await admin.error('webhook/add', { name: 'x', url: 'books.example' }),
    await admin.error('webhook/add', { name: 'x', url: 'ftp://books.example/' }),
    await admin.error('webhook/add', { name: 'x', url: 'https://me:word@books.example/' }),
    await admin.error('webhook/add', { name: 'x', url: 'https://books.example/#here' }),
    await admin.error('webhook/add', { name: 'x', url, account: 'nobody' }),
    await admin.error('webhook/add', { name: 'x', url, kinds: ['NOTHING'] }),
    await admin.error('webhook/add', { name: 'x', url, after: 1e12 }),
    await admin.error('webhook/pause', { name: 'x' }),
    await admin.error('webhook/retry', { name: 'books', number: 16 }),
  ].map((error) => error as { reason: string; field?: string })
  expect(refused.map(({ reason, field }) => (field === undefined ? reason : `${reason} ${field}`))).toEqual([
    'WEBHOOK_EXISTS',
    'INVALID_FIELD name',
    'INVALID_FIELD url',
    'INVALID_FIELD url',
    'INVALID_FIELD url',
    'INVALID_FIELD url',
    'UNKNOWN_ACCOUNT account',
    'INVALID_FIELD kinds.0',
    'OTHER_JOURNAL after',
    'UNKNOWN_WEBHOOK',
    'UNKNOWN_DEAD_EVENT',
  ])
  expect([await trail(500), await list()]).toEqual(before)
})

test('without the setting an address of this network, or one without TLS, is refused, and one that was added before fails', async () => {
  const { taken, url } = receiver()
  await add(url)
  await place.stop()
  place.isPublicOnly = true
  await place.open()
  for (const address of [
    url,
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://[fd00::1]/',
  ]) {
    expect([address, await admin.error('webhook/add', { name: 'x', url: address })]).toEqual([
      address,
      expect.objectContaining({ reason: 'INVALID_FIELD', field: 'url' }),
    ])
  }
  const tested = (await admin.done('webhook/test', { name: 'books' })) as AdminWebhookTest
  expect([tested.delivered, tested.problem, taken]).toEqual([false, 'unsupported protocol http:', []])
})

test('the number of webhooks is limited', async () => {
  const { url } = receiver()
  for (let i = 0; i < WEBHOOKS_MAX; i++) await admin.done('webhook/add', { name: `hook-${i}`, url })
  expect(await admin.error('webhook/add', { name: 'one-more', url })).toMatchObject({
    reason: 'LIMIT_REACHED',
  })
  await admin.done('webhook/remove', { name: 'hook-3' })
  await admin.done('webhook/add', { name: 'one-more', url })
})

test('a test is sent at once, signed, with the number 0, also to a paused webhook', async () => {
  const { taken, url } = receiver()
  await add(url)
  await admin.done('webhook/pause', { name: 'books' })
  expect(await admin.done('webhook/test', { name: 'books' })).toEqual({
    delivered: true,
    status: 200,
    problem: null,
  })
  const { event } = JSON.parse(taken[0]?.body ?? '')
  expect([taken.length, event.number, event.kind]).toEqual([1, 0, 'TEST'])
})

test('events that are never accepted are given up, listed, and sent again on request', async () => {
  let isWell = false
  const { taken, url } = receiver(() => (isWell ? 200 : 503))
  await add(url)
  const reference = await credit()
  await until('it was given up', () => place.current?.show('books').dead === 1)
  const [dead] = (await admin.done('dead-event/list', { name: 'books' })) as AdminDeadEvent[]
  expect(dead).toMatchObject({
    number: taken[0]?.number,
    problem: 'was answered with status 503',
    awaited: false,
  })
  isWell = true
  expect(await admin.done('webhook/retry', { name: 'books', number: dead?.number })).toEqual({ count: 1 })
  await until('it was taken', () => place.current?.show('books').dead === 0)
  expect(taken.map((one) => one.reference)).toEqual([reference, reference, reference])
  expect(await admin.done('dead-event/list', { name: 'books' })).toEqual([])
})

test('a webhook that is being removed keeps its name until it has stored its last position', async () => {
  const { url } = receiver()
  await add(url)
  const webhooks = await place.open()
  const removals = [webhooks.remove('books'), webhooks.remove('books')]
  expect(webhooks.has('books')).toBe(true)
  await Promise.all(removals)
  expect(webhooks.has('books')).toBe(false)
})

test('where one event cannot be read, none is sent', async () => {
  const { url } = receiver()
  const hooks = ['first', 'second'].map((name): StoredWebhook => {
    const sealedSecret = ring.seal('secret', `webhook:${name}`)
    const rest = { kinds: undefined, account: undefined, paused: undefined }
    return { name, url, journal: JOURNAL, position: 0, sealedSecret, ...rest }
  })
  const store = new SqliteWebhooks(path.join(directory, 'half.sqlite'))
  for (const hook of hooks) store.add(hook)
  const read: string[] = []
  store.deadCount = (name) => {
    if (name === 'second') throw new JournalFault('DAMAGED', 'a page of the file')
    return 0
  }
  store.nextAwaited = (name) => {
    read.push(name)
    return undefined
  }
  expect(() => place.over(store)).toThrow(JournalFault)
  expect(read).toEqual([])
  store.close()
})

test('a receiver that hangs delays no other, and is disconnected when its webhook is removed', async () => {
  const hanging = receiver(() => new Promise<number>(() => {}))
  const [before, well] = [receiver(), receiver()]
  const kinds = ['CREDIT']
  const { position: after } = await add(before.url, { kinds })
  const wanted = []
  for (let i = 0; i < 5; i++) wanted.push(await credit())
  // Both start with all existing events: later ones are not read while the first event is being sent.
  await until('all can be read', () => before.taken.length === 5)
  await admin.done('webhook/remove', { name: 'books' })
  await admin.done('webhook/add', { name: 'hangs', url: hanging.url, kinds, after })
  await until('the first event hangs', () => hanging.taken.length === 1)
  await add(well.url, { kinds, after })
  await until('the other one has all', () => well.taken.length === 5)
  expect(well.taken.map(({ reference }) => reference)).toEqual(wanted)
  expect(hanging.taken).toHaveLength(1)
  expect(await admin.done('webhook/remove', { name: 'hangs' })).toMatchObject({ waiting: 5, paused: null })
})

test('a webhook continues where it was after a stop, and gets everything that happened meanwhile', async () => {
  const { taken, url } = receiver()
  await add(url)
  const wanted = [await credit()]
  await until('it came', () => taken.length === 1)
  await place.stop()
  wanted.push(await credit(), await credit())
  await place.open()
  // Events whose delivery was not stored before the stop are sent again.
  const came = () => [...new Set(taken.map(({ reference }) => reference))]
  await until('all came', () => came().length === 3)
  expect(came()).toEqual(wanted)
})

test('a webhook is paused for a journal of another name, and continues where an operator says', async () => {
  const { taken, url } = receiver()
  const { position } = await add(url)
  await place.stop()
  place.journal = 'restored'
  await place.open()
  const missed = await credit()
  expect(await show()).toMatchObject({ paused: 'OTHER_JOURNAL', journal: JOURNAL })
  expect(await admin.error('webhook/resume', { name: 'books' })).toMatchObject({
    ...{ status: 409, reason: 'WEBHOOK_CANNOT_RESUME', field: 'after' },
    message: expect.stringContaining(
      `its position ${position} belongs to journal ${JOURNAL}, and this journal is restored`,
    ),
  })
  expect(taken).toEqual([])
  await admin.done('webhook/resume', { name: 'books', after: position })
  await until('it came', () => taken.length === 1)
  expect([taken[0]?.reference, JSON.parse(taken[0]?.body ?? '').journal]).toEqual([missed, 'restored'])
})

test('a rotation of the master key seals the secret again, and continues where it was interrupted', async () => {
  const { taken, url } = receiver()
  const { secret } = await add(url)
  await place.stop()
  // The master key was changed, and the node ended before it had encrypted anything under the new one.
  ring.begin(new Uint8Array(32).fill(2))
  const webhooks = await place.open()
  expect([webhooks.reseal(ring), webhooks.reseal(ring)]).toEqual([1, 0])
  ring.retire()
  await place.stop()
  await place.open()
  await credit()
  await until('it came', () => taken.length === 1)
  const [, time, digest] = /^t=(\d+),v1=(.*)$/.exec(taken[0]?.headers.get('x-bourse-signature') ?? '') ?? []
  expect(createHmac('sha256', secret).update(`${time}.${taken[0]?.body}`).digest('hex')).toBe(
    digest as string,
  )
})

test('a webhook whose secret cannot be opened sends nothing, says so, and cannot be resumed', async () => {
  const { taken, url } = receiver()
  await add(url)
  await place.stop()
  ring.begin(new Uint8Array(32).fill(3))
  ring.retire()
  await place.open()
  await credit()
  expect(await show()).toMatchObject({ paused: 'SECRET_UNREADABLE' })
  for (const operation of ['webhook/resume', 'webhook/test'] as const) {
    expect(await admin.error(operation, { name: 'books' })).toMatchObject({ reason: 'WEBHOOK_CANNOT_RESUME' })
  }
  expect(taken).toEqual([])
})

test('a process that sends no webhooks says so', async () => {
  const none = await openAdminFixture()
  try {
    expect(await none.error('webhook/list')).toMatchObject({ status: 409, reason: 'NO_WEBHOOKS' })
    expect(await none.error('webhook/pause', { name: 'x' })).toMatchObject({ reason: 'NO_WEBHOOKS' })
  } finally {
    await none.stop()
  }
})
