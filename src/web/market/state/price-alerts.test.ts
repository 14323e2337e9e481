import { expect, test } from 'bun:test'
import { keptStorage } from '../../shared/browser-storage.fixture.ts'
import { ALERTS_ENTRY } from './part-entries.ts'
import {
  ALERT_MARKETS_MAX,
  ALERTS_MAX,
  alertsEntry,
  type PriceAlert,
  reached,
  whyNoAlert,
  withAlert,
} from './price-alerts.ts'

test('an alert is reached by a trade at its price or beyond it, from the side where the last price was', () => {
  const alerts = withAlert(withAlert([], 'A/B', '110', '100'), 'A/B', '90.5', '100')
  const prices = (...trades: readonly string[]) => reached(alerts, 'A/B', trades).map(({ price }) => price)
  expect([prices('109.99', '91'), prices('110'), prices('100', '111', '100'), prices('90.50')]).toEqual([
    [],
    ['110'],
    ['110'],
    ['90.5'],
  ])
  expect([prices('200', '1'), reached(alerts, 'C/D', ['110'])]).toEqual([['110', '90.5'], []])
})

test('alerts are stored, each price of a market once, up to a limit, and damaged ones are left out', () => {
  let alerts: readonly PriceAlert[] = []
  for (let price = 1; price <= ALERTS_MAX + 5; price++)
    alerts = withAlert(alerts, 'A/B', String(price), '100')
  expect([alerts.length, whyNoAlert(alerts, 'A/B', '99'), whyNoAlert(alerts, 'A/B', '1')]).toEqual([
    ALERTS_MAX,
    'MANY',
    'THERE',
  ])
  let markets: readonly PriceAlert[] = []
  for (let each = 0; each < ALERT_MARKETS_MAX; each++) markets = withAlert(markets, `${each}/X`, '1', '2')
  expect([whyNoAlert(markets, 'A/B', '1'), whyNoAlert(markets, '0/X', '5')]).toEqual([
    'MANY_MARKETS',
    undefined,
  ])
  const browser = keptStorage()
  alertsEntry(browser.tab()).write(alerts)
  expect(alertsEntry(browser.tab()).read()).toEqual(alerts)
  const good = { id: 1, market: 'A/B', price: '5', from: 'ABOVE' }
  const damaged = [
    null,
    {},
    { ...good, price: '1e3' },
    { ...good, from: 'UP' },
    { ...good, id: '1' },
    good,
    good,
  ]
  const kept = keptStorage({ [ALERTS_ENTRY]: JSON.stringify(damaged) })
  expect(alertsEntry(kept.tab()).read()).toEqual([good as PriceAlert])
})
