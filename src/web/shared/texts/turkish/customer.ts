/** Buttons that lead to the customer's own pages, in Turkish. */
import type { Texts } from '../table.ts'

export const CUSTOMER: Texts['customer'] = {
  nobody: 'Giriş yapmadınız: sayfa salt okunur.',
  open: 'Giriş yap veya kaydol',
  account: 'Hesap ve güvenlik',
  keys: 'API anahtarları',
  signOut: 'Çıkış yap',
}
