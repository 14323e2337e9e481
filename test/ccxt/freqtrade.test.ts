/** docs/freqtrade.md: the class for ccxt has every method that freqtrade calls, according to the page. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ccxt from 'ccxt'
import { createBourse } from '../../clients/ccxt/index.js'

const PAGE = readFileSync(path.join(import.meta.dir, '../../docs/freqtrade.md'), 'utf8')
const TABLE = PAGE.slice(PAGE.indexOf('## What freqtrade needs'), PAGE.indexOf('## Configuration'))
const REQUIRED = [
  'fetchOrder',
  'fetchL2OrderBook',
  'cancelOrder',
  'createOrder',
  'fetchBalance',
  'fetchOHLCV',
]

test('the class for ccxt has every method that freqtrade calls', () => {
  const names = [...TABLE.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  expect(names).toEqual(expect.arrayContaining([...REQUIRED, 'fetchMyTrades', 'fetchTickers']))
  const Bourse = createBourse(ccxt.Exchange, ccxt)
  const { has } = new Bourse({})
  expect(names.filter((name) => !has[name])).toEqual([])
})
