/** What the account has, in Turkish. */
import type { Texts } from '../table.ts'

export const NOTICES: Texts['notices'] = 'Bildirimler'

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
  amend: 'Değiştir',
  amendThis: (order) => `Değiştir: ${order}`,
  cancel: 'İptal et',
  cancelThis: (order) => `İptal et: ${order}`,
  cancelAll: 'Tümünü iptal et',
  amendTitle: (order) => `Emrin yeni miktarı: ${order}`,
  keep: 'Vazgeç',
  about: (side, quantity, price) => `${side}, miktar ${quantity}, fiyat ${price}`,
  only: 'Miktar yalnızca azaltılabilir: emir sırasını korur.',
}

export const FILLS: Texts['fills'] = {
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
