/** An order in words, and notices, in Turkish. */
import type { Texts } from '../table.ts'

export const ORDER_PHRASE: Texts['orderPhrase'] = {
  side: { BUY: 'alış', SELL: 'satış' },
  forTotal: (code, total) => `${total} tutarında ${code}`,
  fromFirst: (code) => `girişin gerçekleşen miktarı kadar ${code}`,
  of: {
    LIMIT: (side, what, price) => `${price} fiyattan ${what} ${side}`,
    LIMIT_MAKER: (side, what, price) => `${price} fiyattan ${what} ${side}, post only`,
    MARKET: (side, what) => `piyasa fiyatından ${what} ${side}`,
    STOP_LOSS: (side, what, stop) => `piyasa fiyatından ${what} ${side}, stop ${stop}`,
    STOP_LOSS_LIMIT: (side, what, stop, price) => `${price} fiyattan ${what} ${side}, stop ${stop}`,
    TAKE_PROFIT: (side, what, stop) => `piyasa fiyatından ${what} ${side}, kâr al ${stop}`,
    TAKE_PROFIT_LIMIT: (side, what, stop, price) => `${price} fiyattan ${what} ${side}, kâr al ${stop}`,
  },
}

export const NOTICES: Texts['notices'] = {
  title: 'Bildirimler',
  none: 'Bu sayfayı açtığınızdan beri bir şey olmadı.',
  dismiss: (text) => `Kapat: ${text}`,
  dismissAll: 'Hepsini kapat',
  more: (count) => `${count} bildirim daha`,
  fewer: 'Daha az göster',
  clear: 'Temizle',
  notify: 'Bu sayfa görünmüyorken tarayıcı bildirimleri',
  sound: 'Sesli uyarı',
  notAllowed: 'Tarayıcı bu sayfanın bildirimlerine izin vermiyor.',
  idOf: (notice) => `kimlik: ${notice}`,
  placed: (order) => `Emir verildi: ${order}`,
  placedList: (kind, orders) => `Emirler verildi, ${kind}: ${orders}`,
  notPlaced: (order, why) => `Emir alınmadı: ${order}. ${why}`,
  neverPlaced: (order) => `Emir alınmadı ve alınmayacak: ${order}`,
  edited: (order, before) => `Düzenlendi: ${order} (önceki: ${before})`,
  notEdited: (order, why) => `Düzenlenmedi: ${order}. ${why}`,
  neverEdited: (order) => `Düzenlenmedi ve düzenlenmeyecek: ${order}`,
  halfEdited: (order, why) =>
    `İptal edildi, yeniden verilmedi: ${order}. Yeni emir reddedildi: ${why} Şimdi ikisi de açık değil: hâlâ istiyorsanız yeni bir emir verin.`,
  halfEditedLost: (order) =>
    `İptal edildi, yeniden verilmedi: ${order}. Şimdi ikisi de açık değil: hâlâ istiyorsanız yeni bir emir verin.`,
  canceled: (order) => `İptal edildi: ${order}`,
  manyCanceled: (count) => `İptal edildi: ${count} emir`,
  cancelingMore: (count, left) => `İptal edildi: ${count} emir; iptal edilmekte olan: ${left}`,
  elsewhere: (order) => `Başka yerden iptal edildi: ${order}`,
  manyElsewhere: (count) => `Başka yerden iptal edildi: ${count} emir`,
  expired: (order) => `Süresi doldu: ${order}`,
  manyExpired: (count) => `Süresi doldu: ${count} emir`,
  ended: (order, reason) => `İptal edildi (${reason}): ${order}`,
  manyEnded: (count, reason) => `İptal edildi (${reason}): ${count} emir`,
  stopReached: (order) => `Stop tetiklendi: ${order}`,
  profitReached: (order) => `Kâr al tetiklendi: ${order}`,
  transfer: (cause, amount, asset) => `${cause}, ${amount} ${asset}`,
  done: { BUY: 'alındı', SELL: 'satıldı' },
  range: (low, high) => `${low} ile ${high} arası`,
  average: (price) => `ortalama ${price}`,
  filled: (done, what, price) => `Gerçekleşti: ${what} ${done}, fiyat ${price}`,
  filledIn: (done, what, price, count) => `${count} işlemde gerçekleşti: ${what} ${done}, fiyat ${price}`,
  partlyFilled: (done, what, price, left) =>
    `Kısmen gerçekleşti: ${what} ${done}, fiyat ${price} (kalan ${left})`,
  partlyFilledIn: (done, what, price, left, count) =>
    `${count} işlemde kısmen gerçekleşti: ${what} ${done}, fiyat ${price} (kalan ${left})`,
}
