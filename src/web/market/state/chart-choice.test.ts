import { expect, test } from 'bun:test'
import { keptStorage } from '../../shared/browser-storage.fixture.ts'
import { chartEntry, USUAL_CHOICE } from './chart-choice.ts'

test('the choice of interval, view, style and scale of the chart is stored', () => {
  const browser = keptStorage()
  const chosen = { interval: '1M', view: 'depth', style: 'heikin-ashi', scale: 'log' } as const
  chartEntry(browser.tab()).write(chosen)
  expect(chartEntry(browser.tab()).read()).toEqual(chosen)
})

test('a damaged choice of the chart gives the default', () => {
  for (const text of ['', '{', 'null', '7', '{"interval":"2m","view":1,"style":"renko","scale":[]}'])
    expect(chartEntry(keptStorage({ 'bourse-chart': text }).tab()).read()).toEqual(USUAL_CHOICE)
})
