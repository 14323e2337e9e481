/** Both interfaces report whether orders may follow the price as the rules in force allow it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TRAILING_RULES } from '../../../core/exchange/rules.ts'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'

let f: BinanceFixture
beforeAll(async () => {
  f = await openBinance({ rules: TRAILING_RULES - 1 })
})
afterAll(() => f.stop())

type Info = { readonly allowTrailingStop: boolean; readonly filters: readonly { filterType: string }[] }

async function shown() {
  const wire = await f.ask('/api/v3/exchangeInfo?symbol=BTCUSDT')
  const own = await f.send('GET', '/api/v3/exchangeInfo/rules', {})
  return [wire.body.symbols[0], own.body.data.symbols[0]].map(({ allowTrailingStop, filters }: Info) => [
    allowTrailingStop,
    filters.some(({ filterType }) => filterType === 'TRAILING_DELTA'),
  ])
}

test('trailing orders are offered, with their filter, only under the rules that have them', async () => {
  expect(await shown()).toEqual([
    [false, false],
    [false, false],
  ])
  const operator = { actor: 'test', note: '' }
  await f.submit({ kind: 'SetRulesVersion', operator, version: TRAILING_RULES })
  expect(await shown()).toEqual([
    [true, true],
    [true, true],
  ])
})
