/** Texts of the chart's tools, in Turkish. */
import type { Texts } from '../table.ts'

export const CHART_TOOLS: Texts['chartTools'] = {
  style: 'Biçim',
  styles: { candles: 'Mumlar', bars: 'Çubuklar', line: 'Çizgi', 'heikin-ashi': 'Heikin-Ashi' },
  scale: 'Fiyat ölçeği',
  scales: { linear: 'Doğrusal', log: 'Logaritmik', percent: 'Yüzde' },
  averaged: 'Heikin-Ashi: ortalama fiyatlar, işlem fiyatı değil',
  fullScreen: 'Tam ekran',
  leaveFullScreen: 'Tam ekrandan çık',
  loading: 'Yükleniyor …',
  failed: 'Bu bölüm yüklenemedi. Sayfayı yenileyin.',
}

export const INDICATORS: Texts['indicators'] = {
  title: 'Göstergeler',
  none: 'Hiçbir gösterge seçilmedi.',
  add: 'Gösterge ekle',
  kinds: {
    SMA: 'Hareketli ortalama, basit (SMA)',
    EMA: 'Hareketli ortalama, üstel (EMA)',
    BOLL: 'Bollinger bantları (BOLL)',
    VWAP: 'Günün hacim ağırlıklı ortalama fiyatı (VWAP)',
    RSI: 'Göreceli güç endeksi (RSI)',
    MACD: 'Hareketli ortalama yakınsaması/ıraksaması (MACD)',
  },
  parameters: {
    length: 'Uzunluk',
    width: 'Sapma',
    fast: 'Hızlı',
    slow: 'Yavaş',
    signal: 'Sinyal',
  },
  whole: (name, least, most) => `${name}: en az ${least}, en çok ${most}, tam sayı`,
  number: (name, least, most) => `${name}: en az ${least}, en çok ${most}, sayı`,
  change: (name) => `Değiştir: ${name}`,
  remove: (name) => `Kaldır: ${name}`,
  why: {
    MANY: (most) => `Aynı anda en çok ${most} gösterge olabilir: önce birini kaldırın.`,
    MANY_PANES: (most) => `En çok ${most} göstergenin kendi bölmesi olabilir: önce birini kaldırın.`,
  },
}
