/** How the panels lie, in Turkish. */
import type { Texts } from '../table.ts'

export const LAYOUT: Texts['layout'] = {
  menu: 'Menü',
  views: 'Görünümler',
  view: { chart: 'Grafik', book: 'Defter', tape: 'İşlemler', trade: 'Al/Sat', account: 'Hesap' },
  theme: 'Tema',
  themes: { system: 'Sistem teması', dark: 'Koyu', light: 'Açık' },
}
