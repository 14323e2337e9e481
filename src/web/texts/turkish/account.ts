/** What the account has, in Turkish. */
import type { Texts } from '../table.ts'

export const ORDERS: Texts['orders'] = {
  title: 'Açık emirler',
  none: 'Açık emriniz yok. Defterde ya da fiyatını bekleyen emirler burada durur: formdan emir verin.',
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
  only: 'Miktar yalnızca azaltılabilir: emir sırasını korur.',
}

export const FILLS: Texts['fills'] = {
  commission: 'Komisyon',
}

export const BALANCES: Texts['balances'] = {
  title: 'Bakiyeler',
  asset: 'Varlık',
  free: 'Serbest',
  locked: 'Emirlerde',
  value: (code) => `Değeri, ${code}`,
  none: 'Hesabınızda varlık yok. Yatırılan veya satın alınan varlıklar, değerleriyle birlikte burada durur.',
}
