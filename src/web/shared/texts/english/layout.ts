/** The layout of the panels: the bar of a phone, the menu, the theme, and changes of the layout. */

export const LAYOUT = {
  menu: 'Account and settings',
  /** `account`: the owner of the page's key. */
  menuOf: (account: string) => `Account and settings: ${account}`,
  noAccount: 'Account',
  views: 'Views',
  view: { chart: 'Chart', book: 'Book', tape: 'Trades', trade: 'Trade', account: 'Account' },
  language: 'Language',
  theme: 'Theme',
  themes: { system: 'System', dark: 'Dark', light: 'Light' },
  zone: 'Time zone',
  zones: { UTC: 'UTC', LOCAL: 'Local time' },
  title: 'Layout',
  preset: 'Presets',
  presets: { STANDARD: 'Standard', CHART: 'Chart', TRADING: 'Trading' },
  shown: 'Panels',
  panels: { chart: 'Chart', book: 'Order book', tape: 'Recent trades', account: 'Account' },
  size: 'Sizes',
  sizes: {
    left: 'Chart height',
    middle: 'Order book height',
    book: 'Order book width',
    tape: 'Trades width',
    trade: 'Order form width',
  },
  maximize: (panel: string) => `Maximize: ${panel}`,
  restore: (panel: string) => `Restore: ${panel}`,
  hide: (panel: string) => `Hide: ${panel}`,
  reset: 'Reset layout',
} as const
