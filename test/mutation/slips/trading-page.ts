/**
 * Slips of the trading page: its layout, its reports of the browser's state, and the data that the chart
 * keeps.
 */
import type { Slip } from '../slips.ts'

const LAYOUT = 'src/web/market/view/layout/panel-layout.ts'
const LAYOUT_TEST = 'src/web/market/view/layout/panel-layout.test.ts'
const GRID = 'src/web/market/view/layout/panel-grid.ts'
const GRID_TEST = 'src/web/market/view/layout/panel-grid.test.ts'
const NOTIFICATIONS = 'src/web/shared/notifications.ts'
const NOTIFICATIONS_TEST = 'src/web/shared/notifications.test.ts'
const DRAWINGS = 'src/web/market/state/drawings.ts'
const DRAWINGS_TEST = 'src/web/market/state/drawings.test.ts'
const INDICATORS_TEST = 'src/web/market/indicators/indicators.test.ts'

export const TRADING_PAGE_SLIPS: readonly Slip[] = [
  {
    wrong: 'the last panel can be hidden, and the page has none',
    file: LAYOUT,
    before: 'return hidden.length === PANELS.length ? layout : { ...layout, hidden }',
    after: 'return { ...layout, hidden }',
    tests: [LAYOUT_TEST],
  },
  {
    wrong: 'a kept size is believed, however large it is',
    file: LAYOUT,
    before: 'return Math.min(max, Math.max(min, Math.round(size / step) * step))',
    after: 'return Math.max(min, Math.round(size / step) * step) + max * 0',
    tests: [LAYOUT_TEST, GRID_TEST],
  },
  {
    wrong: 'a maximized panel has the place of what is hidden only',
    file: GRID,
    before: '(maximized === undefined ? !hidden.includes(panel) : panel === maximized)',
    after: '(maximized === undefined || panel !== maximized ? !hidden.includes(panel) : true)',
    tests: [GRID_TEST],
  },
  {
    wrong: 'a column without its lower panel keeps a row for it',
    file: GRID,
    before: 'share === undefined || panels.length === 1 ? 100',
    after: 'share === undefined ? 100',
    tests: [GRID_TEST],
  },
  {
    wrong: 'a layout that somebody has made moves the panels of a phone',
    file: GRID,
    before: "if (isUsual || screen === 'PHONE') return undefined",
    after:
      "if (isUsual && screen === 'PHONE') return undefined\n  if (screen === 'PHONE') return tabletTemplate('TABLET', shown)",
    tests: [GRID_TEST],
  },
  {
    wrong: 'notifications are shown though they are switched off',
    file: NOTIFICATIONS,
    before: "if (!this.#isOn || api?.permission !== 'granted') return",
    after: "if (api?.permission !== 'granted') return",
    tests: [NOTIFICATIONS_TEST],
  },
  {
    wrong: 'notifications that the browser refuses count as switched on',
    file: NOTIFICATIONS,
    before: 'this.#show(isAllowed)',
    after: 'this.#show(isOn)',
    tests: [NOTIFICATIONS_TEST],
  },
  {
    wrong: 'a line that another tab has removed comes back when it is moved here',
    file: DRAWINGS,
    before: 'this.read(market).map((kept) => (kept.id === drawing.id ? drawing : kept))',
    after: '[...this.read(market).filter((kept) => kept.id !== drawing.id), drawing]',
    tests: [DRAWINGS_TEST],
  },
  {
    wrong: 'a line gets the id of another when one before it is removed',
    file: DRAWINGS,
    before: 'id: isOwn ? kept : 1 + Math.max(0, ...ids)',
    after: 'id: isOwn ? ids.length + 1 : 1 + Math.max(0, ...ids)',
    tests: [DRAWINGS_TEST],
  },
  {
    wrong: 'own fills that could not be had are asked for with the next movement only',
    file: 'src/web/market/connection/own-fills.ts',
    before: '      this.#timer = setTimeout(() => void this.#ask(), failedMs)\n',
    after: '',
    tests: ['src/web/market/connection/own-fills.test.ts'],
  },
  {
    wrong: "an index of strength is averaged as an exponential average and not as Wilder's",
    file: 'src/web/market/indicators/oscillators.ts',
    before: 'averaged(before.gains, Math.max(change, 0), length, 1 / length)',
    after: 'averaged(before.gains, Math.max(change, 0), length, shareOf(length))',
    tests: [INDICATORS_TEST],
  },
  {
    wrong: "Bollinger's bands are those of a sample",
    file: 'src/web/market/indicators/moving-averages.ts',
    before: 'Math.sqrt(squares / length)',
    after: 'Math.sqrt(squares / (length - 1))',
    tests: [INDICATORS_TEST],
  },
  {
    wrong: 'an exponential average begins with the first close',
    file: 'src/web/market/indicators/moving-averages.ts',
    before: 'count + 1 === length ? total / length : Number.NaN',
    after: 'count + 1 === length ? number : Number.NaN',
    tests: [INDICATORS_TEST],
  },
  {
    wrong: 'the average price by volume goes on over midnight',
    file: 'src/web/market/indicators/volume-price.ts',
    before: 'day === before.day ? before : { base: 0, quote: 0 }',
    after: 'before',
    tests: [INDICATORS_TEST],
  },
  {
    wrong: 'the signal of MACD is the distance itself',
    file: 'src/web/market/indicators/oscillators.ts',
    before: 'values: [line, average.value, line - average.value]',
    after: 'values: [line, line, line - average.value]',
    tests: [INDICATORS_TEST],
  },
  {
    wrong: 'an averaged candle opens where the last one closed',
    file: 'src/web/market/indicators/heikin-ashi.ts',
    before: '(before.open + before.close) / 2',
    after: 'before.close',
    tests: [INDICATORS_TEST],
  },
  {
    wrong: 'an alert above the last price is said when the price falls',
    file: 'src/web/market/state/price-alerts.ts',
    before: "const sign = alert.from === 'BELOW' ? 1 : -1",
    after: "const sign = alert.from === 'BELOW' ? -1 : 1",
    tests: ['src/web/market/state/price-alerts.test.ts'],
  },
]
