/** The chart's second view, and own orders and fills on the chart, in Turkish. */
import type { Texts } from '../table.ts'

export const DEPTH: Texts['depth'] = {
  of: (symbol) => `${symbol} emir defterinin derinliği`,
  keys: (symbol) =>
    `${symbol} derinliği: ok tuşları fiyattan fiyata gider, + ve - yakınlaştırır ve uzaklaştırır, Escape fiyat seçimini kaldırır`,
  zoom: 'Yakınlaştırma',
  nearer: 'Yakınlaştır',
  farther: 'Uzaklaştır',
  live: 'Canlı, defterin şu anki durumu',
  stale: 'Bağlantı kesildi: bu defter güncel olmayabilir',
  summary: (bid, ask, spread, bids, asks) =>
    `Alış ${bid}  Satış ${ask}  Makas ${spread}  %1 içinde: alış emirleri ${bids}, satış emirleri ${asks}`,
  cross: {
    bids: (price, quantity, cost) => `${price}: bu fiyata kadar satış, miktar ${quantity}, tutar ${cost}`,
    asks: (price, quantity, cost) => `${price}: bu fiyata kadar alış, miktar ${quantity}, tutar ${cost}`,
  },
  inSpread: (price) => `${price}: en iyi fiyatların arasında, burada emir yok`,
}

export const MOVES: Texts['moves'] = {
  orders: 'Grafikteki emirleriniz',
  line: (side, left, type) => `${side} ${left} ${type}`,
  stopLine: (side, left, type) => `Tetik fiyatı: ${side} ${left} ${type}`,
  chip: (line, price) => `${line}, fiyat ${price}`,
  begin: (line) => `Taşı: ${line}`,
  newPrice: (line) =>
    `Yeni fiyat, ${line}: ok tuşları bir adım, Shift ile on adım; Enter taşır, Escape vazgeçer`,
  ghost: (price, effect) => `${price} fiyatında ${effect}`,
  confirm: 'Taşı',
  leave: 'Vazgeç',
  title: (side, symbol) => `Emri taşı: ${side} ${symbol}`,
  left: 'Kalan',
  effect: 'Şu anki etkisi',
  filled: 'Daha önce gerçekleşen',
  filledNote: (quantity) => `${quantity}; taşınana kadar gerçekleşen miktar buna eklenir`,
  effects: {
    RESTS: 'defterde bekler',
    REFUSED: 'reddedilir: post only, ama hemen gerçekleşirdi',
    WAITS: 'tetik fiyatını bekler',
    REACHED: 'reddedilir: son işlem bu tetik fiyatına ulaştı',
    TAKES: (quantity, cost) => `hemen gerçekleşir: miktar ${quantity}, tutar ${cost}`,
  },
  whyNot: { LIST: 'Bir listenin emri taşınmaz: liste sona ererdi. Listeyi iptal edip yenisini verin.' },
  gone: 'Emir artık açık değil: hiçbir şey taşınmadı.',
  marks: (bought, sold) => `İşlemleriniz: alış ${bought}, satış ${sold}`,
  cut: (count) => `Bu dönemdeki işlemlerinizden yalnızca en yeni ${count} tanesi işaretlendi`,
}
