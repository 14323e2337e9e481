/** Texts about the account, in Turkish. */
import type { Texts } from '../table.ts'

export const ORDERS: Texts['orders'] = {
  title: 'Açık emirler',
  none: 'Açık emriniz yok. Defterdeki ya da tetik fiyatını bekleyen emirler burada görünür.',
  symbol: 'Piyasa',
  side: 'Yön',
  type: 'Emir tipi',
  price: 'Fiyat',
  quantity: 'Miktar',
  filled: 'Gerçekleşen',
  actions: 'Eylemler',
  cancel: 'İptal',
  cancelThis: (order) => `İptal: ${order}`,
  cancelAll: 'Tümünü iptal et',
  keep: 'Vazgeç',
}

export const FILLS: Texts['fills'] = {
  commission: 'Komisyon',
}

export const BALANCES: Texts['balances'] = {
  title: 'Bakiyeler',
  asset: 'Varlık',
  free: 'Kullanılabilir',
  locked: 'Emirlerde',
  value: (code) => `Değer, ${code}`,
  none: 'Hesabınızda varlık yok. Yatırılan veya satın alınan varlıklar, değerleriyle birlikte burada görünür.',
}
