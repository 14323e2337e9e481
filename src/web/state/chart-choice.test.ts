import { expect, test } from 'bun:test'
import { keptStorage } from '../common/browser-storage.fixture.ts'
import { chartEntry, USUAL_CHOICE } from './chart-choice.ts'

test('the choice of interval and view of the chart is kept', () => {
  const browser = keptStorage()
  chartEntry(browser.tab()).write({ interval: '1M', view: 'depth' })
  expect(chartEntry(browser.tab()).read()).toEqual({ interval: '1M', view: 'depth' })
})

test('a choice of the chart that is damaged is the usual one', () => {
  for (const text of ['', '{', 'null', '7', '{"interval":"2m","view":1}'])
    expect(chartEntry(keptStorage({ 'bourse-chart': text }).tab()).read()).toEqual(USUAL_CHOICE)
})
