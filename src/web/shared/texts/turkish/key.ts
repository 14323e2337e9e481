/** The key with which the page trades, in Turkish. */
import type { Texts } from '../table.ts'

export const KEY: Texts['key'] = {
  intro:
    'Kendi API anahtarınızla işlem yapın. Gizli anahtar saklanmaz: tarayıcı, yalnızca imzalamaya yarayan ve dışarıdan okunamayan bir anahtar tutar.',
  name: 'API anahtarı',
  secret: 'Gizli anahtar',
  take: 'Bu anahtarı kullan',
  sandbox: (account) => `Hesabı kullan: ${account}`,
  sandboxIntro: 'Burası bir deneme ortamı: hesaplarından biriyle işlem yapın.',
  held: (name) => `Anahtar ${name}`,
  add: 'API anahtarı ekle',
  none: 'API anahtarı yok: sayfa salt okunur.',
  forget: 'Anahtarı unut',
  forgetTitle: (name) => `Anahtar unutulsun mu: ${name}`,
  forgetNote:
    'Bu tarayıcının hiçbir sekmesi artık onunla işlem yapmaz; yazdıklarınız da silinir. Açık emirler açık kalır. Yeniden işlem yapmak için anahtar ile gizli anahtar gerekir.',
  keep: 'Vazgeç',
  insecure:
    'Bu sayfa salt okunur. Tarayıcılar anahtarları yalnızca TLS ile ya da 127.0.0.1 veya localhost adresinden gelen sayfalar için tutar; bu sayfa başka bir adresten, TLS olmadan yüklendi.',
  notKept: 'Tarayıcı bu sayfa için hiçbir şey saklamıyor: anahtar bu sekme kapanana kadar geçerli.',
  reading: 'Anahtarınız yükleniyor …',
  notErased: 'Anahtar bütün sekmelerde unutuldu, ama tarayıcı onu silmedi: bu sitenin verilerini temizleyin.',
  incomplete: 'API anahtarı ile gizli anahtarı girin.',
}

export const STATE: Texts['state'] = {
  stale: 'Hesabınız canlı değil: bağlanılıyor. Görünenler güncel olmayabilir, hiçbir şey gönderilemez.',
  lacks: (permissions) =>
    `Bu anahtarla burada işlem yapılamaz; eksik izin: ${permissions}. Anahtarı unutup TRADE ve WALLET izinleri olan bir anahtar kullanın veya operatöre sorun.`,
  login: (why) => `Borsa bu anahtarı kabul etmiyor: ${why}`,
  loginReasons: {
    ACCOUNT_LOCKED: 'hesap kilitli ya da kapatılmış. Operatöre sorun.',
    ADDRESS_NOT_ALLOWED: 'bulunduğunuz IP adresinden kullanılamaz.',
    INVALID_API_KEY:
      'anahtar bilinmiyor, devre dışı ya da bu iş için kullanılamaz. Kontrol edin veya operatöre sorun.',
    INVALID_SIGNATURE: 'gizli anahtar eşleşmiyor. Anahtarı unutun ve ikisini yeniden girin.',
    KEY_DISABLED: 'anahtar devre dışı. Operatöre sorun.',
    KEY_EXPIRED: 'anahtarın süresi dolmuş. Yeni bir anahtar alın.',
    PERMISSION_DENIED: 'anahtarın gerekli izni yok.',
    SECRET_REPLACED: 'gizli anahtar yenilenmiş. Anahtarı unutun ve yenisini girin.',
  },
}

export const ERRORS: Texts['errors'] = {
  NO_ANSWER: () => 'Borsa yanıt vermedi. Bağlantınızı kontrol edip yeniden deneyin.',
  UNREADABLE: () => 'Yanıt borsadan gelmedi. Bağlantınızı kontrol edip yeniden deneyin.',
  ABORTED: () => 'Borsa yanıt vermeden durduruldu.',
  BUSY: () => 'Çok fazla istek gönderildi. Biraz sonra yeniden deneyin.',
  USAGE: (message) => `Sayfa bir hata yaptı: ${message}`,
}
