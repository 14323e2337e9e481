import { describe, expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { MATCH_STEPS_MAX } from '../../units/limits.ts'
import { amount, timeMs } from '../../units/quantities.ts'
import type { Command } from '../commands/command.ts'
import type { ExchangeEvent } from '../events/event.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR, orderOf } from '../exchange/exchange-harness.fixture.ts'
import { ExchangeState } from '../exchange/state.ts'
import { Ledger } from '../ledger/ledger.ts'
import { FastBook } from '../market/fast-book.ts'
import { REGISTRY_LIMITS } from '../registry/registry.ts'
import { CLIENT_ORDER_ID_LIMITS } from '../trading/client-order-ids.ts'
import { SESSION_LIMITS } from '../trading/timers/sessions.ts'
import { busyExchange, DAMAGES, decoded, refusedOfDamaged, SNAPSHOTS } from './snapshot.fixture.ts'
import { readState, writeState } from './snapshot.ts'

const OPTIONS = {
  createBook: () => new FastBook(),
  matchStepsMax: MATCH_STEPS_MAX,
  clientOrderIdLimits: CLIENT_ORDER_ID_LIMITS,
  massCancelSteps: { first: 500, next: 100 },
  sessionLimits: SESSION_LIMITS,
  registryLimits: REGISTRY_LIMITS,
}

test('an open order is shown as it was placed, with its last change, also after a start', () => {
  const it = new ExchangeHarness({})
  const ann = it.trader('ann', { BTC: 1_000n })
  const ben = it.trader('ben', { USDT: 10n ** 10n })
  const first = it.accepted({ who: ann, side: 'SELL', price: 100, quantity: 3, selfTradeMode: 'DECREMENT' })
  const maker = { type: 'LIMIT_MAKER', selfTradeMode: 'EXPIRE_BOTH' } as const
  const made = it.accepted({ who: ann, side: 'SELL', price: 101, quantity: 2, ...maker })
  const plain = it.accepted({ who: ann, side: 'SELL', price: 102, quantity: 2 })
  const taken = it.accepted({ who: ben, side: 'BUY', timeInForce: 'IOC', price: 101, quantity: 4 })
  const shown = (exchange: Exchange) =>
    exchange
      .openOrders(ann, undefined)
      .map(({ type, timeInForce, selfTradeMode, updatedAt }) => [type, timeInForce, selfTradeMode, updatedAt])
  expect(shown(it.exchange)).toEqual([
    ['LIMIT', 'GTC', 'NONE', plain.time],
    ['LIMIT_MAKER', 'GTC', 'EXPIRE_BOTH', taken.time],
  ])
  expect(shown(Exchange.decodeSnapshot(it.exchange.encodeSnapshot()))).toEqual(shown(it.exchange))
  expect([first.status, made.status]).toEqual(['NEW', 'NEW'])
})

describe.each(SNAPSHOTS)('%s', (_, make) => {
  const bytes = make().encodeSnapshot()

  test('gives back the state to the byte', () => {
    expect(Exchange.decodeSnapshot(bytes).encodeSnapshot()).toEqual(bytes)
  })

  test('that is cut off anywhere, or goes on after its end, is refused', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(decoded(bytes.subarray(0, length))).toBeInstanceOf(BytesFault)
    }
    expect(decoded(Uint8Array.from([...bytes, 0]))).toBeInstanceOf(BytesFault)
  })

  test('with any byte changed is refused, or is the one form of another state', () => {
    // One way for each byte, in turn; `snapshot.slow.test.ts` uses all of them.
    const inTurn = (at: number) => [DAMAGES[at % DAMAGES.length] as number]
    expect(refusedOfDamaged(bytes, inTurn)).toBeGreaterThan(bytes.length / DAMAGES.length)
  })

  test('whose ledger has other accounts or assets than the registry is refused', () => {
    const state = ExchangeState.empty(OPTIONS)
    for (const spoil of [(ledger: Ledger) => ledger.addAccount(), (ledger: Ledger) => ledger.addAsset()]) {
      const ledger = new Ledger()
      for (let i = 0; i < state.registry.accountCount; i++) ledger.addAccount()
      spoil(ledger)
      const w = new ByteWriter()
      writeState(w, new ExchangeState({ ...state, ledger }, OPTIONS))
      expect(() => readState(new ByteReader(w.take()), OPTIONS)).toThrow(BytesFault)
    }
  })

  test('whose locked money is not what its open orders hold is refused', () => {
    for (const [from, to] of [['free', 'locked'] as const, ['locked', 'free'] as const]) {
      const state = ExchangeState.empty(OPTIONS)
      const it = new ExchangeHarness({ state })
      const alice = it.trader('alice', { USDT: 1_000_000_000n })
      it.accepted({ who: alice, side: 'BUY', price: 500, quantity: 3 })
      expect(decoded(it.exchange.encodeSnapshot())).toBeInstanceOf(Exchange)
      state.ledger.move(1 as AssetId, alice, from, alice, to, amount(1n))
      expect(decoded(it.exchange.encodeSnapshot())).toBeInstanceOf(BytesFault)
    }
  })

  test('continues like the exchange that it was made of: numbers, references, open orders', () => {
    const live = busyExchange()
    const loaded = Exchange.decodeSnapshot(live.encodeSnapshot())
    const credit = { kind: 'Credit', operator: OPERATOR, asset: 'BTC', amount: amount(5n) } as const
    const bob = 4 as AccountId
    const commands: Command[] = [
      { ...credit, accountId: bob, reference: 'credit-0' },
      { ...credit, accountId: bob, reference: 'new' },
      orderOf({ who: bob, side: 'BUY', price: 5_000_100, quantity: 50 }),
      orderOf({ who: bob, side: 'BUY', price: 5_000_000, quantity: 1 }),
    ]
    for (const command of commands) {
      const [events, others]: ExchangeEvent[][] = [[], []]
      const time = timeMs(live.time + 1)
      const reply = live.apply(command, time, (event) => events!.push(event))
      expect(loaded.apply(command, time, (event) => others!.push(event))).toEqual(reply)
      expect(others).toEqual(events!)
    }
    expect(loaded.encodeSnapshot()).toEqual(live.encodeSnapshot())
  })
})
