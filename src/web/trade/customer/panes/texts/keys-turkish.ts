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
    namelessNote: 'Oluşturulması yarıda kaldı ve gizli anahtarı kayboldu: iptal edin.',
    switchedOff: 'Bu anahtarı bir operatör devre dışı bıraktı.',
    end: 'Anahtarı iptal et',
    endOf: (name) => `Anahtarı iptal et: ${name}`,
    endTitle: (name) => `Şu anahtar iptal edilsin mi: ${name}`,
    endNote: 'Bu anahtarı kullanan programlar hemen ve kalıcı olarak çalışmaz olur. Açık emirler açık kalır.',
    keep: 'Anahtar kalsın',
    ended: (name) => `Anahtar iptal edildi: ${name}. Bu anahtarla gönderilen istekler artık reddedilir.`,
    may: 'İzinler',
    from: 'Adresler',
    anywhere: 'her adres',
    made: 'Oluşturma',
    ends: 'Son geçerlilik',
    never: 'süresiz',
    used: 'Son kullanım',
    unused: 'borsa başlatıldığından beri kullanılmadı',
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
      WALLET: 'Her varlıktan ne kadarınız olduğu.',
      TRADE: 'Emir verme, iptal etme ve emirleri okuma.',
    },
    from: 'IP adresleri (önerilir)',
    fromNote:
      'Programın çalıştığı yer, örneğin 192.0.2.7 veya 10.0.0.0/8; birden çoksa aralarına boşluk koyun. Boşsa anahtar her yerden çalışır.',
    ends: 'Son geçerlilik',
    never: 'süresiz',
    inDays: (days) => `${days} gün sonra`,
    more: 'Arayüz ve imza',
    wire: 'Arayüz',
    kind: 'İmza',
    publicKey: 'Açık anahtar',
    publicKeyNote:
      'Bir Ed25519 çiftinin açık anahtarı: PEM, base64 veya onaltılık. Özel anahtarı kimseyle paylaşmayın.',
    problems: {
      name: '1 ile 40 karakter arasında bir ad girin.',
      permissions: 'Anahtar için en az bir izin seçin.',
      addresses: '192.0.2.7 veya 10.0.0.0/8 gibi adresler ya da aralıklar girin, aralarına boşluk koyun.',
      tooManyAddresses: 'En çok 20 adres ve aralık girin.',
      publicKey: 'Bir Ed25519 çiftinin açık anahtarını girin: PEM (BEGIN PUBLIC KEY), base64 veya onaltılık.',
    },
    leave: 'Vazgeç',
    make: 'Anahtarı oluştur',
  },
  madeKey: {
    title: (name) => `Anahtar hazır: ${name}`,
    note: 'Gizli anahtarı şimdi programınıza kopyalayın: bir daha gösterilmez ve başka kimsede yoktur. Kaybederseniz bu anahtarı iptal edip yenisini oluşturun.',
    noSecret: 'Programınız, kendi çiftinizin özel anahtarıyla imzalar.',
    apiKey: 'API anahtarı',
    secret: 'Gizli anahtar',
    saved: 'Gizli anahtarı sakladım',
    goOn: 'Anahtarlara dön',
  },
}
