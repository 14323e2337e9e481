import { describe, expect, test } from 'bun:test'
import { MeasuredInterval, parseMetrics } from './metrics-text.ts'

const TEXT = `# HELP trades_total Matches
# TYPE trades_total counter
trades_total{symbol="BTC/USDT"} 3
trades_total{symbol="a\\"b\\\\c\\nd",side="x"} 1.5e3
ready 1
seconds_bucket{le="0.1"} 5
seconds_bucket{le="+Inf"} 5
rubbish
`

/** A histogram with these counts at or below 1, 2 and 4, and in total. */
function histogram(...[one, two, four, all]: number[]): string {
  return `s_bucket{le="1"} ${one}\ns_bucket{le="2"} ${two}\ns_bucket{le="4"} ${four}\ns_bucket{le="+Inf"} ${all}\ns_count ${all}\n`
}

const between = (before: string, now: string) =>
  new MeasuredInterval(parseMetrics(before), parseMetrics(now), 2)

describe('metrics as text', () => {
  test('values are found by name and labels, and summed over labels that were not given', () => {
    const scrape = parseMetrics(TEXT)
    expect([scrape.value('trades_total'), scrape.value('trades_total', { symbol: 'BTC/USDT' })]).toEqual([
      1503, 3,
    ])
    expect([scrape.value('ready'), scrape.value('absent'), scrape.value('ready', { a: 'b' })]).toEqual([
      1,
      undefined,
      undefined,
    ])
    expect(scrape.labelValues('trades_total', 'symbol')).toEqual(['BTC/USDT', 'a"b\\c\nd'])
    expect(scrape.labelValues('seconds_bucket', 'le')).toEqual(['0.1', '+Inf'])
  })

  test('the rate of a counter is its growth, and after a restart of the node its value since then', () => {
    expect(between('c 10\n', 'c 16\n').perSecond('c')).toBe(3)
    expect(between('c 10\n', 'c 4\n').perSecond('c')).toBe(2)
    expect(between('', '').perSecond('c')).toBe(0)
  })

  test('a quantile lies in the bucket that reaches its share, counting new values only', () => {
    const interval = between(histogram(100, 100, 100, 100), histogram(100, 104, 108, 108))
    expect([interval.quantile(0.5, 's'), interval.quantile(0.75, 's'), interval.quantile(1, 's')]).toEqual([
      2, 3, 4,
    ])
    expect(between(histogram(1, 1, 1, 1), histogram(1, 1, 1, 1)).quantile(0.5, 's')).toBeUndefined()
  })

  test('a value above the highest bound is shown as that bound', () => {
    expect(between(histogram(0, 0, 0, 0), histogram(0, 0, 0, 7)).quantile(0.5, 's')).toBe(4)
  })
})
