import { expect, test } from 'bun:test'
import type { EventBatch, ExchangeEvent } from '../../core/events/event.ts'
import type { Bootstrap } from '../../core/questions/view.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { account } from '../writer/commands.fixture.ts'
import { EngineClient } from './client.ts'
import { EngineFault } from './fault.ts'
import type { EngineSubscriber } from './ports.ts'
import type { EngineAnswer, OutgoingRequest } from './requests.ts'

function opened(inFlightMax = 100) {
  const sent: OutgoingRequest[] = []
  const client = new EngineClient({ inFlightMax, send: (_, request) => sent.push(request) })
  client.open()
  return { client, sent }
}

const done = (request: number): EngineAnswer => ({
  kind: 'reply',
  request,
  reply: { kind: 'Done', repeated: false },
})

function batch(seq: number): EventBatch {
  return { seq: seq as Seq, time: seq as TimeMs, events: [{ kind: 'AssetChanged' } as ExchangeEvent] }
}

function bootstrapped(request: number, seq: number): EngineAnswer {
  return { kind: 'answer', request, answer: { name: 'bootstrap', value: { seq: seq as Seq } as Bootstrap } }
}

async function faultKindOf(work: Promise<unknown>): Promise<string> {
  const cause = await work.then(
    () => 'no fault',
    (cause: unknown) => cause,
  )
  return cause instanceof EngineFault ? cause.kind : String(cause)
}

test('nothing is sent before the engine is ready', async () => {
  const sent: OutgoingRequest[] = []
  const client = new EngineClient({ inFlightMax: 1, send: (_, request) => sent.push(request) })
  expect(await faultKindOf(client.submit(account('a')))).toBe('STARTING')
  expect(sent).toEqual([])
})

test('events are given to the listener before a reply of the same batch is', async () => {
  const { client } = opened()
  const order: string[] = []
  const following = client.follow(({ seq }) => order.push(`events ${seq}, ${client.inFlight} in flight`))
  client.receive({ events: undefined, answers: [bootstrapped(1, 4)] })
  await following
  const reply = client.submit(account('a')).then(() => order.push('reply'))
  client.receive({ events: batch(5), answers: [done(2)] })
  await reply
  expect(order).toEqual(['events 5, 1 in flight', 'reply'])
})

test('the listener gets every batch after its bootstrap and none before', async () => {
  const { client } = opened()
  const seen: number[] = []
  const following = client.follow(({ seq }) => seen.push(seq))
  client.receive({ events: batch(3), answers: [] })
  client.receive({ events: batch(4), answers: [bootstrapped(1, 4)] })
  expect((await following).seq as number).toBe(4)
  client.receive({ events: batch(5), answers: [] })
  client.receive({ events: batch(7), answers: [] })
  expect(seen).toEqual([5, 7])
  expect(() => client.receive({ events: batch(7), answers: [] })).toThrow('expected a batch after command 7')
})

test('a follower learns what time has passed from its bootstrap on', async () => {
  const { client } = opened()
  const times: number[] = []
  const following = client.follow(
    () => {},
    (time) => times.push(time),
  )
  const passed = (time: number) => client.receive({ events: undefined, answers: [], passed: time as TimeMs })
  passed(3)
  client.receive({ events: undefined, answers: [bootstrapped(1, 4)] })
  await following
  passed(5)
  expect(times).toEqual([5])
})

test('a follower that could not start may try again', async () => {
  const { client } = opened()
  const failed = faultKindOf(client.follow(() => {}))
  client.receive({ events: undefined, answers: [{ kind: 'fault', request: 1, fault: 'OVERLOADED' }] })
  expect(await failed).toBe('OVERLOADED')
  const following = client.follow(() => {})
  client.receive({ events: undefined, answers: [bootstrapped(2, 1)] })
  expect((await following).seq as number).toBe(1)
})

/** Records everything that it receives. */
function noting(notes: string[], name: string): EngineSubscriber {
  return {
    started: ({ seq }) => notes.push(`${name} starts at ${seq}`),
    batch: ({ seq }) => notes.push(`${name} gets ${seq}`),
    passed: (time) => notes.push(`${name} passes ${time}`),
    failed: (fault) => notes.push(`${name} fails: ${(fault as EngineFault).kind}`),
  }
}

