/** Texts around the panels, in Turkish. */
import type { Texts } from '../table.ts'

export const PAGE: Texts['page'] = {
  skip: 'Emir defterine geç',
  symbol: 'Piyasa',
  lastPrice: 'Son fiyat',
  bestBid: 'En iyi alış',
  bestAsk: 'En iyi satış',
  spread: 'Makas',
  health: {
    connecting: 'Bağlanılıyor',
    live: 'Canlı',
    reconnecting: 'Yeniden bağlanılıyor',
    offline: 'Çevrimdışı',
  },
  lost: {
    title: 'Borsayla bağlantı kesildi.',
    advice: 'Gördükleriniz güncel olmayabilir. Yeniden bağlanılıyor.',
    retry: 'Şimdi dene',
  },
  offline: {
    title: 'İnternet bağlantısı yok.',
    advice: 'Gördükleriniz güncel değil ve emir gönderilemez. Ağ geri gelince yeniden bağlanılır.',
  },
  demo: {
    start: 'Deneme piyasasını başlat',
    stop: 'Deneme piyasasını durdur',
    about: 'Deneme ortamının sanal yatırımcıları piyasayı hareketli tutar',
  },
  nodeAnswered: (status) => `Düğümün yanıtı: ${status}.`,
  languageFailed: 'İngilizce yüklenemedi. Sayfayı yenileyin.',
}

export const PHASES: Texts['phases'] = {
  now: {
    CANCEL_ONLY: 'Tüm piyasalarda işlemler durduruldu: emirler iptal edilebilir, yeni emir verilemez.',
    CLOSED: 'Borsa kapalı: emir verilemez, emirler iptal edilemez.',
  },
  symbol: {
    HALTED: 'Bu piyasada işlemler durduruldu: emirler iptal edilebilir, yeni emir verilemez.',
    CANCEL_ONLY: 'Bu piyasa kapatılıyor: emirler iptal edilebilir, yeni emir verilemez.',
    DELISTED: 'Bu piyasa artık işlem görmüyor.',
  },
  planned: { TRADING: 'işleme açık', CANCEL_ONLY: 'yalnızca iptal', CLOSED: 'kapalı' },
  step: (phase, time) => `${time} itibarıyla ${phase}`,
  plan: (steps, zone) => `Planlanan (${zone}): ${steps}.`,
}
