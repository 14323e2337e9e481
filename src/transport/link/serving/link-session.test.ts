import { afterEach, beforeEach, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type MemoryEngine, startMemoryEngine } from '../../../../sim/memory/engine.ts'
import { followedHistory } from '../../../../sim/memory/followed-history.fixture.ts'
import { arbitraryCommandByKind } from '../../../core/commands/command.arbitraries.ts'
import { COMMAND_CODES, type Command, type CommandKind } from '../../../core/commands/command.ts'
import { RULES_VERSION } from '../../../core/exchange/rules.ts'
import { EngineFault } from '../../../engine/port/fault.ts'
import { GATEWAY_COMMANDS } from '../../../engine/port/gateway-commands.ts'
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import type { EnginePort, ReplyReceiver } from '../../../engine/port/ports.ts'
import type { EngineAnswer, OutgoingRequest } from '../../../engine/port/requests.ts'
import { account } from '../../../engine/writer/commands.fixture.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { BytesFault, ByteWriter } from '../../../units/bytes.ts'
import type { AccountId, SessionNumber } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { readOutput, writeRequest } from '../../thread/messages.ts'
import type { CountEnd } from '../protocol/count-end.ts'
import { EncodedEvents } from '../protocol/encoded-events.ts'
import { FRAME, readFrame, writeBlockFrame, writeQuestionFrame } from '../protocol/frames.ts'
import { LinkFault } from '../protocol/link-fault.ts'
import { LinkSession } from './link-session.ts'

const ALL_COMMANDS: ReadonlySet<CommandKind> = new Set(Object.keys(COMMAND_CODES) as CommandKind[])

let memory: MemoryEngine
beforeEach(async () => {
  memory = await startMemoryEngine()
})
afterEach(() => memory.stop())

type Told = { kind: 'events'; seq: number } | EngineAnswer | { kind: 'history'; message: object }

