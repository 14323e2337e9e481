/**
 * Why the service does not do something now: its state and its limits; and what the stream refuses.
 */
import { invalid, type ReasonEntry, unavailable, unreadable } from './entry.ts'

export const SERVICE_CATALOGUE = {
  STARTING: unavailable({
    en: 'The service is starting; please try again in a moment.',
    tr: 'Servis başlatılıyor; lütfen birazdan yeniden deneyin.',
    docs: 'The service is recovering its state. The request was not carried out.',
  }),
  STOPPING: unavailable({
    en: 'The service is stopping; the request was not carried out.',
    tr: 'Servis durduruluyor; istek işleme alınmadı.',
    docs: 'The service is shutting down. The request was not carried out.',
  }),
  OVERLOADED: unavailable({
    en: 'The service is overloaded; the request was not carried out. Please try again.',
    tr: 'Servis aşırı yük altında; istek işleme alınmadı. Lütfen yeniden deneyin.',
    docs: 'The inbox of the exchange is full. The request was not carried out.',
  }),
  ANSWERS_UNDER_WAY: unavailable({
    en: 'Too many long answers are on their way; please read them to the end and try again in {seconds} seconds.',
    tr: 'Gönderilmekte olan uzun yanıtlar çok fazla; lütfen onları sonuna kadar okuyup {seconds} saniye sonra yeniden deneyin.',
    docs: 'Long answers that this address, or all addresses together, have not read yet hold as much memory as they may. The request was not carried out.',
  }),
  STORAGE_FULL: unavailable({
    en: 'The storage is full; the request was not carried out. Reading still works.',
    tr: 'Depolama alanı dolu; istek işleme alınmadı. Okuma işlemleri çalışmaya devam ediyor.',
    docs: 'There is no room to write the journal. The request was not carried out; service returns by itself.',
  }),
  ENGINE_DOWN: unavailable({
    en: 'The matching engine is not available; the request was not carried out.',
    tr: 'Eşleştirme motoruna ulaşılamıyor; istek işleme alınmadı.',
    docs: 'The engine has stopped or cannot be reached. The request was not carried out.',
  }),
  OUTCOME_UNKNOWN: unavailable({
    en: 'It is not known whether the request was carried out; please look at your open orders and trade history.',
    tr: 'İsteğin gerçekleşip gerçekleşmediği bilinmiyor; lütfen açık emirlerinizi ve işlem geçmişinizi kontrol edin.',
    docs: 'The order or cancel was handed over and no result was confirmed. It may or may not have been done; every other 0014 means certainly not done.',
  }),
  CLOCK_NOT_TRUSTED: unavailable({
    en: 'New orders are not taken because the clock of the service is being checked; cancelling works. Please try again later.',
    tr: 'Servisin saati denetlendiği için yeni emir alınmıyor; emir iptali çalışıyor. Lütfen daha sonra yeniden deneyin.',
    docs: 'The clock of the node has jumped ahead and would date all later orders. The order was not placed; cancels and reading work. `Retry-After` says when to try again.',
  }),
  RATE_LIMITED: unavailable(
    {
      en: 'Too many requests; please wait {seconds} seconds.',
      tr: 'Çok fazla istek gönderildi; lütfen {seconds} saniye bekleyin.',
      docs: 'The address has used up its weight of this minute. Going on regardless leads to a ban.',
    },
    429,
  ),
  ORDER_RATE_LIMITED: unavailable(
    {
      en: 'Too many orders; please wait {seconds} seconds.',
      tr: 'Çok fazla emir gönderildi; lütfen {seconds} saniye bekleyin.',
      docs: 'The account has placed as many orders as the window allows.',
    },
    429,
  ),
  BANNED: unavailable(
    {
      en: 'This address is banned for another {seconds} seconds.',
      tr: 'Bu adres {seconds} saniye daha engelli.',
      docs: 'The address went on sending after 429. Bans last 2 minutes and grow to 3 days.',
    },
    418,
  ),
  WAF: invalid(
    {
      en: 'The request was blocked because it looks like an attack or this address sends too many malformed requests.',
      tr: 'İstek engellendi: saldırıya benziyor veya bu adres çok fazla hatalı istek gönderiyor.',
      docs: 'The path or a header looks like an attack, or the address sent too many malformed requests in this minute.',
    },
    403,
  ),
  UNREADABLE_MESSAGE: unreadable({
    en: 'The message cannot be read; expected is a JSON array whose first element is the event name.',
    tr: 'Mesaj okunamıyor; beklenen, ilk öğesi olay adı olan bir JSON dizisi.',
    docs: 'A stream message is not a JSON array, or too long.',
  }),
  UNKNOWN_MESSAGE: invalid({
    en: 'Unknown message; the messages are join and change_room.',
    tr: 'Bilinmeyen mesaj; geçerli mesajlar join ve change_room.',
    docs: 'A stream message has another name than join or change_room, or the wrong number of arguments.',
  }),
  TOO_MANY_ROOMS: invalid({
    en: 'A connection can join at most {max} symbols.',
    tr: 'Bir bağlantı en fazla {max} sembole katılabilir.',
    docs: 'The connection has joined as many symbols as the configuration allows.',
  }),
  FLOODING: unavailable(
    {
      en: 'This connection has sent more than a connection may; it is closed. Going on leads to a ban.',
      tr: 'Bu bağlantı izin verilenden fazla veri gönderdi ve kapatılıyor. Sürmesi engellenmeye yol açar.',
      docs: 'The connection sent more frames or bytes than the configuration allows, and is closed.',
    },
    429,
  ),
  TOO_MANY_CONNECTIONS: unavailable(
    {
      en: 'There are too many stream connections; close some of them first.',
      tr: 'Çok fazla akış bağlantısı var; önce bir kısmını kapatın.',
      docs: 'The address, or the service, has as many stream connections as the configuration allows.',
    },
    429,
  ),
} as const satisfies Record<string, ReasonEntry>
