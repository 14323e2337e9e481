import { describe, expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { Ledger } from '../ledger/ledger.ts'
import { FastBook } from '../market/fast-book.ts'
import { Desk, OPERATOR } from './desk.contract.ts'
import { Exchange } from './exchange.ts'
import { readState, writeState } from './snapshot.ts'
import { ExchangeState } from './state.ts'

/** An exchange in which something of every kind is kept: orders on both sides, one of them partly filled. */
function busyExchange(): Exchange {
  const it = new Desk({})
  const alice = it.trader('alice', { BTC: 100n, USDT: 10_000_000_000n })
  const bob = it.trader('bob', { BTC: 100n, USDT: 10_000_000_000n })
  it.accepted({ who: alice, side: 'SELL', price: 5_000_000, quantity: 60 })
  it.accepted({ who: alice, side: 'SELL', price: 5_000_100, quantity: 40 })
  it.accepted({ who: bob, side: 'BUY', price: 5_000_000, quantity: 20 })
  it.accepted({ who: bob, side: 'BUY', price: 4_000_000, quantity: 30 })
  it.accepted({ who: bob, side: 'BUY', price: 3_000_000, quantity: 30 })
  it.give({
    kind: 'CreateApiKey',
    operator: OPERATOR,
    accountId: alice,
    apiKey: 'key',
    sealedSecret: new Uint8Array([1, 2, 3]),
    permissions: ['TRADE'],
    addresses: ['10.0.0.0/8'],
    label: 'bot',
  })
  return it.exchange
}

function decoded(bytes: Uint8Array): Exchange | BytesFault {
  try {
    return Exchange.decodeSnapshot(bytes)
  } catch (fault) {
    if (fault instanceof BytesFault) return fault
    throw fault
  }
}

describe('a snapshot', () => {
  const bytes = busyExchange().encodeSnapshot()

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
    let refused = 0
    for (let at = 0; at < bytes.length; at++) {
      for (const change of [1, 2, 0x40, 0x80, 0xff]) {
        const damaged = bytes.slice()
        damaged[at] = (bytes[at] as number) ^ change
        const found = decoded(damaged)
        if (found instanceof BytesFault) refused++
        else expect(found.encodeSnapshot()).toEqual(damaged)
      }
    }
    expect(refused).toBeGreaterThan(bytes.length)
  })

  test('whose ledger has other accounts or assets than the registry is refused', () => {
    const state = ExchangeState.empty(() => new FastBook())
    for (const spoil of [(ledger: Ledger) => ledger.addAccount(), (ledger: Ledger) => ledger.addAsset()]) {
      const ledger = new Ledger()
      for (let i = 0; i < state.registry.accountCount; i++) ledger.addAccount()
      spoil(ledger)
      const w = new ByteWriter()
      writeState(w, new ExchangeState({ ...state, ledger }, () => new FastBook()))
      expect(() => readState(new ByteReader(w.take()), () => new FastBook())).toThrow(BytesFault)
    }
  })
})
