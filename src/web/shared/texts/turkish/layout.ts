/** The layout of the panels, in Turkish. */
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
  title: 'Yerleşim',
  preset: 'Hazır yerleşimler',
  presets: { STANDARD: 'Standart', CHART: 'Grafik', TRADING: 'İşlem' },
  shown: 'Paneller',
  panels: { chart: 'Grafik', book: 'Emir defteri', tape: 'Son işlemler', account: 'Hesap' },
  size: 'Boyutlar',
  sizes: {
    left: 'Grafik yüksekliği',
    middle: 'Emir defteri yüksekliği',
    book: 'Emir defteri genişliği',
    tape: 'Son işlemler genişliği',
    trade: 'Emir formu genişliği',
  },
  maximize: (panel) => `Büyüt: ${panel}`,
  restore: (panel) => `Önceki boyutuna getir: ${panel}`,
  hide: (panel) => `Gizle: ${panel}`,
  reset: 'Yerleşimi sıfırla',
}
