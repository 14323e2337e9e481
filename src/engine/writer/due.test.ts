import { describe, expect, test } from 'bun:test'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import type { Command } from '../../core/commands/command.ts'
import { readCommand } from '../../core/commands/command-codec.ts'
import type { PlaceOrder } from '../../core/commands/orders.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import { sha256 } from '../../storage/sha256.ts'
import { ByteReader } from '../../units/bytes.ts'
import type { AccountId, SessionNumber, SymbolId } from '../../units/ids.ts'
import { lots, price, type Seq, timeMs } from '../../units/quantities.ts'
import { frameBody, framesOf } from '../port/frames.ts'
import type { Batch } from '../port/journal.ts'
import { DUE_PER_BATCH, DUE_STEPS_PER_BATCH } from '../port/limits.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import type { StateMachine } from '../port/state-machine.ts'
import { credit, limit, market } from './commands.fixture.ts'
import { Stage } from './engine-stage.fixture.ts'
import { type Recovery, recover } from './recovery/recovery.ts'

const [ANN, BEN] = [3, 4]
const NEWEST: Command = {
  kind: 'SetRulesVersion',
  operator: { actor: 'test', note: '' },
  version: RULES_VERSION,
}
const RICH = 10n ** 20n

/** A STOP_LOSS SELL of one lot. */
function stopAt(ticks: number): PlaceOrder {
  return {
    kind: 'PlaceOrder',
    accountId: ANN as AccountId,
    symbolId: 0 as SymbolId,
    selfTradeMode: undefined,
    clientOrderId: undefined,
    type: 'STOP_LOSS',
    side: 'SELL',
    quantity: lots(LOT),
    stopPrice: price(ticks),
  }
}

const LOT = 1_000_000

/**
 * Two rich traders, and `stops` orders of Ann that wait for 100 adjacent prices; no stop is triggered before
 * at least one trade.
 */
async function waitingStage(stops: number): Promise<Stage> {
  const stage = new Stage()
  const rich = [ANN, BEN].flatMap((who) =>
    ['BTC', 'USDT'].map((code) => credit(who, code, RICH, `${who} ${code}`)),
  )
  const orders = Array.from({ length: stops }, (_, i) => stopAt(9_000 + (i % 100)))
  for (const commands of [[...market(), NEWEST, ...rich], orders]) {
    for (const command of commands) stage.offer(0, command)
    await flushAll(stage)
  }
  return stage
}

/** Triggers all stops: Ben trades with himself at a price below all stops, and buys what they sell. */
const SET_OFF = [limit(BEN, 'BUY', 8_000, 90_000 * LOT), limit(BEN, 'SELL', 8_000, LOT)]

async function flushAll(stage: Stage): Promise<number> {
  let flushes = 0
  for (; !stage.engine.isIdle; flushes++) await stage.engine.flush()
  return flushes
}

test('an engine that refuses new requests carries out nothing that is due: it stays due, for the next start', async () => {
  const stage = await waitingStage(100)
  await give(stage, ...SET_OFF)
  expect([stage.engine.isIdle, stage.engine.dueInMs]).toEqual([false, undefined])
  const { seq } = stage.engine.tail
  stage.engine.refuseNew()
  expect([stage.engine.isIdle, stage.engine.dueInMs]).toEqual([true, undefined])
  await stage.engine.flush()
  expect(stage.engine.tail.seq).toBe(seq)
  expect(stage.machine.due(1, stage.machine.time)).toHaveLength(1)
})

async function give(stage: Stage, ...commands: readonly Command[]): Promise<void> {
  for (const [i, command] of commands.entries()) expect(stage.offer(i + 1, command)).toBeUndefined()
  await stage.engine.flush()
}

/** Kinds of the commands of the last batch. */
async function lastBatch(stage: Stage): Promise<string[]> {
  const [batch] = (await stage.journal.read((stage.engine.tail.seq - 1) as Seq, 1)) as [Batch]
  return framesOf(batch.data, batch.count).map((frame) => readCommand(new ByteReader(frameBody(frame))).kind)
}

const openOf = (machine: StateMachine): number =>
  machine.openOrdersPage({ accountId: ANN as AccountId, symbolId: undefined, after: undefined }).total

function recovered(stage: Stage, machines = ANY_EXCHANGES): Promise<Recovery> {
  const { journal, witness } = stage
  const snapshots = new MemorySnapshots()
  return recover({ journal, witness, snapshots, digest: sha256, machines, acceptJournalTail: false })
}

