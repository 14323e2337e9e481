/**
 * Findings of an audit for a faulty replay; damage of files is tested with files
 * (app/maintenance/verification).
 */

import { expect, test } from 'bun:test'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import type { ExchangeEvent } from '../../core/events/event.ts'
import { sha256 } from '../../storage/sha256.ts'
import { amount, type Seq } from '../../units/quantities.ts'
import { bigintOf } from '../../units/whole.ts'
import { JournaledExchange, openMarkets } from '../follower/journaled-exchange.fixture.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import { limit } from '../writer/commands.fixture.ts'
import { Findings } from './findings.ts'
import type { JournalSource } from './source.ts'
import { readSnapshots, type VerifyReport, verifyStorage } from './verify.ts'

/** A market in which some orders have matched, batch by batch. */
async function traded(): Promise<JournaledExchange> {
  const source = new JournaledExchange()
  await source.write(openMarkets())
  for (let i = 0; i < 20; i++) {
    await source.write([limit(3, 'SELL', 100, 3_333_337), limit(4, 'BUY', 101, 2_222_221)])
  }
  return source
}

/** Machines changed by `change`. */
function changed(change: (machine: StateMachine) => void): StateMachineFactory {
  const empty = (): StateMachine => {
    const machine = ANY_EXCHANGES.empty()
    change(machine)
    return machine
  }
  return { ...ANY_EXCHANGES, empty }
}

async function verify(exchange: JournaledExchange, factory = ANY_EXCHANGES): Promise<VerifyReport> {
  const { journal } = exchange
  const source: JournalSource = {
    tail: journal.tail,
    read: (afterSeq, maxBytes) => journal.read(afterSeq, maxBytes),
    quarantined: async () => new Map(),
    close: async () => {},
  }
  const findings = new Findings()
  const parts = { factory, digest: sha256, findings }
  const snapshots = await readSnapshots(new MemorySnapshots(), parts)
  const recorded = { kind: 'MARK', mark: journal.tail, damage: undefined } as const
  return verifyStorage({ ...parts, source, recorded, snapshots, history: undefined, onProgress: () => {} })
}

const messages = ({ findings }: VerifyReport): string[] =>
  findings.kept.map(({ check, message }) => `${check}: ${message}`)

test('a sound replay has no finding and reaches the state of the running exchange', async () => {
  const exchange = await traded()
  const report = await verify(exchange)
  expect(messages(report)).toEqual([])
  expect(report.stateHash).toEqual(exchange.stateHashBySeq.get(exchange.journal.tail.seq) as Uint8Array)
})

test('money that no transfer or trade explains is found, with its account', async () => {
  const generous = changed((machine) => {
    const balances = machine.balances.bind(machine)
    machine.balances = (accountId) =>
      balances(accountId).map((balance) =>
        accountId === 4 && balance.assetId === 1
          ? { ...balance, savings: amount(bigintOf(balance.savings) + 1n) }
          : balance,
      )
  })
  const [only, ...others] = messages(await verify(await traded(), generous))
  expect(only).toMatch(
    /^STATEMENT: bob has \d+\.\d{7}\d USDT, but its transfers and trades add up to \d+\.\d{8}$/,
  )
  expect(others).toEqual([])
})

test('a trade whose events differ from the ledger is found on both sides', async () => {
  const lying = changed((machine) => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, time, emit) =>
      apply(command, time, (event: ExchangeEvent) => {
        if (event.kind !== 'OrdersMatched' || event.tradeNumber !== 2) return emit(event)
        emit({
          ...event,
          maker: { ...event.maker, commission: amount(bigintOf(event.maker.commission) + 1n) },
        })
      })
  })
  const found = messages(await verify(await traded(), lying))
  expect(found).toHaveLength(2)
  expect(found.join('\n')).toMatch(/STATEMENT: (?:alice|bob|fees)/)
})

test('books that are off for a while are found at that time, with the command', async () => {
  const passing = changed((machine) => {
    const auditAsset = machine.auditAsset.bind(machine)
    machine.auditAsset = (id) => {
      const isOff = machine.seq > 20 && machine.seq < 40
      return isOff ? { ...auditAsset(id), negatives: 1 } : auditAsset(id)
    }
  })
  const found = messages(await verify(await traded(), passing))
  expect(found.length).toBeGreaterThan(0)
  for (const finding of found)
    expect(finding).toMatch(/^BALANCE: after command [23]\d: (BTC|USDT): 1 balances are below 0$/)
})

test('a command that cannot be applied ends the replay there, and the journal is still checked to its end', async () => {
  const exchange = await traded()
  const breaking = changed((machine) => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, time, emit) => {
      if (machine.seq === 30) throw new Error('as the test wants it')
      return apply(command, time, emit)
    }
  })
  const report = await verify(exchange, breaking)
  expect(messages(report)[0]).toBe('REPLAY: applying command 31 of the journal failed: as the test wants it')
  expect(report.tail.seq).toBe(exchange.journal.tail.seq)
  expect(report.replayedSeq).toBeLessThan(31 as Seq)
})
