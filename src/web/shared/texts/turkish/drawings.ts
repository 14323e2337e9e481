/** Lines drawn on the chart and price alerts, in Turkish. */
import type { Texts } from '../table.ts'

export const DRAWINGS: Texts['drawings'] = {
  title: 'Çizim',
  tools: { TREND: 'Trend çizgisi', LEVEL: 'Yatay çizgi' },
  atPrice: 'Bir fiyatta …',
  price: 'Fiyat',
  badPrice: 'Fiyat: sıfırdan büyük, rakamlar ve en çok bir nokta',
  onlyForm: 'Emir forma yazılır: hiçbir şey gönderilmez.',
  needsKey: 'Emirler için API anahtarı gerekir.',
  at: {
    BUY: (price) => `Limitli alış: ${price}`,
    SELL: (price) => `Limitli satış: ${price}`,
    ALERT: (price) => `Fiyat alarmı: ${price}`,
    LEVEL: (price) => `Yatay çizgi: ${price}`,
  },
  stop: {
    BUY: (price) => `Stoplu alış: ${price}`,
    SELL: (price) => `Stoplu satış: ${price}`,
  },
  drawn: 'Bu piyasadaki çizimler',
  alerts: 'Fiyat alarmları',
  level: (price) => `Yatay çizgi: ${price}`,
  trend: (from, to) => `Trend çizgisi: ${from} → ${to}`,
  alert: (market, price) => `${market}, fiyat ${price}`,
  select: (name) => `Seç: ${name}`,
  remove: (name) => `Kaldır: ${name}`,
  place: {
    TREND: 'Çizginin başladığı yere basın; Enter ortaya bir tane çizer, Escape vazgeçer',
    LEVEL: 'Fiyatın olduğu yere basın; Enter ortaya bir tane çizer, Escape vazgeçer',
  },
  placeEnd: 'Çizginin bittiği yere basın',
  selected: {
    whole: 'Sürükleyin ya da ok tuşlarını kullanın; Enter bir ucu alır, Delete siler, Escape bırakır',
    from: 'İlk uç: sürükleyin ya da ok tuşlarını kullanın; Enter öbür ucu alır',
    to: 'İkinci uç: sürükleyin ya da ok tuşlarını kullanın; Enter çizginin tamamını alır',
  },
  full: (most) => `Bir piyasada en çok ${most} çizim olabilir: önce birini kaldırın`,
  noAlert: {
    MANY: (most) => `En çok ${most} alarm olabilir: önce birini kaldırın`,
    MANY_MARKETS: (most) => `En çok ${most} piyasada alarm olabilir: önce birini kaldırın`,
  },
  alertThere: 'Bu fiyatta bir alarm var',
  alertSet: (price) => `Alarm ${price}: bu sayfa açık olduğu sürece`,
  reached: {
    BELOW: (market, price) => `${market} yükseldi, fiyat ${price}`,
    ABOVE: (market, price) => `${market} düştü, fiyat ${price}`,
  },
}