/** Machines that throw at a poison command. */
function breakingOn(isPoison: (command: Command) => boolean): typeof ANY_EXCHANGES {
  const breaking = (machine: StateMachine): StateMachine => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, ...rest) => {
      if (isPoison(command)) throw new Error('a bug')
      return apply(command, ...rest)
    }
    return machine
  }
  return {
    empty: () => breaking(ANY_EXCHANGES.empty()),
    fromSnapshot: (payload: Uint8Array) => breaking(ANY_EXCHANGES.fromSnapshot(payload)),
  }
}

test('due work is carried out by the engine itself, in the journal, without an answer', async () => {
  const stage = await waitingStage(3)
  await give(stage, ...SET_OFF)
  expect(stage.engine.isIdle).toBe(false)
  const answered = stage.answers.length
  expect(await flushAll(stage)).toBe(1)
  expect(stage.answers.length).toBe(answered)
  expect(await lastBatch(stage)).toEqual(['TriggerOrder', 'TriggerOrder', 'TriggerOrder'])
  expect(stage.outputs.at(-1)?.events?.events.map(({ kind }) => kind)).toContain('OrderTriggered')
  expect(openOf(stage.machine)).toBe(0)
})

test('a trade that triggers 10,000 orders puts at most 32 of them before the requests of another client', async () => {
  const stage = await waitingStage(10_000)
  await give(stage, ...SET_OFF)
  let flushes = 0
  for (; openOf(stage.machine) > 0; flushes++) {
    await give(stage, limit(BEN, 'BUY', 5_000, LOT))
    const kinds = await lastBatch(stage)
    expect(kinds.length).toBeLessThanOrEqual(DUE_PER_BATCH + 1)
    expect(kinds.at(-1)).toBe('PlaceOrder')
    expect(stage.answers.at(-1)).toBe('1 OrderAccepted')
  }
  expect(flushes).toBe(Math.ceil(10_000 / DUE_PER_BATCH))
  expect(stage.engine.isIdle).toBe(true)
  const { machine } = await recovered(stage)
  expect(sha256([machine.encodeSnapshot()])).toEqual(sha256([stage.machine.encodeSnapshot()]))
})

test('due work before a batch is bounded by the orders that it could meet, too', async () => {
  const stage = await waitingStage(40)
  const { machine } = stage
  const due = machine.due.bind(machine)
  machine.due = (max, time, stepsMax) => due(max, time, stepsMax === DUE_STEPS_PER_BATCH ? 0 : stepsMax)
  await give(stage, ...SET_OFF)
  await give(stage, limit(BEN, 'BUY', 4_000, LOT))
  expect(await lastBatch(stage)).toEqual(['TriggerOrder', 'PlaceOrder'])
})

describe('due work that cannot be carried out', () => {
  test('because the storage is full does not keep the engine busy, and is retried when idle', async () => {
    const stage = await waitingStage(1)
    await give(stage, ...SET_OFF)
    stage.journal.nextFault = 'STORAGE_FULL'
    await stage.engine.flush()
    expect([stage.engine.isIdle, openOf(stage.machine)]).toEqual([true, 1])
    await stage.engine.rest()
    expect([stage.engine.isIdle, await flushAll(stage), openOf(stage.machine)]).toEqual([false, 1, 0])
  })

  test('because the storage is full is retried with the next request', async () => {
    const stage = await waitingStage(1)
    await give(stage, ...SET_OFF)
    stage.journal.nextFault = 'STORAGE_FULL'
    await give(stage, limit(BEN, 'BUY', 5_000, LOT))
    expect(stage.answers.at(-1)).toBe('1 STORAGE_FULL')
    await give(stage, limit(BEN, 'BUY', 5_000, LOT))
    expect(await lastBatch(stage)).toEqual(['TriggerOrder', 'PlaceOrder'])
  })

  test('because the clock is not trusted waits until it is', async () => {
    const stage = await waitingStage(1)
    await give(stage, ...SET_OFF)
    stage.elapsedMs = stage.now
    stage.now += 1_000_000_000_000
    await stage.engine.flush()
    expect([stage.engine.isIdle, openOf(stage.machine)]).toEqual([true, 1])
    stage.now -= 1_000_000_000_000
    await stage.engine.rest()
    expect([await flushAll(stage), openOf(stage.machine)]).toEqual([1, 0])
  })
})

