import { afterEach, expect, test } from 'bun:test'
import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import type { RequestTerms } from '../../engine/port/request-client.ts'
import type { Seq } from '../../units/quantities.ts'
import { answerQuestions, QuestionClient } from './channel.ts'
import { FeedClient, serveBatches } from './follower-feed.ts'

type Asked = {
  readonly double: { readonly fields: { readonly value: number }; readonly value: number }
  readonly hold: { readonly fields: undefined; readonly value: string }
}

const READ: RequestTerms = { lost: 'ENGINE_DOWN', late: 'OVERLOADED' }
const faultOf = (kind: EngineFaultKind) => new EngineFault(kind, kind)
const options = { terms: { double: READ, hold: READ }, inFlightMax: 3, faultOf }

const channels: MessageChannel[] = []
afterEach(() => {
  for (const { port1, port2 } of channels.splice(0)) for (const port of [port1, port2]) port.close()
})

function newChannel(): MessageChannel {
  const channel = new MessageChannel()
  channels.push(channel)
  return channel
}

const faultOfAsked = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (cause: unknown) => cause as EngineFault,
  )

test('questions over a channel are answered each when its answer is there', async () => {
  const { port1, port2 } = newChannel()
  const held = Promise.withResolvers<string>()
  answerQuestions<Asked>(port2, { double: async ({ value }) => value * 2, hold: () => held.promise })
  const client = new QuestionClient<Asked>(port1, options)
  const first = client.ask('hold', undefined)
  expect(await client.ask('double', { value: 21 })).toBe(42)
  expect(client.inFlight).toBe(1)
  held.resolve('let go')
  expect(await first).toBe('let go')
})

test('a refusal keeps its kind and message over a channel, and a bug is ENGINE_DOWN', async () => {
  const { port1, port2 } = newChannel()
  answerQuestions<Asked>(port2, {
    double: () => Promise.reject(new EngineFault('STOPPING', 'the history is stopping')),
    hold: () => Promise.reject(new TypeError('a bug')),
  })
  const client = new QuestionClient<Asked>(port1, options)
  const faults = [client.ask('double', { value: 1 }), client.ask('hold', undefined)].map(faultOfAsked)
  const [stopping, bug] = await Promise.all(faults)
  expect([stopping?.kind, stopping?.message]).toEqual(['STOPPING', 'the history is stopping'])
  expect([bug?.kind, bug?.message]).toEqual(['ENGINE_DOWN', 'a bug'])
  expect(bug).toBeInstanceOf(EngineFault)
})

test("a fault of the storage is still one at a channel's other end", async () => {
  const { port1, port2 } = newChannel()
  answerQuestions<Pick<Asked, 'hold'>>(port2, {
    hold: () => Promise.reject(new JournalFault('DAMAGED', 'batch 7 is not what was written')),
  })
  const client = new QuestionClient<Pick<Asked, 'hold'>>(port1, { ...options, terms: { hold: READ } })
  const fault = await faultOfAsked(client.ask('hold', undefined))
  expect(fault).toBeInstanceOf(JournalFault)
  expect(fault).toMatchObject({ kind: 'DAMAGED', message: 'batch 7 is not what was written' })
})

test('a question that the other end does not know is refused, and the others are answered', async () => {
  const { port1, port2 } = newChannel()
  answerQuestions<Pick<Asked, 'double'>>(port2, { double: async ({ value }) => value * 2 })
  const client = new QuestionClient<Asked>(port1, options)
  const fault = await faultOfAsked(client.ask('hold', undefined))
  expect([fault?.kind, fault?.message]).toEqual(['ENGINE_DOWN', 'unknown question hold'])
  expect(await client.ask('double', { value: 2 })).toBe(4)
})

test('answers that arrive after the other end was given up change nothing', async () => {
  const { port1, port2 } = newChannel()
  answerQuestions<Asked>(port2, { double: async ({ value }) => value * 2, hold: async () => '' })
  const client = new QuestionClient<Asked>(port1, options)
  const asked = faultOfAsked(client.ask('double', { value: 1 }))
  client.close('STOPPING')
  expect((await asked)?.kind).toBe('STOPPING')
  expect((await faultOfAsked(client.ask('hold', undefined)))?.kind).toBe('STOPPING')
  // A message sent back now arrives before the next message to another listener of the same port.
  await new Promise((resolve) => {
    port1.addEventListener('message', resolve, { once: true })
    port2.postMessage({ number: 1, kind: 'double', value: 2 })
  })
  expect(client.inFlight).toBe(0)
})

test('a client of batches has at most 64 questions in flight', async () => {
  const { port1, port2 } = newChannel()
  const never = new Promise<never>(() => {})
  serveBatches(port2, { next: () => never, stateHash: () => never, quarantined: async () => new Set() })
  const feed = new FeedClient(port1)
  const asked = Array.from({ length: 64 }, () => faultOfAsked(feed.next(0 as Seq, 1)))
  expect((await faultOfAsked(feed.next(0 as Seq, 1)))?.kind).toBe('OVERLOADED')
  feed.lose()
  const kinds = new Set((await Promise.all(asked)).map((fault) => fault?.kind))
  expect([...kinds]).toEqual(['ENGINE_DOWN'])
})
