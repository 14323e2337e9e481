import { expect, test } from 'bun:test'
import { compareTurns, printedFigures } from './support/printed-figures.ts'

const PRINTED = `2 x some CPU; Bun 1.4.5
medians of 7 rounds of 500 orders, per second of CPU time
load                        accounts  orders/s  ns an order  share
a taker trades once                5    1.25 M          800    12%
a taker trades twice               5   12.5 k       80,000     -
a taker trades once: 229 trades, 1229 events, state 90d858d5bb136f58

what      wall
one   1.50 ms
one      20 us
`

test('figures are read from the tables that a benchmark prints, by row and column', () => {
  const figures = Object.fromEntries(printedFigures(PRINTED))
  expect(figures).toMatchObject({
    'a taker trades once, accounts': 5,
    'a taker trades once, orders/s': 1_250_000,
    'a taker trades once, ns an order': 800,
    'a taker trades once, share': 12,
    'a taker trades twice, orders/s': 12_500,
    'a taker trades twice, ns an order': 80_000,
  })
  expect([figures['one, wall'], figures['one, wall #2']]).toEqual([1.5 * 1e-3, 20 * 1e-6])
})

test('the ratio compares this checkout with the runs of the earlier commit before and after it, beside the ratio of these two', () => {
  const turn = (before: number, now: number, after: number) => ({
    before: new Map([
      ['ns', before],
      ['count', 5],
      ['gone', 1],
    ]),
    now: new Map([
      ['ns', now],
      ['count', 5],
    ]),
    after: new Map([
      ['ns', after],
      ['count', 5],
      ['gone', 1],
    ]),
  })
  const compared = compareTurns([turn(100, 110, 100), turn(100, 200, 400), turn(50, 60, 50)])
  expect(compared).toEqual([
    {
      name: 'ns',
      ratio: { median: 1.1, min: 1, max: 1.2 },
      noise: { median: 1, min: 1, max: 4 },
    },
  ])
})