test('an engine that stops leaves due work to the next start, which continues with it once it has begun', async () => {
  const stage = await waitingStage(100)
  await give(stage, ...SET_OFF)
  await stage.engine.drain()
  await stage.engine.close()
  const { machine } = await recovered(stage)
  expect([openOf(machine), machine.due(1_000, machine.time).length]).toEqual([100, 100])
  const next = new Stage({}, machine, stage.now, stage.journal)
  expect([next.engine.isIdle, next.answers]).toEqual([true, []])
  next.ask(1, 'bootstrap', undefined)
  await next.engine.flush()
  expect([next.outputs.map(({ events }) => events), openOf(machine)]).toEqual([[undefined], 100])
  next.engine.begin()
  expect([next.engine.isIdle, await flushAll(next), openOf(machine)]).toEqual([false, 4, 0])
})

test('a due order whose execution crashes the engine is quarantined, and the next start continues with the others', async () => {
  const stage = await waitingStage(3)
  await give(stage, ...SET_OFF)
  const [poisoned] = stage.machine.due(1, stage.machine.time)
  await flushAll(stage)
  const machines = breakingOn((command) => Bun.deepEquals(command, poisoned))
  const { machine, report } = await recovered(stage, machines)
  expect(report.newlyQuarantined).toHaveLength(1)
  expect([openOf(machine), machine.due(10, machine.time)]).toEqual([1, []])
  const again = await recovered(stage)
  expect([again.report.newlyQuarantined, openOf(again.machine), again.machine.due(10, machine.time)]).toEqual(
    [[], 1, []],
  )
})

describe('orders that end at a time', () => {
  /** `orders` sells of Ann at adjacent prices, all of which end at `end`; and `stops` waiting stops. */
  async function endingStage(orders: number, end: number, stops = 0): Promise<Stage> {
    const stage = await waitingStage(stops)
    for (let i = 0; i < orders; i++) {
      const order = limit(ANN, 'SELL', 20_000 + (i % 100), LOT)
      stage.offer(0, { ...order, timeInForce: 'GTD', expireTime: timeMs(end) } as PlaceOrder)
    }
    await flushAll(stage)
    return stage
  }

  test('are ended by the engine once their time has come, and not before', async () => {
    const stage = await endingStage(3, 5_000)
    stage.now = 4_999
    expect([stage.engine.isIdle, stage.engine.dueInMs]).toEqual([true, 1])
    stage.now = 5_000
    expect([stage.engine.isIdle, stage.engine.dueInMs]).toEqual([false, 0])
    await flushAll(stage)
    expect(await lastBatch(stage)).toEqual(['ExpireOrder', 'ExpireOrder', 'ExpireOrder'])
    expect([openOf(stage.machine), stage.engine.isIdle, stage.engine.dueInMs]).toEqual([0, true, undefined])
  })

  test('10,000 at one moment put at most 32 ends before the requests of another client, and none of them trades', async () => {
    const stage = await endingStage(10_000, 5_000)
    stage.now = 5_000
    let flushes = 0
    for (; openOf(stage.machine) > 0; flushes++) {
      await give(stage, limit(BEN, 'BUY', 19_000, LOT))
      const kinds = await lastBatch(stage)
      expect(kinds.length).toBeLessThanOrEqual(DUE_PER_BATCH + 1)
      expect(kinds.at(-1)).toBe('PlaceOrder')
    }
    expect(flushes).toBe(Math.ceil(10_000 / DUE_PER_BATCH))
    const { machine } = await recovered(stage)
    expect(sha256([machine.encodeSnapshot()])).toEqual(sha256([stage.machine.encodeSnapshot()]))
  })

  test('do not trade with the next order after their time', async () => {
    const stage = await endingStage(40, 5_000)
    stage.now = 5_000
    await give(stage, limit(BEN, 'BUY', 21_000, 40 * LOT))
    const kinds = stage.outputs.at(-1)?.events?.events.map(({ kind }) => kind) ?? []
    expect([openOf(stage.machine), kinds.includes('OrdersMatched')]).toEqual([0, false])
  })

  test.each([
    { what: 'as many of both', ends: 100, stops: 100, first: [16, 16] },
    { what: 'more than all places of ends alone', ends: 100, stops: 5, first: [27, 5] },
    { what: 'more than all places of stops alone', ends: 5, stops: 100, first: [5, 27] },
  ])('share the places before a batch with stops that are due: $what', async ({ ends, stops, first }) => {
    const stage = await endingStage(ends, 5_000, stops)
    await give(stage, ...SET_OFF)
    stage.now = 5_000
    await give(stage, limit(BEN, 'BUY', 5_000, LOT))
    const kinds = await lastBatch(stage)
    const [expiring, triggering] = first as [number, number]
    expect(expiring + triggering).toBe(DUE_PER_BATCH)
    expect(kinds).toEqual([
      ...Array.from({ length: expiring }, () => 'ExpireOrder'),
      ...Array.from({ length: triggering }, () => 'TriggerOrder'),
      'PlaceOrder',
    ])
  })

  test('are ended by the next start where the engine had stopped before', async () => {
    const stage = await endingStage(2, 5_000)
    await stage.engine.drain()
    await stage.engine.close()
    const { machine } = await recovered(stage)
    const next = new Stage({}, machine, 9_000, stage.journal)
    next.engine.begin()
    expect([await flushAll(next), openOf(machine)]).toEqual([1, 0])
  })

  test('whose end crashes the engine are set aside one by one, and the next start continues with the others', async () => {
    const stage = await endingStage(3, 5_000)
    stage.now = 5_000
    const [poisoned] = stage.machine.due(1, timeMs(5_000))
    await flushAll(stage)
    const machines = breakingOn((command) => Bun.deepEquals(command, poisoned))
    const { machine, report } = await recovered(stage, machines)
    expect(report.newlyQuarantined).toHaveLength(1)
    expect([openOf(machine), machine.due(10, timeMs(9_000))]).toEqual([1, []])
  })
})

