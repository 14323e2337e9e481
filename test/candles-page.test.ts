/**
 * docs/reference/candles.md is checked against the code: its tables against the stated values, its examples
 * against the answers of a sandbox.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BASE_OF } from '../src/engine/history/candles/base-widths.ts'
import { klinesWeight } from '../src/server/trading/operations/market/klines.ts'
import { CANDLE_INTERVALS, type CandleInterval } from '../src/units/candle-intervals.ts'
import { type NodeProcess, startSandbox } from './acceptance/support/node-process.ts'

const PAGE = readFileSync(path.join(import.meta.dir, '..', 'docs', 'reference', 'candles.md'), 'utf8')

/** The rows of the table under a heading, without its head; cells without backticks. */
function table(heading: string): string[][] {
  const [, text = ''] = PAGE.split(`\n### ${heading}\n`)
  const lines = (text.split('\n#')[0] as string).split('\n').filter((line) => line.startsWith('| '))
  return lines.map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replaceAll('`', '').trim()),
  )
}

function example(name: string): unknown {
  const [, text = ''] = PAGE.split(`<!-- answer: ${name} -->\n\`\`\`json\n`)
  return JSON.parse(text.split('```')[0] as string)
}

test('candles.md has every interval, and of which and how many stored candles it is made', () => {
  const stated = table('Intervals')
    .slice(1)
    .map(([interval, , width, windows]) => [interval, width, windows])
  expect(stated).toEqual(
    CANDLE_INTERVALS.map((each) => [each, BASE_OF[each].width, `${BASE_OF[each].windows}`]),
  )
})

test('candles.md has the weights that are charged', () => {
  const [[, ...heads] = [], ...rows] = table('Weight')
  for (const [limit, ...weights] of rows) {
    for (const [i, weight] of weights.entries()) {
      for (const interval of (heads[i] as string).split(', ') as CandleInterval[]) {
        const charged = klinesWeight(interval, Number(limit))
        expect([interval, limit, String(charged)]).toEqual([interval, limit, weight])
      }
    }
  }
})

describe('a sandbox', () => {
  let node: NodeProcess
  beforeAll(async () => {
    node = await startSandbox()
    const order = { symbol: 'BTC/USDT', type: 'LIMIT' }
    const sales = [
      ['60000.5', '0.25'],
      ['60010', '0.5'],
      ['59990.25', '0.125'],
    ]
    for (const [price, quantity] of sales as [string, string][]) {
      await node.alice.place({ ...order, side: 'SELL', price, quantity })
      await node.bob.place({ ...order, side: 'BUY', price, quantity })
    }
    await node.bob.place({ ...order, side: 'BUY', price: '59000', quantity: '1' })
    await node.alice.place({ ...order, side: 'SELL', price: '61000', quantity: '2' })
  })
  afterAll(() => node.stop())

  const ask = async (address: string, fields: Record<string, string | number>) =>
    node.alice.request('GET', `/api/v3/${address}`, { symbol: 'BTC/USDT', ...fields })

  test('answers candles in the form of the example', async () => {
    const answer = JSON.parse((await ask('klines', { interval: '1M' })).text)
    const stated = example('klines') as { data: unknown[][] }
    const typesOf = (row: readonly unknown[]) => row.map((cell) => typeof cell)
    expect({ ...answer, data: [] }).toEqual({ ...stated, data: [] })
    for (const row of [...stated.data, ...answer.data]) {
      expect(typesOf(row)).toEqual(
        table('Candles')
          .filter(([column]) => /^\d+$/.test(column as string))
          .map(([, type]) => (type === 'integer' ? 'number' : 'string')),
      )
    }
    const [found, says] = [answer.data[0], stated.data[0] as unknown[]]
    for (const column of [1, 2, 3, 4, 5, 7, 8])
      expect([column, found[column]]).toEqual([column, says[column]])
  })

  test('answers the day ticker of the example except its times, and prevClosePrice, which a new symbol does not have', async () => {
    const answer = JSON.parse((await ask('ticker/24hr', {})).text)
    const stated = example('dayTicker') as { data: object }
    const times = { openTime: 0, closeTime: 0 }
    expect({ ...answer, data: { ...answer.data, ...times } }).toEqual({
      ...stated,
      data: { ...stated.data, ...times },
    })
    const fields = table('Ticker of 24 hours').flatMap(([cell = '']) => cell.split(', '))
    for (const field of Object.keys(stated.data)) expect(fields).toContain(field)
  })
})
