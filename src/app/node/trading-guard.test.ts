/**
 * The whole chain: a follower whose balances do not add up, its alarm, and an engine that no longer trades
 * the asset.
 */
import { afterEach, expect, test } from 'bun:test'
import { type MemoryEngine, startMemoryEngine } from '../../../sim/memory/engine.ts'
import { MemoryHistory } from '../../../sim/memory/history.ts'
import { MemoryJournal } from '../../../sim/memory/journal.ts'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import type { SetSymbolState } from '../../core/commands/listings.ts'
import type { OrderAccepted, Reply } from '../../core/questions/reply.ts'
import { Follower } from '../../engine/follower/follower.ts'
import { DEFAULT_FOLLOWER_LIMITS } from '../../engine/follower/limits.ts'
import type { AuditAlarm } from '../../engine/follower/self-audit.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import { ANY_EXCHANGES } from '../../engine/port/machines.fixture.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { StateMachineFactory } from '../../engine/port/state-machine.ts'
import { asset, credit, limit, market, symbol } from '../../engine/writer/commands.fixture.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { AssetId, SymbolId } from '../../units/ids.ts'
import { TEXT_MAX } from '../../units/limits.ts'
import { amount, type Seq } from '../../units/quantities.ts'
import { LiveRegistry } from '../../views/registry.ts'
import { GUARD_ACTOR, TradingGuard } from './trading-guard.ts'

const ETH_USDT = 1 as SymbolId

let engine: MemoryEngine | undefined
afterEach(() => engine?.stop())

/** Machines whose audit finds one unit of BTC too many as soon as `isOff` returns true. */
function faulty(isOff: () => boolean): StateMachineFactory {
  const empty = () => {
    const machine = ANY_EXCHANGES.empty()
    const auditAsset = machine.auditAsset.bind(machine)
    machine.auditAsset = (assetId) => {
      const audit = auditAsset(assetId)
      return isOff() && audit.asset.code === 'BTC' ? { ...audit, sum: amount(1n) } : audit
    }
    return machine
  }
  return { ...ANY_EXCHANGES, empty }
}

/** BTC/USDT and ETH/USDT on an engine, a follower beside it, and the guard between them. */
async function start(isOff: () => boolean, change: (port: EnginePort) => EnginePort = (port) => port) {
  const journal = new MemoryJournal()
  engine = await startMemoryEngine({ journal })
  const { port, feed } = engine
  const errors: object[] = []
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void errors.push(fields) }
  const guard = new TradingGuard(log)
  const reached = new Map<Seq, () => void>()
  let seen = 0 as Seq
  const follower = await Follower.open({
    feed,
    history: new MemoryHistory(),
    snapshots: new MemorySnapshots(),
    factory: faulty(isOff),
    digest: sha256,
    limits: DEFAULT_FOLLOWER_LIMITS,
    journalEnd: 0 as Seq,
    acceptJournalTail: false,
    untilRetry: async () => {},
    onAdvance: (seq) => {
      seen = seq
      for (const [wanted, resolve] of reached) if (wanted <= seq) resolve()
    },
    onNote: (note) => {
      if (note.kind === 'AuditFailed') guard.alarm(note)
    },
  })
  void follower.run()
  const registry = new LiveRegistry(
    await port.follow((batch) => {
      for (const event of batch.events) registry.apply(event)
    }),
  )
  for (const command of [
    ...market(),
    asset('ETH'),
    symbol('ETH', 'USDT'),
    credit(4, 'ETH', 10n ** 10n, 'eth'),
  ]) {
    await port.submit(command)
  }
  guard.start({ engine: change(port), registry, untilRetry: async () => {} })
  /** The follower processes everything that is durable, then adds up its balances. */
  const audit = async (): Promise<void> => {
    const wanted = journal.tail.seq
    if (seen < wanted) await new Promise<void>((resolve) => reached.set(wanted, resolve))
    follower.audit()
  }
  const state = (name: string) => registry.symbolByName(name)?.state
  /** Resolves when the command that halts or resumes the symbol has taken effect. */
  const until = async (fact: () => boolean): Promise<void> => {
    while (!fact())
      await port.ask('balances', { accountId: registry.symbols()[0]?.roundingAccountId as never })
  }
  return { port, audit, state, until, errors }
}

const reasonOf = (reply: Reply): string => (reply.kind === 'Refused' ? reply.reason : reply.kind)

test('an asset whose books are off is no longer traded; cancels and other assets continue', async () => {
  let isOff = false
  const { port, audit, state, until, errors } = await start(() => isOff)
  const resting = (await port.submit(limit(3, 'SELL', 100, 1_000_000))) as OrderAccepted
  await audit()
  expect(errors).toEqual([])
  isOff = true
  await port.submit(limit(3, 'SELL', 101, 1_000_000))
  await audit()
  await until(() => state('BTC/USDT') === 'HALTED')
  expect(reasonOf(await port.submit(limit(4, 'BUY', 100, 1_000_000)))).toBe('SYMBOL_HALTED')
  expect(reasonOf(await port.submit({ ...limit(4, 'SELL', 100, 1_000_000), symbolId: ETH_USDT }))).toBe(
    'OrderAccepted',
  )
  const { orderNumber, time } = resting
  const cancel = {
    kind: 'CancelOrder',
    accountId: limit(3, 'SELL', 1, 1).accountId,
    orderNumber,
    orderTime: time,
  } as const
  expect(reasonOf(await port.submit(cancel))).toBe('Done')
  expect(errors).toMatchObject([{ alarm: 'BOOKS_OFF', asset: 'BTC', symbols: ['BTC/USDT'] }])
})