/** A session, and its output in the order in which a gateway receives it. */
function openSession(
  history: HistoryPort = followedHistory(memory.feed),
  inFlightMax = 100,
  commands: ReadonlySet<CommandKind> = ALL_COMMANDS,
  counts?: CountEnd,
) {
  const told: Told[] = []
  let wake = () => {}
  const session = new LinkSession({
    engine: memory.port,
    history,
    events: new EncodedEvents(),
    inFlightMax,
    commands,
    counts,
    confirmed: undefined,
    scheduler: runtimeScheduler,
    send: (bytes) => {
      const frame = readFrame(bytes)
      if (frame.kind === 'question') told.push({ kind: 'history', message: frame.message })
      if (frame.kind === 'block') {
        const { events, answers } = readOutput(frame.block)
        if (events !== undefined) told.push({ kind: 'events', seq: events.seq })
        told.push(...answers)
      }
      wake()
    },
  })
  const until = async (count: number): Promise<Told[]> => {
    while (told.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return told
  }
  return { session, told, until }
}

function blockOf(...requests: OutgoingRequest[]): Uint8Array {
  const writer = new ByteWriter()
  requests.forEach((outgoing, i) => {
    writeRequest(writer, i + 1, outgoing)
  })
  return writeBlockFrame(writer.take())
}

const command = (name: string): OutgoingRequest => ({
  kind: 'command',
  command: account(name),
  deadline: undefined,
})
const BOOTSTRAP: OutgoingRequest = { kind: 'query', query: { name: 'bootstrap', fields: undefined } }

test('a gateway that asks for the state twice has each batch once', async () => {
  const { session, until } = openSession()
  session.receive(blockOf(BOOTSTRAP, BOOTSTRAP))
  await until(2)
  session.receive(blockOf(command('a')))
  const kinds = (await until(4)).map(({ kind }) => kind)
  expect(kinds).toEqual(['answer', 'answer', 'events', 'reply'])
})

test('nothing is sent once the gateway is gone, and its requests are carried out', async () => {
  const { session, told, until } = openSession()
  session.receive(blockOf(BOOTSTRAP))
  await until(1)
  session.receive(blockOf(command('a'), BOOTSTRAP))
  session.close()
  await memory.port.submit(account('b'))
  expect(told).toHaveLength(1)
  const { accounts } = await memory.port.follow(() => {})
  expect(accounts.map(({ name }) => name).slice(-2)).toEqual(['a', 'b'])
})

test('more questions to the history than may wait are OVERLOADED', async () => {
  const waits = Promise.withResolvers<never[]>()
  const history = { ...followedHistory(memory.feed), numberedOrders: () => waits.promise }
  const { session, until } = openSession(history, 2)
  const ask = (number: number): void =>
    session.receive(writeQuestionFrame({ number, kind: 'numberedOrders', fields: {} }))
  for (const number of [1, 2, 3]) ask(number)
  const [refused] = await until(1)
  expect(refused).toMatchObject({ message: { number: 3, fault: { kind: 'OVERLOADED' } } })
  waits.resolve([])
  await until(3)
  ask(4)
  expect((await until(4))[3]).toMatchObject({ message: { number: 4, value: [] } })
})

test('more queries of the engine than may wait are OVERLOADED, as commands are', async () => {
  const { session, until } = openSession(undefined, 2)
  const query: OutgoingRequest = {
    kind: 'query',
    query: { name: 'accountState', fields: { accountId: 0 as AccountId } },
  }
  session.receive(blockOf(query, query, query))
  const answers = await until(3)
  expect(answers.map((told) => (told.kind === 'fault' ? told.fault : told.kind))).toEqual([
    'OVERLOADED',
    'answer',
    'answer',
  ])
})

test('a command with one order too many is refused, and is not carried out', async () => {
  const counts = { receive: () => {}, admits: () => false, flush: () => {}, close: () => {} }
  const { session, until } = openSession(undefined, 100, ALL_COMMANDS, counts)
  const charge = { accountId: 2 as AccountId, at: 1 as TimeMs, orders: 1, ticket: 1 }
  session.receive(
    blockOf({ kind: 'command', command: account('a'), deadline: undefined, charge }, command('b')),
  )
  expect(await until(2)).toMatchObject([{ kind: 'fault', fault: 'ORDER_RATE_LIMITED' }, { kind: 'reply' }])
  const { accounts } = await memory.port.follow(() => {})
  expect(accounts.map(({ name }) => name)).toContain('b')
  expect(accounts.map(({ name }) => name)).not.toContain('a')
})

test('a fault of the history keeps its kind and its message', async () => {
  const trades = () => Promise.reject(new EngineFault('STOPPING', 'the history is stopping'))
  const { session, until } = openSession({ ...followedHistory(memory.feed), trades })
  session.receive(writeQuestionFrame({ number: 1, kind: 'trades', fields: {} }))
  const fault = { name: 'EngineFault', kind: 'STOPPING', message: 'the history is stopping' }
  expect(await until(1)).toEqual([{ kind: 'history', message: { number: 1, fault } }])
})

test('any bytes after the greeting end the link or are a request, and the engine continues', async () => {
  const head = fc.constantFrom(FRAME.block, FRAME.question, FRAME.clock, 0, 9)
  await fc.assert(
    fc.asyncProperty(head, fc.uint8Array({ maxLength: 60 }), async (kind, body) => {
      const { session } = openSession()
      try {
        session.receive(new Uint8Array([kind, ...body]))
      } catch (fault) {
        expect(fault instanceof BytesFault || fault instanceof LinkFault).toBe(true)
      }
      session.close()
      expect((await memory.port.submit(account(crypto.randomUUID()))).kind).toBe('AccountOpened')
    }),
  )
})

for (const kind of Object.keys(arbitraryCommandByKind) as CommandKind[]) {
  const isGateways = GATEWAY_COMMANDS.has(kind)
  test(`a gateway ${isGateways ? 'may' : 'may not'} send ${kind}, ${isGateways ? 'which is answered' : 'and none of its block is done'}`, async () => {
    const [sent] = fc.sample<Command>(arbitraryCommandByKind[kind], { numRuns: 1, seed: 7 })
    if (sent === undefined) throw new Error(`no ${kind}`)
    const { session, told, until } = openSession(undefined, 100, GATEWAY_COMMANDS)
    const block = blockOf(
      { kind: 'command', command: { kind: 'MarkTime' }, deadline: undefined },
      { kind: 'command', command: sent, deadline: undefined },
    )
    if (isGateways) {
      session.receive(block)
      expect((await until(2)).map((each) => each.kind)).toEqual(['reply', 'reply'])
      return
    }
    expect(() => session.receive(block)).toThrow(`a gateway may not send ${kind}`)
    const { seq } = await memory.port.ask('accountState', { accountId: 0 as AccountId })
    expect([Number(seq), told]).toEqual([0, []])
  })
}

test('the sessions of a lost gateway’s connections are disconnected, also of one that is lost meanwhile', async () => {
  const operator = { actor: 'test', note: '' }
  const accountId = 2 as AccountId
  const key = { apiKey: 'k', sealedSecret: new Uint8Array(60), permissions: [], addresses: [], label: '' }
  await memory.port.submit({ kind: 'SetRulesVersion', operator, version: RULES_VERSION })
  await memory.port.submit(account('ann'))
  await memory.port.submit({ kind: 'CreateApiKey', operator, accountId, ...key })
  const open: Command = { kind: 'OpenSession', accountId, apiKey: 'k', graceMs: 60_000, resumes: undefined }
  const { session, until } = openSession()
  session.receive(
    blockOf(
      { kind: 'command', command: open, deadline: undefined },
      { kind: 'command', command: open, deadline: undefined },
    ),
  )
  const opened = (await until(2)).map((told) => {
    if (told.kind !== 'reply' || told.reply.kind !== 'SessionOpened') throw new Error(JSON.stringify(told))
    return told.reply
  })
  session.receive(blockOf({ kind: 'command', command: open, deadline: undefined }))
  session.close()
  const last = { sessionNumber: ((opened[1]?.sessionNumber ?? 0) + 1) as SessionNumber, attachment: 1 }
  await memory.port.submit({ kind: 'MarkTime' })
  for (const { sessionNumber, attachment } of [...opened, last]) {
    const reply = await memory.port.submit({ kind: 'DisconnectSession', sessionNumber, attachment })
    expect(reply).toEqual({ kind: 'Refused', reason: 'UNKNOWN_SESSION' })
    const resumes = { sessionNumber, sessionTime: opened[0]?.time as TimeMs }
    if (sessionNumber === opened[0]?.sessionNumber)
      expect(await memory.port.submit({ ...open, resumes })).toMatchObject({
        kind: 'SessionOpened',
        attachment: 2,
      })
  }
})

test('a session that opens after an answer with unknown outcome is disconnected: no connection has it', async () => {
  const given: { readonly command: Command; readonly receiver: ReplyReceiver }[] = []
  const hand: EnginePort['hand'] = (command, receiver) => void given.push({ command, receiver })
  const session = new LinkSession({
    engine: { ...memory.port, hand },
    history: followedHistory(memory.feed),
    events: new EncodedEvents(),
    inFlightMax: 100,
    commands: ALL_COMMANDS,
    confirmed: undefined,
    scheduler: runtimeScheduler,
    send: () => {},
  })
  const of = { kind: 'OpenSession', accountId: 2 as AccountId, apiKey: 'k', graceMs: 0 } as const
  const command: Command = { ...of, resumes: undefined }
  session.receive(blockOf({ kind: 'command', command, deadline: undefined }))
  const sessionNumber = 9 as SessionNumber
  given[0]?.receiver.failed(new EngineFault('OUTCOME_UNKNOWN', 'late'))
  given[0]?.receiver.late?.({ kind: 'SessionOpened', sessionNumber, time: 1 as TimeMs, attachment: 3 })
  expect(given.map(({ command: { kind } }) => kind)).toEqual(['OpenSession', 'DisconnectSession'])
  expect(given[1]?.command).toEqual({ kind: 'DisconnectSession', sessionNumber, attachment: 3 })
  session.close()
})