test('each subscriber gets everything after its own bootstrap, in the order of subscribing', () => {
  const { client } = opened()
  const notes: string[] = []
  client.subscribe(noting(notes, 'a'))
  client.receive({ events: batch(4), answers: [bootstrapped(1, 4)] })
  client.subscribe(noting(notes, 'b'))
  client.receive({ events: batch(6), answers: [bootstrapped(2, 6)] })
  client.receive({ events: batch(7), answers: [] })
  client.receive({ events: undefined, answers: [], passed: 9 as TimeMs })
  const first = ['a starts at 4', 'a gets 6']
  expect(notes).toEqual([...first, 'b starts at 6', 'a gets 7', 'b gets 7', 'a passes 9', 'b passes 9'])
})

test('a subscriber that has left gets nothing any more, and the others get everything', () => {
  const { client } = opened()
  const notes: string[] = []
  const leaveFirst = client.subscribe(noting(notes, 'a'))
  const leaveSecond = client.subscribe(noting(notes, 'b'))
  client.subscribe(noting(notes, 'c'))
  leaveFirst()
  client.receive({ events: undefined, answers: [bootstrapped(1, 1), bootstrapped(2, 1), bootstrapped(3, 1)] })
  leaveSecond()
  client.receive({ events: batch(2), answers: [] })
  client.lose()
  expect(notes).toEqual(['b starts at 1', 'c starts at 1', 'c gets 2'])
})

test('a subscriber whose bootstrap cannot come learns why, once', () => {
  const { client } = opened()
  const notes: string[] = []
  client.subscribe(noting(notes, 'a'))
  client.lose()
  client.subscribe(noting(notes, 'b'))
  client.receive({ events: batch(2), answers: [] })
  expect(notes).toEqual(['a fails: ENGINE_DOWN', 'b fails: ENGINE_DOWN'])
})

test('requests in flight are limited, and an answer makes room', async () => {
  const { client, sent } = opened(2)
  const first = client.submit(account('a'))
  void client.ask('balances', { accountId: 0 as AccountId }).catch(() => {})
  expect(await faultKindOf(client.submit(account('b')))).toBe('OVERLOADED')
  client.receive({ events: undefined, answers: [done(1)] })
  await first
  void client.submit(account('c')).catch(() => {})
  expect(sent.length).toBe(3)
  expect(client.inFlight).toBe(2)
})

test('a lost engine leaves commands in flight unknown, and reads and everything later down', async () => {
  const { client } = opened()
  const faults = [client.submit(account('a')), client.ask('balances', { accountId: 0 as AccountId })].map(
    faultKindOf,
  )
  client.lose()
  expect(await Promise.all(faults)).toEqual(['OUTCOME_UNKNOWN', 'ENGINE_DOWN'])
  expect(await faultKindOf(client.submit(account('b')))).toBe('ENGINE_DOWN')
  client.open()
  expect(await faultKindOf(client.submit(account('b')))).toBe('ENGINE_DOWN')
})

test('while stopping, what was sent is still answered', async () => {
  const { client } = opened()
  const first = client.submit(account('a'))
  client.refuseNew('STOPPING')
  expect(await faultKindOf(client.submit(account('b')))).toBe('STOPPING')
  client.receive({ events: undefined, answers: [done(1)] })
  expect((await first).kind).toBe('Done')
})

test('a request that could not be sent is not in flight', async () => {
  const client = new EngineClient({
    inFlightMax: 1,
    send: () => {
      throw new Error('too large')
    },
  })
  client.open()
  expect(await faultKindOf(client.submit(account('a')))).toContain('too large')
  expect(client.inFlight).toBe(0)
})

test('an engine that does not answer leaves commands unknown and reads overloaded, and its follower waits', async () => {
  let look = () => {}
  const later = (task: () => void) => {
    look = task
    return () => {}
  }
  const client = new EngineClient({ inFlightMax: 100, send: () => {}, patience: { timeoutMs: 1, later } })
  client.open()
  const command = faultKindOf(client.submit(account('a')))
  const read = faultKindOf(client.ask('balances', { accountId: 1 as AccountId }))
  const following = client.follow(() => {})
  for (let looks = 0; looks < 5; looks++) look()
  expect([await command, await read]).toEqual(['OUTCOME_UNKNOWN', 'OVERLOADED'])
  const balances: EngineAnswer = { kind: 'answer', request: 2, answer: { name: 'balances', value: [] } }
  client.receive({ events: undefined, answers: [done(1), balances, bootstrapped(3, 4)] })
  expect(client.inFlight).toBe(0)
  expect((await following).seq as number).toBe(4)
})