test('every symbol of the asset is halted, as base or quote, with as much of the problem as a note can hold', async () => {
  const market = (base: number, quote: number, name: string) => ({ base, quote, name, state: 'TRADING' })
  const symbols = [market(0, 1, 'BTC/USDT'), market(2, 1, 'ETH/USDT'), market(2, 0, 'ETH/BTC')]
  const halted: string[] = []
  const notes: string[] = []
  const done = Promise.withResolvers<void>()
  const engine = {
    submit: async (command: SetSymbolState) => {
      halted.push(command.symbol)
      notes.push(command.operator.note)
      if (halted.length === 2) done.resolve()
      return { kind: 'Done', repeated: false }
    },
  }
  const guard = new TradingGuard({ debug() {}, info() {}, warn() {}, error() {} })
  const problem = 'x'.repeat(500)
  guard.alarm({ assetId: 0 as AssetId, code: 'BTC', problem, seq: 7 as Seq })
  const registry = { symbols: () => symbols }
  guard.start({ engine, registry, untilRetry: async () => {} } as unknown as Parameters<
    TradingGuard['start']
  >[0])
  await done.promise
  expect(halted).toEqual(['BTC/USDT', 'ETH/BTC'])
  for (const note of notes) {
    expect(note).toStartWith('after command 7: xxx')
    expect(note.length).toBeLessThanOrEqual(TEXT_MAX)
  }
})

test('an operator who resumes trading while the books are still off is overruled, and is not once they are right', async () => {
  let isOff = true
  const { port, audit, state, until, errors } = await start(() => isOff)
  const resume = {
    kind: 'SetSymbolState',
    operator: { actor: 'tester', note: '' },
    symbol: 'BTC/USDT',
    state: 'TRADING',
  } as const
  await audit()
  await until(() => state('BTC/USDT') === 'HALTED')
  await audit()
  expect(errors).toHaveLength(1)
  await port.submit(resume)
  await audit()
  await until(() => state('BTC/USDT') === 'HALTED')
  expect(errors).toHaveLength(2)
  isOff = false
  await port.submit(resume)
  await audit()
  expect(state('BTC/USDT')).toBe('TRADING')
})

test('a halt that the engine cannot accept is retried until it can', async () => {
  let refusals = 3
  const full = (port: EnginePort): EnginePort => ({
    ...port,
    submit: async (command) => {
      if (command.kind === 'SetSymbolState') {
        expect(command.operator.actor).toBe(GUARD_ACTOR)
        if (refusals-- > 0) throw new EngineFault('STORAGE_FULL', 'as the test wants it')
      }
      return port.submit(command)
    },
  })
  const { audit, state, until, errors } = await start(() => true, full)
  await audit()
  await until(() => state('BTC/USDT') === 'HALTED')
  expect(errors).toHaveLength(1 + 3)
})

/** A guard on an exchange with BTC/USDT and ETH/USDT without an auditor. */
async function guarded() {
  engine = await startMemoryEngine({ journal: new MemoryJournal() })
  const { port } = engine
  const errors: object[] = []
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void errors.push(fields) }
  const guard = new TradingGuard(log)
  const registry = new LiveRegistry(
    await port.follow((batch) => {
      for (const event of batch.events) registry.apply(event)
    }),
  )
  for (const command of [...market(), asset('ETH'), asset('DOGE'), symbol('ETH', 'USDT')])
    await port.submit(command)
  const states = () => registry.symbols().map(({ name, state }) => `${name} ${state}`)
  const alarm = (code: string): AuditAlarm => {
    const assetId = registry.assetByCode(code)?.id as AssetId
    return { assetId, code, problem: 'off by one', seq: 9 as Seq }
  }
  const start = () => guard.start({ engine: port, registry, untilRetry: async () => {} })
  /** Resolves when everything submitted before has been answered. */
  const settled = async (isSo: () => boolean) => {
    while (!isSo())
      await port.ask('balances', { accountId: registry.symbols()[0]?.roundingAccountId as never })
  }
  return { guard, states, alarm, start, settled, errors }
}

test('an asset that is the quote of symbols halts each of them', async () => {
  const { guard, states, alarm, start, settled } = await guarded()
  start()
  guard.alarm(alarm('USDT'))
  await settled(() => states().every((state) => state.endsWith('HALTED')))
  expect(states()).toEqual(['BTC/USDT HALTED', 'ETH/USDT HALTED'])
})

test('an alarm from before the start halts trading once, as soon as the engine can be asked to', async () => {
  const { guard, states, alarm, start, settled, errors } = await guarded()
  guard.alarm(alarm('ETH'))
  expect(errors).toEqual([])
  start()
  await settled(() => states().includes('ETH/USDT HALTED'))
  expect(states()).toEqual(['BTC/USDT TRADING', 'ETH/USDT HALTED'])
  expect(errors).toMatchObject([{ alarm: 'BOOKS_OFF', asset: 'ETH', symbols: ['ETH/USDT'] }])
})
