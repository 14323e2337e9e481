/** Book, tape, chart and the list of markets, in Turkish. */
import type { Texts } from '../table.ts'

export const BOOK: Texts['book'] = {
  title: 'Emir defteri',
  groupBy: 'Gruplama',
  caption: 'Satış emirleri üstte, en iyisi en altta; alış emirleri altta, en iyisi en üstte.',
  price: 'Fiyat',
  quantity: 'Miktar',
  sum: 'Toplam',
  asks: 'Satış emirleri',
  bids: 'Alış emirleri',
  mid: 'Orta',
  noSymbols: 'Henüz piyasa yok',
  noSymbolsAdvice:
    'Piyasaları operatör “npx bourse admin” ile ekler. Eklenenler burada kendiliğinden görünür.',
  noOrders: 'Henüz emir yok',
  noOrdersAdvice: 'İlk limit emir burada görünür.',
  demoAdvice: 'Ya da deneme piyasasını başlatın: sanal yatırımcıları emir defterini doldurur.',
}

export const TAPE: Texts['tape'] = {
  title: 'Son işlemler',
  time: 'Saat',
  none: 'Henüz işlem yok',
  noneAdvice: 'Bir alış emri bir satış emriyle eşleşince işlem burada görünür.',
}

export const MARKETS: Texts['markets'] = {
  title: 'Piyasalar',
  button: (symbol) => `Piyasa: ${symbol}`,
  noButton: 'Piyasa yok',
  search: 'Ara',
  searchLabel: 'Piyasa ara',
  none: 'Bu adda bir piyasa yok.',
  noFavorites: 'Henüz favori yok. Piyasanın yanındaki yıldız onu favorilere ekler.',
  notLoaded: '24 saatlik değerler şu anda yüklenemiyor. Yeniden deneniyor.',
  tabs: 'Karşıt varlığa göre piyasalar',
  all: 'Tümü',
  favorites: 'Favoriler',
  favorite: 'favori',
  addFavorite: (symbol) => `Favorilere ekle: ${symbol}`,
  removeFavorite: (symbol) => `Favorilerden çıkar: ${symbol}`,
  sortBy: 'Sıralama',
  heads: {
    name: 'Piyasa',
    last: 'Son fiyat',
    change: '24s değişim',
    high: '24s yüksek',
    low: '24s düşük',
    volume: '24s hacim',
  },
  ascending: (head) => `${head}, artan`,
  descending: (head) => `${head}, azalan`,
  states: { HALTED: 'Durduruldu', CANCEL_ONLY: 'Yalnızca iptal', CLOSED: 'Kapalı' },
  count: (shown, all) => (shown === all ? `${all} piyasa` : `${all} piyasadan ${shown}`),
  keys: '↑ ↓ seçer · Enter açar · * favori',
}

export const CHART: Texts['chart'] = {
  title: 'Grafik',
  loading: 'Grafik yükleniyor',
  failed: 'Grafik yüklenemedi. Sayfayı yenileyin.',
  views: { candles: 'Mumlar', depth: 'Derinlik' },
  intervals: 'Zaman aralığı',
  moreIntervals: 'Diğer zaman aralıkları',
  more: 'Diğer',
  newest: 'En yeni',
  older: {
    loading: 'Daha eski mumlar yükleniyor …',
    end: 'Piyasa burada başlıyor',
    full: 'Daha eski mumlar saklanmıyor',
    refused: 'Borsada bu piyasanın daha eski mumları yok',
    failed: 'Daha eski mumlar yüklenemedi: yeniden deneniyor',
  },
  madeUp: 'Soluk mumlar gerçek değil, deneme için üretildi',
  madeUpCandle: 'gerçek değil',
  candles: (symbol, interval) =>
    `${symbol} mumları, ${interval}: ok tuşları kaydırır, + ve - yakınlaştırır ve uzaklaştırır, Home en eskiyi, End en yeniyi gösterir`,
  waiting: 'Mumlar bekleniyor',
  live: (interval) => `Canlı, ${interval}, saatler UTC`,
  stale: 'Bağlantı kesildi: bu mumlar güncel olmayabilir',
  none: 'Borsada bu piyasanın mumları yok',
  figures: (open, high, low, close, volume) => `A ${open}  Y ${high}  D ${low}  K ${close}  Hacim ${volume}`,
}
