import { expect, test } from 'bun:test'
import { NO_EVENTS } from '../../core/events/event.ts'
import type { AssetAudit } from '../../core/exchange/audit.ts'
import type { AssetId } from '../../units/ids.ts'
import { amount, type Seq, type TimeMs } from '../../units/quantities.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import type { StateMachine } from '../port/state-machine.ts'
import { asset, limit, market } from '../writer/commands.fixture.ts'
import { replayBatch } from '../writer/recovery/replay.ts'
import { JournaledExchange } from './journaled-exchange.fixture.ts'
import { SelfAudit } from './self-audit.ts'

const BTC = 0 as AssetId
const USDT = 1 as AssetId

/** A market of two funded traders, and the assets checked so far, in order. */
function watched(change: (audit: AssetAudit) => AssetAudit = (audit) => audit) {
  const machine = ANY_EXCHANGES.empty()
  const looked: AssetId[] = []
  const auditAsset = machine.auditAsset.bind(machine)
  machine.auditAsset = (assetId) => {
    looked.push(assetId)
    return change(auditAsset(assetId))
  }
  for (const command of market()) machine.apply(command, 1 as TimeMs, NO_EVENTS)
  return { machine, looked }
}

function trade(machine: StateMachine): void {
  machine.apply(limit(3, 'SELL', 100, 1_000_000), machine.time, NO_EVENTS)
  machine.apply(limit(4, 'BUY', 100, 400_000), machine.time, NO_EVENTS)
}

test('sound books raise no alarm, and are reconciled at the command at which they were added up', () => {
  const { machine } = watched()
  const audit = new SelfAudit()
  expect(audit.reconciledSeq(machine.assetCount)).toBeUndefined()
  expect(audit.step(machine)).toEqual([])
  expect(audit.reconciledSeq(machine.assetCount)).toBe(machine.seq)
  trade(machine)
  expect(audit.step(machine)).toEqual([])
  expect(audit.reconciledSeq(machine.assetCount)).toBe(machine.seq)
})

test('on a quiet exchange nothing is added up twice', () => {
  const { machine, looked } = watched()
  const audit = new SelfAudit()
  audit.step(machine)
  audit.step(machine)
  expect(looked).toEqual([BTC, USDT])
})

test('a piece is bounded, and every asset has its turn', () => {
  const { machine, looked } = watched()
  const audit = new SelfAudit(1)
  for (let i = 0; i < 4; i++) {
    audit.step(machine)
    trade(machine)
  }
  expect(looked).toEqual([BTC, USDT, BTC, USDT])
})

test('an asset listed later is added up too', () => {
  const { machine, looked } = watched()
  const audit = new SelfAudit()
  audit.step(machine)
  machine.apply(asset('ETH'), machine.time, NO_EVENTS)
  expect(audit.reconciledSeq(machine.assetCount)).toBeUndefined()
  audit.step(machine)
  expect(looked).toContain(2 as AssetId)
})

const faults: readonly [string, Partial<AssetAudit>, string][] = [
  ['a sum that is off', { sum: amount(-5n) }, 'USDT: all accounts add up to -0.00000005, expected 0'],
  ['a negative balance', { negatives: 1 }, 'USDT: 1 balances are below 0'],
  [
    'a wrong hold',
    { wrongHolds: 2 },
    'USDT: 2 accounts have locked amounts that differ from the holds of their open orders',
  ],
]
test.each(faults)(
  '%s is an alarm that names the asset, repeated until it is put right',
  (_, fault, problem) => {
    let isOff = true
    const { machine } = watched((audit) =>
      isOff && audit.asset.code === 'USDT' ? { ...audit, ...fault } : audit,
    )
    const audit = new SelfAudit()
    for (let i = 0; i < 2; i++) {
      expect(audit.step(machine)).toEqual([{ seq: machine.seq, assetId: USDT, code: 'USDT', problem }])
      expect(audit.reconciledSeq(machine.assetCount)).toBeUndefined()
      trade(machine)
    }
    isOff = false
    expect(audit.step(machine)).toEqual([])
    expect(audit.reconciledSeq(machine.assetCount)).toBe(machine.seq)
  },
)

test('the books of an exchange that trades are sound after every batch', async () => {
  const source = new JournaledExchange()
  const machine = ANY_EXCHANGES.empty()
  const audit = new SelfAudit()
  const batches = [
    market(),
    [limit(3, 'SELL', 101, 777)],
    [limit(4, 'BUY', 105, 333), limit(4, 'SELL', 99, 50)],
  ]
  for (const commands of batches) {
    replayBatch(machine, await source.write(commands), new Set<Seq>(), NO_EVENTS)
    expect(audit.step(machine)).toEqual([])
  }
})
