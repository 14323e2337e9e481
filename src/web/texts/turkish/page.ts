/** What stands around the panels, in Turkish. */
import type { Texts } from '../table.ts'

export const PAGE: Texts['page'] = {
  skip: 'Emir defterine geç',
  symbol: 'Sembol',
  lastPrice: 'Son fiyat',
  bestBid: 'En iyi alış',
  bestAsk: 'En iyi satış',
  spread: 'Makas',
  health: { connecting: 'Bağlanılıyor', live: 'Canlı', reconnecting: 'Yeniden bağlanılıyor' },
  lost: {
    title: 'Borsayla bağlantı kesildi.',
    advice: 'Gördükleriniz güncel olmayabilir. Yeniden bağlanma kendiliğinden deneniyor.',
    retry: 'Şimdi dene',
  },
  demo: {
    start: 'Deneme piyasasını başlat',
    stop: 'Deneme piyasasını durdur',
    about: 'Piyasa canlı görünsün diye deneme ortamının kendi yatırımcıları işlem yapar',
  },
  nodeAnswered: (status) => `Düğümün yanıtı: ${status}.`,
  languageFailed: 'İngilizce yüklenemedi. Sayfayı yenileyin.',
}

export const PHASES: Texts['phases'] = {
  now: {
    CANCEL_ONLY: 'Bütün sembollerde işlemler durduruldu: emirler iptal edilebilir, yeni emir verilemez.',
    CLOSED: 'Borsa kapalı: emir verilemez, emirler iptal edilemez.',
  },
  symbol: {
    HALTED: 'Bu sembolde işlemler durduruldu: emirler iptal edilebilir, yeni emir verilemez.',
    CANCEL_ONLY: 'Bu sembol kapatılıyor: emirler iptal edilebilir, yeni emir verilemez.',
    DELISTED: 'Bu sembol artık işlem görmüyor.',
  },
  planned: { TRADING: 'işleme açık', CANCEL_ONLY: 'yalnızca iptal', CLOSED: 'kapalı' },
  step: (phase, time) => `${time} itibarıyla ${phase}`,
  plan: (steps) => `Planlanan (UTC): ${steps}.`,
}
