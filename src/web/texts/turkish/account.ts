/** What the account has, in Turkish. */
import type { Texts } from '../table.ts'

export const NOTICES: Texts['notices'] = {
  title: 'Bildirimler',
  none: 'Bu sayfayı açtığınızdan beri bir şey olmadı.',
  dismiss: (text) => `Kapat: ${text}`,
  clear: 'Temizle',
  notify: 'Bu sayfa görünmüyorken tarayıcı bildirimleri',
  sound: 'Sesli uyarı',
  notAllowed: 'Tarayıcı bu sayfanın bildirimlerine izin vermiyor.',
  triggered: (order) => `Tetik fiyatına ulaşıldı: ${order}`,
  ended: (order, reason) => `Emir sona erdi (${reason}): ${order}`,
  manyEnded: (count, reason) => `${count} emir sona erdi (${reason}).`,
  elsewhere: (order) => `Bu sayfa dışında iptal edildi: ${order}`,
  manyElsewhere: (count) => `${count} emir bu sayfa dışında iptal edildi.`,
  transfer: (cause, amount, asset) => `${cause}, ${amount} ${asset}`,
}

export const ORDERS: Texts['orders'] = {
  title: 'Açık emirler',
  none: 'Açık emriniz yok.',
  symbol: 'Sembol',
  side: 'Yön',
  type: 'Emir tipi',
  price: 'Fiyat',
  quantity: 'Miktar',
  filled: 'Gerçekleşen',
  actions: 'Eylemler',
  amend: 'Azalt',
  amendThis: (order) => `Azalt: ${order}`,
  cancel: 'İptal',
  cancelThis: (order) => `İptal: ${order}`,
  cancelAll: 'Tümünü iptal et',
  amendTitle: (order) => `Emrin yeni miktarı: ${order}`,
  keep: 'Vazgeç',
  about: (side, quantity, price) => `${side}, miktar ${quantity}, fiyat ${price}`,
  only: 'Miktar yalnızca azaltılabilir: emir sırasını korur.',
}

export const FILLS: Texts['fills'] = {
  some: (side, quantity, symbol, price, count) =>
    `Gerçekleşti: ${side}, ${symbol}, miktar ${quantity}, fiyat ${price} (${count} işlem)`,
  range: (side, quantity, symbol, low, high, count) =>
    `Gerçekleşti: ${side}, ${symbol}, miktar ${quantity}, fiyat ${low} ile ${high} arası (${count} işlem)`,
  notice: (side, quantity, symbol, price) =>
    `Gerçekleşti: ${side}, ${symbol}, miktar ${quantity}, fiyat ${price}`,
  commission: 'Komisyon',
}

export const BALANCES: Texts['balances'] = {
  title: 'Bakiyeler',
  asset: 'Varlık',
  free: 'Serbest',
  locked: 'Emirlerde',
  value: (code) => `Değeri, ${code}`,
  none: 'Hesabınızda varlık yok.',
}
