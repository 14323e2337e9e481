import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { EngineFault, type EngineFaultKind } from './fault.ts'
import { RequestClient, type RequestClientOptions } from './request-client.ts'

type Kind = 'order' | 'read' | 'wait'
type Answers = Readonly<Record<Kind, string>>

/** A client whose requests arrive in a list, and whose time the test controls. */
function opened(options: Partial<RequestClientOptions<string, Answers>> = {}) {
  const sent: string[] = []
  const looks: (() => void)[] = []
  const client = new RequestClient<string, Answers>({
    send: (number, request) => sent.push(`${number} ${request}`),
    terms: {
      order: { lost: 'OUTCOME_UNKNOWN', late: 'OUTCOME_UNKNOWN' },
      read: { lost: 'ENGINE_DOWN', late: 'OVERLOADED' },
      wait: { lost: 'ENGINE_DOWN', late: undefined },
    },
    inFlightMax: 100,
    faultOf: (kind) => new EngineFault(kind, `it is ${kind}`),
    patience: {
      timeoutMs: 4_000,
      later: (task, delayMs) => {
        expect(delayMs).toBe(1_000)
        looks.push(task)
        return () => looks.splice(looks.indexOf(task), 1)
      },
    },
    ...options,
  })
  return {
    client,
    sent,
    looks,
    /** A quarter of the timeout passes. */
    pass: (quarters = 1) => {
      for (let left = quarters; left > 0; left--) for (const look of looks.splice(0)) look()
    },
  }
}

/** The answer, or the reason why there is none. */
async function endOf(asked: Promise<string>): Promise<string> {
  return asked.catch((cause: unknown) => (cause instanceof EngineFault ? cause.kind : String(cause)))
}

