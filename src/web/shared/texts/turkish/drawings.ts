/** Lines drawn on the chart and price alerts, in Turkish. */
import type { Texts } from '../table.ts'

export const DRAWINGS: Texts['drawings'] = {
  title: 'Çizim',
  tools: { TREND: 'Trend çizgisi', LEVEL: 'Yatay çizgi' },
  atPrice: 'Bir fiyatta …',
  price: 'Fiyat',
  badPrice: 'Fiyat: yalnızca rakamlar ve en çok bir nokta, sıfırdan büyük',
  onlyForm: 'Emir yalnızca forma yazılır; hiçbir şey gönderilmez.',
  needsKey: 'Emirler için API anahtarı gerekir.',
  at: {
    BUY: (price) => `Limit alış: ${price}`,
    SELL: (price) => `Limit satış: ${price}`,
    ALERT: (price) => `Fiyat alarmı: ${price}`,
    LEVEL: (price) => `Yatay çizgi: ${price}`,
  },
  stop: {
    BUY: (price) => `Stop alış: ${price}`,
    SELL: (price) => `Stop satış: ${price}`,
  },
  drawn: 'Bu piyasadaki çizimler',
  alerts: 'Fiyat alarmları',
  level: (price) => `Yatay çizgi: ${price}`,
  trend: (from, to) => `Trend çizgisi: ${from} → ${to}`,
  alert: (market, price) => `${market}, fiyat ${price}`,
  select: (name) => `Seç: ${name}`,
  remove: (name) => `Kaldır: ${name}`,
  place: {
    TREND: 'Çizginin başlayacağı yere basın; Enter ortaya bir çizgi çizer, Escape iptal eder',
    LEVEL: 'İstediğiniz fiyata basın; Enter ortaya bir çizgi çizer, Escape iptal eder',
  },
  placeEnd: 'Çizginin biteceği yere basın',
  selected: {
    whole:
      'Sürükleyin ya da ok tuşlarını kullanın; Enter bir ucu seçer, Delete çizgiyi siler, Escape seçimi kaldırır',
    from: 'İlk uç: sürükleyin ya da ok tuşlarını kullanın; Enter diğer ucu seçer',
    to: 'İkinci uç: sürükleyin ya da ok tuşlarını kullanın; Enter çizginin tamamını seçer',
  },
  full: (most) => `Bir piyasada en çok ${most} çizim olabilir: önce birini kaldırın`,
  noAlert: {
    MANY: (most) => `En çok ${most} alarm olabilir: önce birini kaldırın`,
    MANY_MARKETS: (most) => `En çok ${most} piyasada alarm olabilir: önce birini kaldırın`,
  },
  alertThere: 'Bu fiyatta zaten bir alarm var',
  alertSet: (price) => `Alarm kuruldu: ${price}, bu sayfa açık olduğu sürece`,
  reached: {
    BELOW: (market, price) => `${market} yükseldi, fiyat ${price}`,
    ABOVE: (market, price) => `${market} düştü, fiyat ${price}`,
  },
}
