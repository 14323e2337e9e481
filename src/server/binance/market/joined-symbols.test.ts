import { expect, test } from 'bun:test'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { RegistryView } from '../../../views/registry.ts'
import { JoinedSymbols } from './joined-symbols.ts'

type Listed = readonly [base: string, quote: string, state?: TradingSymbol['state'], binanceName?: string]

function registryOf(...pairs: readonly Listed[]) {
  const symbols = pairs.map(([baseCode, quoteCode, state = 'TRADING', binanceName], id) => ({
    ...{ id, baseCode, quoteCode, state, binanceName },
    name: `${baseCode}/${quoteCode}`,
  }))
  return { symbols: () => symbols, symbolChanges: pairs.length } as unknown as RegistryView
}

test('a symbol is found by its joined name alone', () => {
  const joined = new JoinedSymbols(registryOf(['BTC', 'USDT'], ['ETH', 'BTC']))
  expect(joined.get('BTCUSDT')?.name).toBe('BTC/USDT')
  expect([joined.get('BTC/USDT'), joined.get('btcusdt'), joined.get('USDTBTC')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a name that two symbols would share belongs to neither, however many there are', () => {
  const two = new JoinedSymbols(registryOf(['A', 'BC'], ['AB', 'C'], ['X', 'Y']))
  expect([two.get('ABC'), two.all().map(({ name }) => name)]).toEqual([undefined, ['X/Y']])
  const three = new JoinedSymbols(registryOf(['A', 'BCD'], ['AB', 'CD'], ['ABC', 'D']))
  expect([three.get('ABCD'), three.all()]).toEqual([undefined, []])
})

test('a delisted symbol takes no name from another, and has none', () => {
  const joined = new JoinedSymbols(registryOf(['A', 'BC', 'DELISTED'], ['AB', 'C']))
  expect(joined.get('ABC')?.name).toBe('AB/C')
})

test('a symbol listed under a name of its own has that one alone', () => {
  const joined = new JoinedSymbols(registryOf(['A', 'BC'], ['AB', 'C', 'TRADING', 'ABXC']))
  expect([joined.get('ABC')?.name, joined.get('ABXC')?.name]).toEqual(['A/BC', 'AB/C'])
})
