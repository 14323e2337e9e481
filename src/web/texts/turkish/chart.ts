/** The chart's second view, and own orders and fills on the chart, in Turkish. */
import type { Texts } from '../table.ts'

export const DEPTH: Texts['depth'] = {
  of: (symbol) => `${symbol} emir defterinin derinliği`,
  keys: (symbol) =>
    `${symbol} derinliği: ok tuşları fiyattan fiyata gider, + ve - yakınlaştırır ve uzaklaştırır, Escape fiyattan çıkar`,
  zoom: 'Yakınlaştırma',
  nearer: 'Yakınlaştır',
  farther: 'Uzaklaştır',
  live: 'Canlı, defterin şu anki durumu',
  stale: 'Bağlantı kesildi: bu defter güncel olmayabilir',
  summary: (bid, ask, spread, bids, asks) =>
    `Alış ${bid}  Satış ${ask}  Fark ${spread}  %1 içinde: alış emirleri ${bids}, satış emirleri ${asks}`,
  cross: {
    bids: (price, quantity, cost) => `${price}: bu fiyata kadar satış, miktar ${quantity}, tutar ${cost}`,
    asks: (price, quantity, cost) => `${price}: bu fiyata kadar alış, miktar ${quantity}, tutar ${cost}`,
  },
  inSpread: (price) => `${price}: en iyi fiyatların arasında, burada emir yok`,
}