describe('a mass cancel of 10,000 orders', () => {
  async function restingStage(): Promise<Stage> {
    const stage = await waitingStage(0)
    for (let i = 0; i < 10_000; i++) stage.offer(0, limit(ANN, 'SELL', 20_000 + (i % 100), LOT))
    await flushAll(stage)
    return stage
  }
  const ALL = { kind: 'CancelAllOrders', accountId: ANN as AccountId, symbolId: undefined } as const
  const FIRST = 500
  const NEXT = 100

  test('puts at most one command before the requests of another client, and none of them trades meanwhile', async () => {
    const stage = await restingStage()
    await give(stage, ALL)
    expect(openOf(stage.machine)).toBe(10_000 - FIRST)
    let flushes = 0
    let trades = 0
    for (; openOf(stage.machine) > 0; flushes++) {
      await give(stage, limit(BEN, 'BUY', 20_000, LOT), { ...limit(BEN, 'SELL', 20_000, LOT) })
      const events = stage.outputs.at(-1)?.events?.events ?? []
      trades += events.filter(({ kind }) => kind === 'OrdersMatched').length
      expect(await lastBatch(stage)).toEqual(['ContinueCancelAll', 'PlaceOrder', 'PlaceOrder'])
    }
    // Ben's orders trade with one another, and the resting orders at their price end before they are due.
    expect(trades).toBe(flushes)
    expect(flushes).toBeLessThanOrEqual((10_000 - FIRST) / NEXT)
    const { machine } = await recovered(stage)
    expect(sha256([machine.encodeSnapshot()])).toEqual(sha256([stage.machine.encodeSnapshot()]))
  })

  test('continues after a restart, and one that crashes the engine is set aside', async () => {
    const stage = await restingStage()
    await give(stage, ALL)
    await stage.engine.drain()
    await stage.engine.close()
    const { machine } = await recovered(stage)
    const next = new Stage({}, machine, stage.now, stage.journal)
    next.engine.begin()
    await next.engine.flush()
    expect(openOf(machine)).toBe(10_000 - FIRST - NEXT)
    const broken = await recovered(
      next,
      breakingOn(({ kind }) => kind === 'ContinueCancelAll'),
    )
    expect(broken.report.newlyQuarantined).toHaveLength(1)
    expect([openOf(broken.machine), broken.machine.due(9, timeMs(9_000))]).toEqual([9_500, []])
  })
})

