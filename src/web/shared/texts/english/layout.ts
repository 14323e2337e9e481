/** How the panels lie: the bar of a phone, the menu, the theme. */

export const LAYOUT = {
  menu: 'Account and settings',
  /** `account`: whose key the page has. */
  menuOf: (account: string) => `Account and settings: ${account}`,
  noAccount: 'Account',
  views: 'Views',
  view: { chart: 'Chart', book: 'Book', tape: 'Trades', trade: 'Trade', account: 'Account' },
  language: 'Language',
  theme: 'Theme',
  themes: { system: 'System', dark: 'Dark', light: 'Light' },
  zone: 'Time zone',
  zones: { UTC: 'UTC', LOCAL: 'Local time' },
} as const
