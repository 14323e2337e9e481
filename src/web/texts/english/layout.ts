/** How the panels lie: the bar of a phone, the menu, the theme. */

export const LAYOUT = {
  menu: 'Menu',
  views: 'Views',
  view: { chart: 'Chart', book: 'Book', tape: 'Trades', trade: 'Trade', account: 'Account' },
  theme: 'Theme',
  themes: { system: 'System theme', dark: 'Dark', light: 'Light' },
} as const
