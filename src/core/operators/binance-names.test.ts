/** No two symbols have the same name for clients of Binance (docs/binance.md#names-of-symbols). */
import { beforeEach, describe, expect, test } from 'bun:test'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR, TERMS } from '../exchange/exchange-harness.fixture.ts'
import { BINANCE_NAME_RULES } from '../exchange/rules.ts'
import type { Reply } from '../questions/reply.ts'
import { binanceNameOf } from '../registry/binance-name.ts'

let it: ExchangeHarness

/** BTC/USDT is listed, and so are the assets A, AB, ABC, B, BC and C. */
beforeEach(() => {
  it = new ExchangeHarness()
  for (const code of ['A', 'AB', 'ABC', 'B', 'BC', 'C']) it.asset(code, 8)
})

function rules(version: number): void {
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version })
}

function list(base: string, quote: string, binanceName?: string): string {
  const command = { kind: 'ListSymbol', operator: OPERATOR, base, quote, terms: TERMS, binanceName } as const
  const before = it.exchange.encodeSnapshot()
  const reply = it.give(command)
  if (reply.kind !== 'Refused') return reply.kind
  expect(it.events).toEqual([])
  expect(withoutNumber(it.exchange)).toEqual(withoutNumber(Exchange.decodeSnapshot(before)))
  return reply.reason
}

const withoutNumber = (exchange: Exchange) => exchange.bootstrap().symbols
const names = (exchange = it.exchange) =>
  exchange.bootstrap().symbols.map((symbol) => [symbol.name, binanceNameOf(symbol)])

describe('under the rules of the names', () => {
  beforeEach(() => rules(BINANCE_NAME_RULES))

  test('a symbol whose codes together are the name of another is refused, and listed under a name of its own', () => {
    expect([list('A', 'BC'), list('AB', 'C'), list('AB', 'C', 'ABXC')]).toEqual([
      'SymbolListed',
      'BINANCE_NAME_TAKEN',
      'SymbolListed',
    ])
    expect(names()).toEqual([
      ['BTC/USDT', 'BTCUSDT'],
      ['A/BC', 'ABC'],
      ['AB/C', 'ABXC'],
    ])
  })

  test('a name of its own is refused where another symbol has it, and keeps others from having it', () => {
    expect([list('A', 'B', 'BTCUSDT'), list('A', 'B', 'BC'), list('A', 'C', 'BC')]).toEqual([
      'BINANCE_NAME_TAKEN',
      'SymbolListed',
      'BINANCE_NAME_TAKEN',
    ])
    expect(list('B', 'C')).toBe('BINANCE_NAME_TAKEN')
    expect(list('B', 'C', 'AB')).toBe('SymbolListed')
  })

  test('a delisted symbol keeps its name permanently', () => {
    list('A', 'BC')
    it.state('A/BC', 'DELISTED')
    expect(list('AB', 'C')).toBe('BINANCE_NAME_TAKEN')
  })

  test('a name is 1 to 32 of A-Z and 0-9', () => {
    for (const wrong of ['', 'abc', 'A/B', 'A B', 'Ä', '9'.repeat(33)])
      expect(list('A', 'B', wrong)).toBe('INVALID_COMMAND')
    expect(list('A', 'B', '9'.repeat(32))).toBe('SymbolListed')
  })

  test('the name that both codes form anyway is not stored as a name of its own', () => {
    list('A', 'B', 'AB')
    expect(it.exchange.bootstrap().symbols.at(-1)).not.toHaveProperty('binanceName')
  })

  test('a snapshot has the names, and no two symbols get the same one after it', () => {
    list('A', 'BC', 'X')
    const bytes = it.exchange.encodeSnapshot()
    const read = Exchange.decodeSnapshot(bytes)
    expect(read.encodeSnapshot()).toEqual(bytes)
    expect(names(read)).toEqual(names())
    const again = { kind: 'ListSymbol', operator: OPERATOR, base: 'A', quote: 'B', terms: TERMS } as const
    const reply: Reply = read.apply({ ...again, binanceName: 'X' }, read.time, () => {})
    expect(reply).toEqual({ kind: 'Refused', reason: 'BINANCE_NAME_TAKEN' })
  })
})

describe('under the rules before them', () => {
  beforeEach(() => rules(BINANCE_NAME_RULES - 1))

  test('two symbols may have the same name, and a listing may say none', () => {
    expect([list('A', 'BC'), list('AB', 'C'), list('A', 'B', 'X')]).toEqual([
      'SymbolListed',
      'SymbolListed',
      'RULES_VERSION_TOO_LOW',
    ])
  })

  test('those listed then stay, also in a snapshot, and a third symbol needs a name of its own', () => {
    list('A', 'BC')
    list('AB', 'C')
    rules(BINANCE_NAME_RULES)
    const bytes = it.exchange.encodeSnapshot()
    expect(Exchange.decodeSnapshot(bytes).encodeSnapshot()).toEqual(bytes)
    it.asset('ABCD', 8)
    expect([list('ABC', 'B'), list('B', 'A', 'ABC'), list('B', 'A')]).toEqual([
      'SymbolListed',
      'BINANCE_NAME_TAKEN',
      'SymbolListed',
    ])
  })
})
