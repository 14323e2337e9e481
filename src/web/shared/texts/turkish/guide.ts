/** Trading and market data without the page, in Turkish. */
import type { Texts } from '../table.ts'

export const GUIDE: Texts['guide'] = {
  title: 'curl ile işlem yapın',
  key: 'Bir anahtar alın.',
  keyText:
    'Deneme ortamı, `alice` ve `bob` hesaplarının anahtarlarını veri dizinindeki `sandbox.json` dosyasında tutar: `--data` ile başlatılmadıysa dizin `data/sandbox` olur. Başka bir düğümde anahtarı operatör verir.',
  sign: 'İmzalayın.',
  signText:
    'Ham sorgu dizesi ile onu izleyen ham gövdenin, tam gönderildikleri hâliyle, gizli anahtarla hesaplanan onaltılık HMAC-SHA256 değeri imzadır. İmza `X-Signature`, anahtar `X-Apikey` başlığına yazılır. `timestamp` parametresi milisaniye cinsinden zamandır ve en çok 5 saniye eski olabilir.',
  send: 'Gönderin.',
  sendText: 'Bu komut bir LIMIT alış emri verir:',
  watch: 'Bir programdan izleyin',
  watchText:
    'Bu sayfadaki emir defteri, işlemler, fiyatlar ve mumlar herkese açık akıştan gelir. Bir WebSocket (ya da Socket.IO) bağlantısı açın, bir mesaj gönderin, siz de görün:',
  address: 'Adres',
  message: 'Mesaj',
  more: 'Geri kalan her şey, aramayla birlikte:',
  reference: 'API referansı',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  notAllowed: 'İzin verilmedi',
}
