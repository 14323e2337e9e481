/** How the panels lie, in Turkish. */
import type { Texts } from '../table.ts'

export const LAYOUT: Texts['layout'] = {
  menu: 'Hesap ve ayarlar',
  menuOf: (account) => `Hesap ve ayarlar: ${account}`,
  noAccount: 'Hesap',
  views: 'Görünümler',
  view: { chart: 'Grafik', book: 'Defter', tape: 'İşlemler', trade: 'Al/Sat', account: 'Hesap' },
  language: 'Dil',
  theme: 'Tema',
  themes: { system: 'Sistem', dark: 'Koyu', light: 'Açık' },
  zone: 'Saat dilimi',
  zones: { UTC: 'UTC', LOCAL: 'Yerel saat' },
}