/** The outcomes of requests so far. */
function watched(asked: readonly Promise<string>[]): (string | undefined)[] {
  const ends: (string | undefined)[] = asked.map(() => undefined)
  asked.forEach((one, i) => {
    void endOf(one).then((end) => {
      ends[i] = end
    })
  })
  return ends
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('requests are numbered and sent in order, and answered in any', () => {
  const kinds = fc.constantFrom<Kind>('order', 'read', 'wait')
  const run = fc.array(fc.tuple(kinds, fc.double({ noNaN: true })), { minLength: 1, maxLength: 30 })
  return fc.assert(
    fc.asyncProperty(run, async (asked) => {
      const { client, sent } = opened()
      const ends = asked.map(([kind], i) => client.ask(kind, `request ${i}`))
      expect(sent).toEqual(asked.map((_, i) => `${i + 1} request ${i}`))
      const order = asked.map(([kind, at], i) => ({ kind, at, i })).sort((a, b) => a.at - b.at)
      for (const { kind, i } of order) client.answer(i + 1, kind, `answer ${i}`)
      expect(await Promise.all(ends)).toEqual(asked.map((_, i) => `answer ${i}`))
      expect(client.inFlight).toBe(0)
    }),
  )
})

test('more requests than may wait are OVERLOADED at once and not sent, and an answer makes room', async () => {
  const { client, sent } = opened({ inFlightMax: 2 })
  const first = client.ask('order', 'a')
  void client.ask('read', 'b')
  expect(await endOf(client.ask('read', 'c'))).toBe('OVERLOADED')
  client.answer(1, 'order', 'done')
  expect(await first).toBe('done')
  void client.ask('order', 'd')
  expect(sent).toEqual(['1 a', '2 b', '3 d'])
})

test('a loss leaves orders unknown and reads down, and everything later is down', async () => {
  const { client, sent, looks } = opened()
  const ends = [client.ask('order', 'a'), client.ask('read', 'b'), client.ask('wait', 'c')].map(endOf)
  client.close('ENGINE_DOWN')
  expect(await Promise.all(ends)).toEqual(['OUTCOME_UNKNOWN', 'ENGINE_DOWN', 'ENGINE_DOWN'])
  client.open()
  client.refuseNew('STOPPING')
  expect(await endOf(client.ask('order', 'd'))).toBe('ENGINE_DOWN')
  expect([sent.length, client.inFlight, looks.length]).toEqual([3, 0, 0])
})

test('closing a client gives reads the reason, and an order is still unknown', async () => {
  const { client } = opened()
  const ends = [client.ask('order', 'a'), client.ask('read', 'b')].map(endOf)
  client.close('STOPPING')
  expect(await Promise.all(ends)).toEqual(['OUTCOME_UNKNOWN', 'STOPPING'])
})

test('while stopping, nothing new is accepted and what was sent is answered', async () => {
  const { client } = opened()
  const first = client.ask('order', 'a')
  client.refuseNew('STOPPING')
  expect(await endOf(client.ask('read', 'b'))).toBe('STOPPING')
  client.answer(1, 'order', 'done')
  expect(await first).toBe('done')
})

test('nothing is sent before the other side is ready', async () => {
  const { client, sent } = opened({ closed: 'STARTING' })
  expect(await endOf(client.ask('order', 'a'))).toBe('STARTING')
  client.open()
  void client.ask('order', 'b')
  expect(sent).toEqual(['1 b'])
})

test('a request without an answer within the timeout and a quarter is given up in the way of its kind, younger ones not yet', async () => {
  const { client, pass } = opened()
  const old = watched([client.ask('order', 'a'), client.ask('read', 'b'), client.ask('wait', 'c')])
  pass(4)
  const young = watched([client.ask('read', 'd')])
  await settled()
  expect([...old, ...young]).toEqual([undefined, undefined, undefined, undefined])
  pass()
  await settled()
  expect([...old, ...young]).toEqual(['OUTCOME_UNKNOWN', 'OVERLOADED', undefined, undefined])
  pass(3)
  await settled()
  expect(young).toEqual([undefined])
  pass()
  await settled()
  expect([old[2], young[0]]).toEqual([undefined, 'OVERLOADED'])
})

test('a request that was given up stays in flight until its answer comes, which is ignored', async () => {
  const { client, pass } = opened({ inFlightMax: 1 })
  const given = endOf(client.ask('order', 'a'))
  pass(5)
  expect(await given).toBe('OUTCOME_UNKNOWN')
  expect(await endOf(client.ask('order', 'b'))).toBe('OVERLOADED')
  client.answer(1, 'order', 'done after all')
  expect(client.inFlight).toBe(0)
  const next = client.ask('order', 'c')
  client.answer(2, 'order', 'done')
  expect(await next).toBe('done')
})

test('the clock is not read while nothing waits', () => {
  const { client, looks, pass } = opened()
  expect(looks.length).toBe(0)
  void client.ask('read', 'a')
  void client.ask('read', 'b')
  expect(looks.length).toBe(1)
  for (const number of [1, 2]) client.answer(number, 'read', '')
  pass()
  expect(looks.length).toBe(0)
  const { client: patient } = opened({ patience: undefined })
  void patient.ask('read', 'a')
  expect(patient.inFlight).toBe(1)
})

test('answers and refusals that come after a loss change nothing', async () => {
  const { client } = opened()
  const end = endOf(client.ask('order', 'a'))
  client.close('ENGINE_DOWN')
  client.answer(1, 'order', 'done')
  client.refuse(1, 'STORAGE_FULL')
  expect(await end).toBe('OUTCOME_UNKNOWN')
})

test('a refusal has the text of the client, or that of the other side', async () => {
  const { client } = opened()
  const asked = ['a', 'b'].map((request) => client.ask('read', request).catch((cause: unknown) => cause))
  client.refuse(1, 'STOPPING')
  client.refuse(2, new EngineFault('OVERLOADED', 'the disk is slow'))
  expect((await Promise.all(asked)).map(String)).toEqual([
    'EngineFault: it is STOPPING',
    'EngineFault: the disk is slow',
  ])
})

test('a request that could not be sent is not in flight', async () => {
  const { client } = opened({
    send: () => {
      throw new Error('too large')
    },
  })
  expect(await endOf(client.ask('order', 'a'))).toContain('too large')
  expect(client.inFlight).toBe(0)
})

test('an answer of another kind, or to a request that was never sent, is a bug', () => {
  const { client } = opened()
  void client.ask('read', 'a').catch(() => {})
  expect(() => client.answer(1, 'order', 'done')).toThrow('expected read for request 1, found order')
  expect(() => client.answer(2, 'read', 'done')).toThrow('found one to request 2')
})

test('a sender without a promise gets its outcome once, however late the answer comes', () => {
  const { client, pass } = opened()
  const told: string[] = []
  client.tell('order', 'a', {
    replied: (answer) => told.push(`answered ${answer}`),
    failed: (fault) => told.push(String(fault)),
  })
  while (told.length === 0) pass()
  client.answer(1, 'order', 'done')
  client.close('ENGINE_DOWN')
  expect(told).toHaveLength(1)
})

test('every request ends exactly once, whatever is answered, refused, late or lost, and in which order', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<Kind>('order', 'read', 'wait') },
    { weight: 3, arbitrary: fc.nat(20) },
    { weight: 2, arbitrary: fc.constant('pass' as const) },
  )
  return fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { client, pass } = opened({ inFlightMax: 8 })
      const waiting = new Map<number, Kind>()
      const ends: Promise<string>[] = []
      let last = 0
      for (const one of steps) {
        if (one === 'pass') pass()
        else if (typeof one === 'string') {
          if (waiting.size < 8) waiting.set(++last, one)
          ends.push(endOf(client.ask(one, 'a')))
        } else {
          const [number, kind] = [...waiting][one] ?? []
          if (number === undefined || kind === undefined) continue
          waiting.delete(number)
          if (one % 2 === 0) client.answer(number, kind, 'done')
          else client.refuse(number, 'STORAGE_FULL')
        }
        expect(client.inFlight).toBe(waiting.size)
      }
      client.close('ENGINE_DOWN')
      const kinds: readonly (string | EngineFaultKind)[] = await Promise.all(ends)
      expect(kinds.length).toBe(ends.length)
      expect(client.inFlight).toBe(0)
    }),
  )
})
