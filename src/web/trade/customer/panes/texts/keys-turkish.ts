/** Texts of API keys in Turkish. */
import type { Table } from '../../../../shared/texts/table.ts'
import type { KEYS_ENGLISH } from './keys-english.ts'

export const KEYS_TURKISH: Table<typeof KEYS_ENGLISH> = {
  keys: {
    about:
      'API anahtarı, bir programın hesabınızı kullanmasını sağlar: bir bot ya da emirlerinizi izleyen bir uygulama. Hiçbir anahtar para çekemez.',
    make: 'API anahtarı oluştur',
    none: 'API anahtarınız yok. Bu sayfada işlem yapmak için gerekmez.',
    nameless: 'Adsız anahtar',
    namelessNote: 'Oluşturulması yarıda kaldı ve gizli anahtarı kayboldu: sonlandırın.',
    switchedOff: 'Bu anahtarı bir operatör kapattı.',
    end: 'Anahtarı sonlandır',
    endOf: (name) => `Anahtarı sonlandır: ${name}`,
    endTitle: (name) => `Şu anahtar sonlandırılsın mı: ${name}`,
    endNote: 'Onu kullanan programlar hemen ve kalıcı olarak durur. Açık emirler açık kalır.',
    keep: 'Anahtar kalsın',
    ended: (name) => `Anahtar sonlandı: ${name}. Onunla gönderilen istekler artık yerine getirilmez.`,
    may: 'İzinler',
    from: 'Adresler',
    anywhere: 'her adres',
    made: 'Oluşturma',
    ends: 'Bitiş',
    never: 'süresiz',
    used: 'Son kullanım',
    unused: 'borsa başladığından beri yok',
    kind: 'İmza',
    hmac: 'Gizli anahtar (HMAC)',
    ed25519: 'Kendi anahtar çiftiniz (Ed25519)',
    wires: { BOURSE: 'Bu borsa', BINANCE: 'Binance ile uyumlu' },
    permissions: {
      READ: 'Emirleri okuma',
      USER_DATA: 'Piyasa verileri',
      WALLET: 'Bakiyeleri okuma',
      TRADE: 'Alım satım',
    },
  },
  keyForm: {
    title: 'Yeni API anahtarı',
    name: 'Ad',
    nameNote: 'Anahtarın ne için olduğu. Yalnızca siz görürsünüz.',
    may: 'İzinleri',
    mayNote:
      'Programın gerektirdiği kadarını seçin. Sonradan değiştirilemez: bunun yerine yeni bir anahtar oluşturun.',
    permissionNotes: {
      READ: 'Emirleriniz, işlemleriniz ve komisyonlarınız. Hiçbir şeyi değiştirmez.',
      USER_DATA: 'Piyasaların emir defteri ve son işlemleri.',
      WALLET: 'Her varlıktan ne kadar olduğu.',
      TRADE: 'Emir verme, iptal etme ve emirleri okuma.',
    },
    from: 'IP adresleri (önerilir)',
    fromNote:
      'Programın çalıştığı yer, örneğin 192.0.2.7 veya 10.0.0.0/8; birden çoksa aralarına boşluk koyun. Boşsa anahtar her yerden çalışır.',
    ends: 'Bitiş',
    never: 'süresiz',
    inDays: (days) => `${days} gün sonra`,
    more: 'Arayüz ve imza',
    wire: 'Arayüz',
    kind: 'İmza',
    publicKey: 'Açık anahtar',
    publicKeyNote:
      'Bir Ed25519 çiftinin açık yarısı: PEM, base64 veya onaltılık. Diğer yarıyı kimseyle paylaşmayın.',
    problems: {
      name: '1 ile 40 karakter arasında bir ad girin.',
      permissions: 'Anahtar için en az bir izin seçin.',
      addresses: '192.0.2.7 veya 10.0.0.0/8 gibi adresler ya da aralıklar girin, aralarına boşluk koyun.',
      tooManyAddresses: 'En çok 20 adres ve aralık girin.',
      publicKey: 'Bir Ed25519 çiftinin açık yarısını girin: PEM (BEGIN PUBLIC KEY), base64 veya onaltılık.',
    },
    leave: 'Vazgeç',
    make: 'Anahtarı oluştur',
  },
  madeKey: {
    title: (name) => `Anahtar hazır: ${name}`,
    note: 'Gizli anahtarı şimdi programınıza kopyalayın: bir daha gösterilmez ve başka kimsede yoktur. Kaybederseniz bu anahtarı sonlandırıp yenisini oluşturun.',
    noSecret: 'Programınız, kendi çiftinizin gizli yarısıyla imzalar.',
    apiKey: 'API anahtarı',
    secret: 'Gizli anahtar',
    saved: 'Gizli anahtarı sakladım',
    goOn: 'Anahtarlara dön',
  },
}
