/** Texts of the chart's tools: style and scale, indicators, full screen. */

export const CHART_TOOLS = {
  style: 'Style',
  styles: { candles: 'Candles', bars: 'Bars', line: 'Line', 'heikin-ashi': 'Heikin-Ashi' },
  scale: 'Price scale',
  scales: { linear: 'Linear', log: 'Logarithmic', percent: 'Percent' },
  averaged: 'Heikin-Ashi: averaged prices, not traded ones',
  fullScreen: 'Full screen',
  leaveFullScreen: 'Leave full screen',
  loading: 'Loading …',
  failed: 'This part cannot be loaded. Load the page again.',
} as const

export const INDICATORS = {
  title: 'Indicators',
  none: 'No indicator is shown.',
  add: 'Add an indicator',
  kinds: {
    SMA: 'Moving average, simple (SMA)',
    EMA: 'Moving average, exponential (EMA)',
    BOLL: 'Bollinger bands (BOLL)',
    VWAP: 'Volume-weighted average price of the day (VWAP)',
    RSI: 'Relative strength index (RSI)',
    MACD: 'Moving average convergence/divergence (MACD)',
  },
  parameters: {
    length: 'Length',
    width: 'Deviations',
    fast: 'Fast',
    slow: 'Slow',
    signal: 'Signal',
  },
  whole: (name: string, least: string, most: string) => `${name}: a whole number from ${least} to ${most}`,
  number: (name: string, least: string, most: string) => `${name}: a number from ${least} to ${most}`,
  change: (name: string) => `Change ${name}`,
  remove: (name: string) => `Remove ${name}`,
  why: {
    MANY: (most: string) => `At most ${most} indicators at once: remove one first.`,
    MANY_PANES: (most: string) => `At most ${most} indicators can have their own pane: remove one first.`,
  },
} as const