test('a countdown that has ended while the engine was off is carried out before any new command', async () => {
  const stage = await waitingStage(0)
  await give(stage, limit(ANN, 'SELL', 20_000, LOT))
  const scope = { accountId: ANN as AccountId, symbolId: undefined }
  await give(stage, { kind: 'SetCountdown', ...scope, countdownMs: 1_000, keepsStops: false })
  await stage.engine.drain()
  await stage.engine.close()
  const { machine } = await recovered(stage)
  const next = new Stage({}, machine, stage.now + 5_000, stage.journal)
  await give(next, limit(BEN, 'BUY', 20_000, LOT))
  expect(await lastBatch(next)).toEqual(['FireCountdown', 'PlaceOrder'])
  expect([openOf(machine), next.answers.at(-1)]).toEqual([0, '1 OrderAccepted'])
  expect(next.outputs.at(-1)?.events?.events.some(({ kind }) => kind === 'OrdersMatched')).toBe(false)
})

test('a planned phase is announced at its moment by the engine itself, also where the moment passed while no engine ran', async () => {
  const stage = await waitingStage(0)
  const operator = { actor: 'test', note: '' }
  const at = (inMs: number) => timeMs(stage.now + inMs)
  const [first, second] = [at(100), at(200)]
  const steps = [
    { phase: 'CANCEL_ONLY', at: first },
    { phase: 'CLOSED', at: second },
  ] as const
  await give(stage, { kind: 'PlanPhases', operator, steps })
  expect([stage.engine.isIdle, stage.engine.dueInMs]).toEqual([true, 100])
  stage.now += 100
  expect(await flushAll(stage)).toBe(1)
  expect(await lastBatch(stage)).toEqual(['EnterPhase'])
  expect(stage.outputs.at(-1)?.events?.events).toMatchObject([{ kind: 'PhasesChanged' }])
  await stage.engine.drain()
  await stage.engine.close()
  const { machine } = await recovered(stage)
  const next = new Stage({}, machine, stage.now + 5_000, stage.journal)
  await give(next, limit(BEN, 'BUY', 20_000, LOT))
  expect(await lastBatch(next)).toEqual(['EnterPhase', 'PlaceOrder'])
  expect(next.answers.at(-1)).toBe('1 EXCHANGE_CLOSED')
})

describe('sessions of an earlier run', () => {
  /** Ann has an order in a session with this grace, and the engine was stopped. */
  async function withSession(graceMs: number): Promise<Stage> {
    const stage = await waitingStage(0)
    const accountId = ANN as AccountId
    const operator = { actor: 'test', note: '' }
    const key = { apiKey: 'k', sealedSecret: new Uint8Array(60), permissions: [], addresses: [], label: '' }
    await give(stage, { kind: 'CreateApiKey', operator, accountId, ...key })
    await give(stage, { kind: 'OpenSession', accountId, apiKey: 'k', graceMs, resumes: undefined })
    await give(stage, { ...limit(ANN, 'SELL', 20_000, LOT), sessionNumber: 1 as SessionNumber })
    await give(stage, { kind: 'SetCountdown', accountId: BEN as AccountId, symbolId: undefined, ...SOON })
    await stage.engine.drain()
    await stage.engine.close()
    return stage
  }
  const SOON = { countdownMs: 1_000, keepsStops: false }

  test('are without a connection from the restart of the service on, and have their grace from then', async () => {
    const stage = await withSession(500)
    const { machine } = await recovered(stage)
    const next = new Stage({}, machine, stage.now + 5_000, stage.journal)
    next.engine.begin()
    expect(next.engine.isIdle).toBe(false)
    await next.engine.flush()
    expect(await lastBatch(next)).toEqual(['DisconnectSessions', 'FireCountdown'])
    expect([next.engine.isIdle, next.engine.dueInMs, openOf(machine)]).toEqual([true, 500, 1])
    next.now += 500
    await flushAll(next)
    expect([await lastBatch(next), openOf(machine), machine.hasSessions]).toEqual([['EndSession'], 0, false])
  })

  test('come before the first request, are recorded once, and not at all where there are none', async () => {
    const stage = await withSession(500)
    const { machine } = await recovered(stage)
    const next = new Stage({}, machine, stage.now, stage.journal)
    await give(next, limit(BEN, 'BUY', 20_000, LOT))
    expect(await lastBatch(next)).toEqual(['DisconnectSessions', 'PlaceOrder'])
    await give(next, limit(BEN, 'BUY', 10_000, LOT))
    expect(await lastBatch(next)).toEqual(['PlaceOrder'])
    const other = await waitingStage(0)
    expect(await lastBatch(other)).not.toContain('DisconnectSessions')
  })
})
