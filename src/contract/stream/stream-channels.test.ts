import { describe, expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import { type TradeNumber, uuidOf } from '../../units/ids.ts'
import { decimals, lots, price, seq, timeMs } from '../../units/quantities.ts'
import {
  bestPriceMembers,
  channelTradeJson,
  checksumText,
  levelPairsJson,
  readSubscription,
  seqMembers,
  subscriptionJson,
  topicKey,
} from './stream-channels.ts'

const SYMBOL = 'BTC/USDT'

/** The subscription in `value`, as in its answer. */
function answerTo(value: object): unknown {
  const read = readSubscription(value)
  return 'kind' in read ? read : JSON.parse(subscriptionJson(read))
}

describe('a subscription', () => {
  test('is answered with what it names, options given as text as numbers', () => {
    for (const asked of [
      { channel: 'book', symbol: SYMBOL },
      { channel: 'book', symbol: SYMBOL, levels: 10 },
      { channel: 'book', symbol: 'a"b', intervalMs: 1000 },
      { channel: 'trades', symbol: '' },
      { channel: 'bookTicker', symbol: SYMBOL },
    ]) {
      expect(answerTo(asked)).toEqual(asked)
    }
    const asText = { channel: 'book', symbol: SYMBOL, levels: '20', intervalMs: '500' }
    expect(answerTo(asText)).toEqual({ ...asText, levels: 20, intervalMs: 500 })
  })

  test('is refused with the name of the first wrong or missing parameter', () => {
    const fault = (value: object) => {
      const { reason, name } = answerTo(value) as { reason: string; name: string }
      return `${reason} ${name}`
    }
    expect(fault({})).toBe('MISSING_PARAMETER channel')
    expect(fault({ channel: 'Book', symbol: SYMBOL })).toBe('INVALID_PARAMETER channel')
    expect(fault({ channel: 'constructor' })).toBe('INVALID_PARAMETER channel')
    expect(fault({ channel: 'book' })).toBe('MISSING_PARAMETER symbol')
    expect(fault({ channel: 'book', symbol: null })).toBe('INVALID_PARAMETER symbol')
    const book = { channel: 'book', symbol: SYMBOL }
    for (const levels of [0, 6, 5.5, '05', ' 5', '5.0', null, true, {}]) {
      expect(fault({ ...book, levels })).toBe('INVALID_PARAMETER levels')
    }
    for (const intervalMs of [0, 99, '1e3', -100]) {
      expect(fault({ ...book, intervalMs })).toBe('INVALID_PARAMETER intervalMs')
    }
    expect(fault({ ...book, interval: 100 })).toBe('INVALID_PARAMETER interval')
    expect(fault(JSON.parse('{"channel":"book","symbol":"x","__proto__":{}}'))).toBe(
      'INVALID_PARAMETER __proto__',
    )
    for (const channel of ['trades', 'bookTicker', 'status']) {
      expect(fault({ ...book, channel, levels: 5 })).toBe('INVALID_PARAMETER levels')
    }
  })

  test('has a key of its own for each choice of options', () => {
    const keys = [undefined, 5, 10, 20, 50].flatMap((levels) =>
      [undefined, 100, 250, 500, 1000].map((intervalMs) => {
        const read = readSubscription({ channel: 'book', symbol: SYMBOL, levels, intervalMs })
        return 'kind' in read ? read.name : topicKey(read.topic)
      }),
    )
    expect(new Set(keys).size).toBe(25)
  })
})

test('levels are texts with all decimals of the symbol, exact beyond the precision of a number', () => {
  const symbol = { baseFraction: decimals(8), quoteFraction: decimals(2) }
  const levels = [
    { price: price(6_000_050), quantity: 90_071_992_547_409_931n },
    { price: price(1), quantity: 0n },
  ]
  expect(levelPairsJson(levels, symbol)).toBe('["60000.50","900719925.47409931"],["0.01","0.00000000"]')
  const whole = { baseFraction: decimals(0), quoteFraction: decimals(0) }
  expect(levelPairsJson(levels, whole)).toBe('["6000050","90071992547409931"],["1","0"]')
})

test('a trade has the maker’s side and exact texts', () => {
  const symbol = { baseFraction: decimals(8), quoteFraction: decimals(2) }
  const figures = {
    tradeNumber: 7 as TradeNumber,
    symbolTrade: 3,
    price: price(150),
    quantity: lots(1),
    time: timeMs(1_700_000_000_000),
  }
  const json = (takerSide: 'BUY' | 'SELL') => JSON.parse(channelTradeJson({ ...figures, takerSide }, symbol))
  const trade = { price: '1.50', quantity: '0.00000001', timestamp: 1_700_000_000_000 }
  const id = uuidOf('trade', figures.tradeNumber, figures.time)
  expect(json('SELL')).toEqual({ id, number: 3, ...trade, isBuyerMaker: true })
  expect(json('BUY')).toEqual({ id, number: 3, ...trade, isBuyerMaker: false })
  const old = JSON.parse(channelTradeJson({ ...figures, symbolTrade: 0, takerSide: 'BUY' }, symbol))
  expect(old).toEqual({ id, ...trade, isBuyerMaker: false })
})

test('the best price of a book is named by its side, and an empty side is left out', () => {
  const symbol = { baseFraction: decimals(8), quoteFraction: decimals(2) }
  const level = { price: price(150), quantity: 5n }
  expect(bestPriceMembers('bid', level, symbol)).toBe(',"bidPrice":"1.50","bidQty":"0.00000005"')
  expect(bestPriceMembers('ask', undefined, symbol)).toBe('')
})

test('the checksum is of ticks and lots of both sides, an empty side leaving nothing', () => {
  const level = (at: number, quantity: bigint) => ({ price: price(at), quantity })
  expect(checksumText([], [])).toBe('|')
  expect(checksumText([level(5, 7n), level(4, 1n)], [])).toBe('5:7,4:1|')
  expect(checksumText([], [level(6, 2n)])).toBe('|6:2')
  expect(Bun.hash.crc32(checksumText([level(5, 7n)], [level(6, 2n)]))).toBe(crc32('5:7|6:2'))
})

test('a message without a predecessor has no prevSeq', () => {
  expect(seqMembers(seq(7), undefined)).toBe('"seq":7')
  expect(seqMembers(seq(7), seq(0))).toBe('"seq":7,"prevSeq":0')
})
