/**
 * Linked orders, orders that wait for a price, and orders that would trade with an order of the same account,
 * in Turkish.
 */
import type {
  LISTS as LISTS_ENGLISH,
  SELF_TRADE as SELF_TRADE_ENGLISH,
  TRAILING as TRAILING_ENGLISH,
  TRIGGER as TRIGGER_ENGLISH,
} from '../english/order-lists.ts'
import type { Table } from '../table.ts'

export const LISTS: Table<typeof LISTS_ENGLISH> = {
  group: 'Birbirine bağlı emirler',
  kinds: {
    OCO: 'Kâr al veya zarar durdur (OCO)',
    OTO: 'Biri diğerinin ardından (OTO)',
    OTOCO: 'Giriş, ardından iki çıkış (OTOCO)',
  },
  about: {
    OCO: 'Aynı miktarda iki emir: biri gerçekleşir, tetiklenir ya da iptal edilirse diğeri de iptal edilir.',
    OTO: 'İkinci emir, ilki tamamen gerçekleşince verilir.',
    OTOCO:
      'Kâr al ve zarar durdur emirleri, giriş tamamen gerçekleşince verilir; biri gerçekleşir, tetiklenir ya da iptal edilirse diğeri de iptal edilir.',
  },
  together: 'Birlikte iptal edilirler.',
  checked: {
    OCO: 'Her emir tek başına denetlenir; ikisi birlikte, gönderildiklerinde denetlenir.',
    OTO: 'İkinci emir, ilki gerçekleşince denetlenir; o anda kabul edilmezse iptal edilir.',
    OTOCO:
      'Kâr al ve zarar durdur emirleri, giriş gerçekleşince denetlenir; o anda biri kabul edilmezse ikisi de iptal edilir.',
  },
  legs: { entry: 'Giriş', next: 'Ardından', profit: 'Kâr al', loss: 'Zarar durdur' },
  typed: (leg, type) => `${leg} (${type})`,
  later: (name, side) => `${name} · ${side}, giriş gerçekleşince`,
  side: 'Yön',
  quantity: 'Miktar (boş: girişin getirdiği)',
  receives: 'Girişin getirdiği miktar için, komisyon düşüldükten sonra.',
  spends: 'Girişin getirdiği tutarı harcar.',
  crossed: 'Kâr al fiyatı, zarar durdur fiyatından daha iyi olmalı.',
}

export const TRIGGER: Table<typeof TRIGGER_ENGLISH> = {
  when: {
    UP: 'Son fiyat ≥ tetik fiyatı olunca devreye girer.',
    DOWN: 'Son fiyat ≤ tetik fiyatı olunca devreye girer.',
  },
  noTrade: 'Henüz işlem yok.',
  last: (price) => `Son fiyat: ${price}.`,
  away: (percent) => `Uzaklık: %${percent}.`,
  reached: 'Bu fiyata zaten ulaşıldı: borsa emri kabul etmez.',
  reachedLater: 'Bu fiyata zaten ulaşıldı: giriş gerçekleştiğinde de öyleyse emir hemen tetiklenir.',
}

export const SELF_TRADE: Table<typeof SELF_TRADE_ENGLISH> = {
  title: 'Buzdağı ve kendi kendine işlemi önleme',
  label: 'Kendi kendine işlemi önleme',
  usual: 'Piyasa varsayılanı',
  modes: {
    NONE: 'İzin ver',
    EXPIRE_TAKER: 'Yeni emri iptal et',
    EXPIRE_MAKER: 'Defterdeki emri iptal et',
    EXPIRE_BOTH: 'İkisini de iptal et',
    DECREMENT: 'İkisini de küçük olan kadar azalt',
  },
}

export const TRAILING: Table<typeof TRAILING_ENGLISH> = {
  distance: 'Takip mesafesi',
  from: 'Başlangıç fiyatı',
  since: 'Takip başlangıcı',
  follows: (percent) => `%${percent} mesafeden takip`,
  followsSince: (percent, since) => `${since} zamanından beri %${percent} mesafeden takip`,
  followsFrom: (percent, price) => `${price} fiyatından sonra %${percent} mesafeden takip`,
  range: (least, most) => `En az %${least}, en çok %${most} olmalı.`,
  when: {
    BUY: (percent) => `Fiyat en düşük değerinin %${percent} üstüne çıkınca alır.`,
    SELL: (percent) => `Fiyat en yüksek değerinin %${percent} altına inince satar.`,
  },
  begins: {
    atOnce: 'Fiyatı bir sonraki işlemden başlayarak takip eder.',
    UP: 'İşlem fiyatı başlangıç fiyatına ulaşınca ya da üstüne çıkınca takip başlar.',
    DOWN: 'İşlem fiyatı başlangıç fiyatına ulaşınca ya da altına inince takip başlar.',
  },
  afterEntry: 'Önce girişin gerçekleşmesini bekler.',
  anew: 'Takip yeniden başlar: önceki fiyatlar artık sayılmaz.',
}
