import { describe, expect, test } from 'bun:test'
import { FEES_ACCOUNT } from '../../units/ids.ts'
import { rate } from '../../units/quantities.ts'
import { ExchangeHarness } from '../exchange/exchange-harness.fixture.ts'

const BTC = 0
const USDT = 1
const UNIT = 100_000_000n
const ONE_BTC = 100_000_000

describe('commission', () => {
  /** Rates of 1 % and 3 %: returns the commission that each side paid from its proceeds. */
  function chargedWhere(takerSide: 'BUY' | 'SELL') {
    const it = new ExchangeHarness({ terms: { makerRate: rate(1_000_000), takerRate: rate(3_000_000) } })
    const maker = it.trader('maker', { BTC: UNIT, USDT: 1_000n * UNIT })
    const taker = it.trader('taker', { BTC: UNIT, USDT: 1_000n * UNIT })
    const makerSide = takerSide === 'BUY' ? 'SELL' : 'BUY'
    it.accepted({ who: maker, side: makerSide, price: 10_000, quantity: ONE_BTC })
    it.accepted({ who: taker, side: takerSide, price: 10_000, quantity: ONE_BTC })
    it.mustAddUp()
    return { btc: it.money(FEES_ACCOUNT, BTC).free, usdt: it.money(FEES_ACCOUNT, USDT).free }
  }

  test('is at the rate of the maker for the maker and of the taker for the taker, whichever of them buys', () => {
    expect(chargedWhere('BUY')).toEqual({ btc: (UNIT * 3n) / 100n, usdt: 1n * UNIT })
    expect(chargedWhere('SELL')).toEqual({ btc: UNIT / 100n, usdt: 3n * UNIT })
  })

  test('is rounded once over the life of an order, not once per fill', () => {
    const it = new ExchangeHarness({ terms: { makerRate: rate(10_000_000), takerRate: rate(0) } })
    const maker = it.trader('maker', { USDT: UNIT })
    const taker = it.trader('taker', { BTC: UNIT })
    it.accepted({ who: maker, side: 'BUY', price: 100, quantity: 20 })
    // At a rate of a tenth, the commission on 4 units alone rounds to 0; on the 20 units of all five fills it
    // is 2.
    const charged = [1, 2, 3, 4, 5].map(() => {
      it.accepted({ who: taker, side: 'SELL', price: 100, quantity: 4 })
      return it.money(FEES_ACCOUNT, BTC).free
    })
    expect(charged).toEqual([0n, 1n, 1n, 2n, 2n])
  })
})
