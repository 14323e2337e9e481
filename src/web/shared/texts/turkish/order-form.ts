/** The order form, in Turkish. */
import type { ORDER_FORM as ENGLISH } from '../english/order-form.ts'
import type { Table } from '../table.ts'

export const ORDER_FORM: Table<typeof ENGLISH> = {
  title: 'Emir ver',
  fields: {
    price: 'Fiyat',
    stopPrice: 'Tetik fiyatı',
    trailingDelta: 'Takip (isteğe bağlı)',
    quantity: 'Miktar',
    total: 'Tutar',
    icebergQty: 'Görünen miktar (isteğe bağlı)',
    minutes: 'Süre (dk)',
  },
  problems: {
    missing: 'Bir sayı girin.',
    form: 'Yalnızca rakam ve tek nokta kullanın; virgül ve boşluk olmadan.',
    readings: (readings) => `Yalnızca rakam ve tek nokta kullanın. Hangisini demek istediniz: ${readings}?`,
    or: 'veya',
    zero: 'Sıfırdan büyük olmalı.',
    decimals: (places) => `En çok ${places} ondalık basamak.`,
    refused: 'Borsa bunu kabul etmiyor.',
  },
  side: { BUY: 'Alış', SELL: 'Satış' },
  type: 'Emir tipi',
  kindTabs: { LIMIT: 'Limit', MARKET: 'Piyasa', STOP: 'Stop', MORE: 'Diğer' },
  types: {
    LIMIT: 'Limit',
    MARKET: 'Piyasa',
    LIMIT_MAKER: 'Post only',
    STOP_LOSS: 'Stop, piyasa',
    STOP_LOSS_LIMIT: 'Stop, limit',
    TAKE_PROFIT: 'Kâr al, piyasa',
    TAKE_PROFIT_LIMIT: 'Kâr al, limit',
  },
  timeInForce: 'Geçerlilik',
  timesInForce: {
    GTC: 'iptal edilene kadar',
    IOC: 'hemen gerçekleşen kadarı, kalanı iptal',
    FOK: 'tamamı hemen gerçekleşmezse iptal',
    GTD: 'süresi dolana kadar',
  },
  best: { bid: 'En iyi alış', ask: 'En iyi satış', short: { bid: 'Alış', ask: 'Satış' } },
  percent: (percent) => percent.replace(/^[+-]?/, '$&%'),
  shareOf: (code) => `Kullanılabilir bakiyenin payı, ${code}`,
  share: (percent, code) => `Kullanılabilir ${code} bakiyesi, %${percent}`,
  free: 'Kullanılabilir',
  takeAll: (amount, code) => `Kullanılabilir ${amount} ${code}: tamamını kullan`,
  fees: (maker, taker) => `Komisyon: maker %${maker}, taker %${taker}`,
  place: { BUY: (code) => `${code} al`, SELL: (code) => `${code} sat` },
  unknown: (id) =>
    `${id} kimlikli emrin alınıp alınmadığı henüz bilinmiyor. Sayfa bunu kontrol ediyor; emir yeniden gönderilmez.`,
  notKept:
    'Bu tarayıcı gönderdiklerinizin kaydını tutmuyor (depolama alanı dolu veya engelli). Emrin sonucu bildirilene kadar bu sayfayı açık bırakın. Sayfa daha önce yeniden yüklenirse, tekrar bir şey göndermeden önce emirlerinize ve gerçekleşen işlemlerinize bakın.',
  found: {
    PLACED: (orders) => `Önceki emriniz alındı: ${orders}`,
    NEVER: (id) => `${id} kimlikli önceki emriniz alınmadı ve alınmayacak.`,
    LOST: (id) =>
      `Bir günden uzun süre önce ${id} kimliğiyle gönderilen emrin sonucu artık öğrenilemez: emirlerinize bakın.`,
  },
  questions: {
    priceFar: {
      BUY: {
        BEST_ASK: (price, percent, best, limit) =>
          `Fiyat ${price}: en iyi satış fiyatından (${best}) %${percent} yüksek; belirlediğiniz sınır %${limit}.`,
        BEST_BID: (price, percent, best, limit) =>
          `Satış emri yok. Fiyat ${price}: en iyi alış fiyatından (${best}) %${percent} yüksek; belirlediğiniz sınır %${limit}.`,
        LAST: (price, percent, last, limit) =>
          `Emir defteri boş. Fiyat ${price}: son işlem fiyatından (${last}) %${percent} yüksek; belirlediğiniz sınır %${limit}.`,
        STOP_PRICE: (price, percent, stop, limit) =>
          `Fiyat ${price}: tetik fiyatından (${stop}) %${percent} yüksek; belirlediğiniz sınır %${limit}.`,
      },
      SELL: {
        BEST_ASK: (price, percent, best, limit) =>
          `Alış emri yok. Fiyat ${price}: en iyi satış fiyatından (${best}) %${percent} düşük; belirlediğiniz sınır %${limit}.`,
        BEST_BID: (price, percent, best, limit) =>
          `Fiyat ${price}: en iyi alış fiyatından (${best}) %${percent} düşük; belirlediğiniz sınır %${limit}.`,
        LAST: (price, percent, last, limit) =>
          `Emir defteri boş. Fiyat ${price}: son işlem fiyatından (${last}) %${percent} düşük; belirlediğiniz sınır %${limit}.`,
        STOP_PRICE: (price, percent, stop, limit) =>
          `Fiyat ${price}: tetik fiyatından (${stop}) %${percent} düşük; belirlediğiniz sınır %${limit}.`,
      },
    },
    averageFar: {
      BUY: (average, percent, best, limit) =>
        `Şimdi gönderilirse ortalama fiyat ${average} olur: en iyi satış fiyatından (${best}) %${percent} yüksek; belirlediğiniz sınır %${limit}.`,
      SELL: (average, percent, best, limit) =>
        `Şimdi gönderilirse ortalama fiyat ${average} olur: en iyi alış fiyatından (${best}) %${percent} düşük; belirlediğiniz sınır %${limit}.`,
    },
    averageUnknown: 'Gerçekleşme fiyatı henüz bilinmiyor.',
    priceAlone: (price) => `Fiyat ${price}: karşılaştırılacak bir emir ya da işlem yok.`,
    shareLarge: (percent, free, limit) =>
      `Emir, kullanılabilir bakiyenizin (${free}) %${percent} kadarını kullanıyor; belirlediğiniz sınır %${limit}.`,
    nothingFree: (given, code) => `Emir için ${given} ${code} gerekiyor; kullanılabilir ${code} yok.`,
    valueLarge: (value, limit) => `Emrin değeri ${value}; belirlediğiniz sınır ${limit}.`,
    valueUnknown: (limit) =>
      `Karşı tarafta emir yok: emrin değeri bilinmiyor; belirlediğiniz sınır ${limit}.`,
    limitUnreadable: 'Belirlediğiniz sınırlardan biri sayı değil: her emir için onayınız istenir.',
    ownOrders: (count, worst) =>
      `Kendi açık emirlerinizden ${count} tanesiyle karşılaşır; en kötü fiyat ${worst}.`,
    notFillable: (filled, wanted, worst) =>
      `Emir defteri yalnızca ${filled} karşılayabilir, istenen ${wanted}; en kötü fiyat ${worst}.`,
    nothingFillable: 'Emir defterinde bu fiyattan emri karşılayacak emir yok.',
    besideEntry: 'Giriş fiyatı, kâr al ve zarar durdur fiyatları arasında değil: biri hemen tetiklenir.',
    otherMarket: (symbol) =>
      `Başka bir piyasaya bakıyorsunuz: ${symbol} piyasasının şu anda emir kabul edip etmediği burada bilinmiyor ve fiyat, oradaki en iyi fiyatla karşılaştırılmadı.`,
  },
  again: {
    CHANGED: 'Bu soru sorulduğundan beri rakamlar değişti. Yeniden okuyun: henüz hiçbir şey gönderilmedi.',
    OLD: 'Bu soru bir dakikadan uzun süredir açık. Yeniden okuyun: henüz hiçbir şey gönderilmedi.',
  },
  no: 'Vazgeç',
  limits: {
    title: 'Onaylar',
    pricePercent: 'Fiyat, en iyi fiyattan şu orandan fazla kötüyse sor (%)',
    balancePercent: 'Emir, bakiyenin şu orandan fazlasını kullanıyorsa sor (%)',
    value: (code) => `Emrin değeri şundan büyükse sor (${code}, boş: sorulmaz)`,
  },
  sending: {
    title: { BUY: 'Alışı onayla', SELL: 'Satışı onayla' },
    total: 'Tutar',
    waits: {
      KEY: 'İşlem yapmak için API anahtarı ekleyin.',
      LOGIN: 'Borsa bu anahtarı kabul etmiyor.',
      MARKET: 'Piyasa bekleniyor: fiyatlar güncel olmayabilir.',
      ACCOUNT: 'Hesabınız bekleniyor: hesapta gördükleriniz güncel olmayabilir.',
      HALTED: 'Bu piyasa şu anda emir kabul etmiyor.',
      OUTCOME: 'Önceki emrin sonucu bekleniyor.',
      SENDING: 'Gönderiliyor …',
    },
    otherMarket: 'Başka bir piyasaya geçtiniz: hiçbir şey gönderilmedi.',
    changedMeanwhile:
      'Emir bu arada değişti (gerçekleşti, düzenlendi, tetiklendi ya da fiyatı takip etmeye başladı): hiçbir şey gönderilmedi. Emre yeniden bakın.',
    asksAlways: 'Her emir için onay iste',
  },
  forecast: {
    title: 'Tahmini:',
    fills: (quantity, price) => `${quantity} @ ${price} gerçekleşir`,
    rests: (hold) => `açık kalır, ${hold} bloke edilir`,
    ends: (reason) => `kalan iptal, ${reason}`,
    fee: (sum) => `komisyon ${sum}`,
  },
  offer: (value) => `Bunu kullan: ${value}`,
}
