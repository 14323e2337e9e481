/** The key that the page trades with, in Turkish. */
import type { Texts } from '../table.ts'

export const KEY: Texts['key'] = {
  intro:
    'Kendi anahtarınızla işlem yapın. Gizli anahtar saklanmaz: tarayıcı, imza atan ama kimsenin okuyamadığı bir anahtar tutar.',
  name: 'API anahtarı',
  secret: 'Gizli anahtar',
  take: 'Bu anahtarı kullan',
  sandbox: (account) => `İşlem yapılacak hesap: ${account}`,
  sandboxIntro: 'Burası bir deneme ortamı: hesaplarından birinin anahtarını alın.',
  held: (name) => `Anahtar ${name}`,
  forget: 'Anahtarı unut',
  insecure:
    'Bu sayfa salt okunur. Tarayıcılar anahtarları yalnızca TLS ile ya da 127.0.0.1 veya localhost adresinden gelen sayfalar için tutar; bu sayfa başka bir adresten, düz HTTP ile geldi.',
  notKept: 'Tarayıcı bu sayfa için hiçbir şey saklamıyor: anahtar bu sekme açık kaldıkça geçerli.',
  reading: 'Anahtar aranıyor …',
  notErased: 'Anahtar bütün sekmelerde unutuldu, ama tarayıcı onu silmedi: bu sitenin verilerini temizleyin.',
  incomplete: 'API anahtarı ile gizli anahtar bekleniyor.',
}

export const STATE: Texts['state'] = {
  stale: 'Hesabınız canlı değil: bağlanılıyor. Görünenler güncel olmayabilir, hiçbir şey gönderilemez.',
  login: (message) => `Borsa bu anahtarı kabul etmiyor: ${message}`,
}
