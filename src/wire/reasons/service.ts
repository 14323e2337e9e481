/**
 * Why the service does not do something now: its state and its limits; and what the stream refuses.
 */
import { invalid, type PublicReasonEntry, unavailable, unreadable } from './entry.ts'

export const SERVICE_CATALOGUE = {
  STARTING: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      en: 'The service is starting; please try again in a moment.',
      tr: 'Servis başlatılıyor; lütfen birazdan yeniden deneyin.',
      when: 'the node recovers its state',
      remedy: 'try again in a second',
    },
    { at: ['http', 'admin'], refuses: 'EVERYBODY_BY_A_WORD' },
  ),
  STOPPING: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      en: 'The service is stopping; the request was not carried out.',
      tr: 'Servis durduruluyor; istek işleme alınmadı.',
      when: 'the node shuts down',
      remedy: 'try again when it is back',
    },
    { at: ['http', 'stream', 'admin'], refuses: 'EVERYBODY_BY_A_WORD' },
  ),
  OVERLOADED: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      en: 'The service is overloaded; the request was not carried out. Please try again.',
      tr: 'Servis aşırı yük altında; istek işleme alınmadı. Lütfen yeniden deneyin.',
      when: 'more requests wait than may wait, or a read had no answer for 5 to 6.25 s',
      remedy: 'try again in a moment, more slowly',
    },
    { at: ['http', 'admin'], refuses: 'EVERYBODY' },
  ),
  ANSWERS_UNDER_WAY: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      en: 'Too many long answers are on their way; please read them to the end and try again in {seconds} seconds.',
      tr: 'Gönderilmekte olan uzun yanıtlar çok fazla; lütfen onları sonuna kadar okuyup {seconds} saniye sonra yeniden deneyin.',
      when: 'long answers that the address, or all addresses together, have not read yet hold as much memory as they may, or too many questions for [candles](candles.md#weight) wait; nothing was carried out',
      remedy: 'read the answers under way to their end; wait `Retry-After` seconds',
    },
    { refuses: 'SOME' },
  ),
  STORAGE_FULL: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      en: 'The storage is full; the request was not carried out. Reading still works.',
      tr: 'Depolama alanı dolu; istek işleme alınmadı. Okuma işlemleri çalışmaya devam ediyor.',
      when: 'no room to write; reading works',
      remedy: 'wait; service returns by itself when there is room',
    },
    { at: ['http', 'admin', 'command line'], refuses: 'EVERYBODY_BY_A_WORD' },
  ),
  ENGINE_DOWN: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      en: 'The matching engine is not available; the request was not carried out.',
      tr: 'Eşleştirme motoruna ulaşılamıyor; istek işleme alınmadı.',
      when: 'the matching engine has stopped',
      remedy: 'wait for the operator',
    },
    { at: ['http', 'admin'], refuses: 'EVERYBODY' },
  ),
  NO_LEADER: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      en: 'No matching engine can be reached at the moment; the request was not carried out. Please try again.',
      tr: 'Şu anda hiçbir eşleştirme motoruna ulaşılamıyor; istek işleme alınmadı. Lütfen yeniden deneyin.',
      when: 'in a [cluster](../cluster.md#while-nobody-leads), or with [several gateways](configuration.md#gateways), while no engine leads or none can be reached: a request that needs one, certainly not done; or the end of a login whose orders end with its connection',
      remedy: 'try again after `Retry-After` seconds',
    },
    { at: ['http', 'stream', 'admin'], refuses: 'EVERYBODY' },
  ),
  OUTCOME_UNKNOWN: unavailable(
    {
      ccxt: 'RequestTimeout',
      en: 'It is not known whether the request was carried out; please look at your open orders and trade history.',
      tr: 'İsteğin gerçekleşip gerçekleşmediği bilinmiyor; lütfen açık emirlerinizi ve işlem geçmişinizi kontrol edin.',
      when: 'an order or cancel was handed over and no result was confirmed, at the latest after 6.25 s: it may have been done or not',
      remedy: 'look at open orders and history before you send it again',
    },
    { at: ['http', 'admin'], refuses: 'EVERYBODY' },
  ),
  CLOCK_NOT_TRUSTED: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      en: 'New orders are not taken because the clock of the service is being checked; cancelling works. Please try again later.',
      tr: 'Servisin saati denetlendiği için yeni emir alınmıyor; emir iptali çalışıyor. Lütfen daha sonra yeniden deneyin.',
      when: 'a new order, while the clock of the node is [too far ahead](../operating.md#the-clock); certainly not done. Cancels and reading work',
      remedy: 'wait as long as `Retry-After` says',
    },
    { at: ['http', 'admin'], refuses: 'EVERYBODY_BY_A_WORD' },
  ),
  RATE_LIMITED: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      en: 'Too many requests: at most {limit}; please wait {seconds} seconds.',
      tr: 'Çok fazla istek gönderildi: en çok {limit}; lütfen {seconds} saniye bekleyin.',
      when: 'the address has used up the weight, or the [openings of stream connections](stream.md#openings), of this minute; on the stream: too many messages, or too many joins and whole books, in a second. The text names the limit and its figure',
      remedy: 'wait `Retry-After` seconds',
    },
    { status: 429, at: ['http', 'stream'] },
  ),
  ORDER_RATE_LIMITED: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      en: 'Too many orders; please wait {seconds} seconds.',
      tr: 'Çok fazla emir gönderildi; lütfen {seconds} saniye bekleyin.',
      when: 'the account has placed as many orders as the window allows',
      remedy: 'wait `Retry-After` seconds',
    },
    { status: 429 },
  ),
  BANNED: unavailable(
    {
      ccxt: 'DDoSProtection',
      en: 'This address is banned for another {seconds} seconds.',
      tr: 'Bu adres {seconds} saniye daha engelli.',
      when: 'the address went on after 429',
      remedy: 'wait `Retry-After` seconds',
    },
    { status: 418 },
  ),
  WAF: invalid(
    {
      ccxt: 'DDoSProtection',
      en: 'The request was blocked because it looks like an attack or this address sends too many malformed requests.',
      tr: 'İstek engellendi: saldırıya benziyor veya bu adres çok fazla hatalı istek gönderiyor.',
      when: 'path or a header looks like an attack, or the address sent too many malformed requests in this minute',
      remedy: 'correct the client; wait for the next minute',
    },
    { status: 403 },
  ),
  REQUESTS_UNDER_WAY: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      en: 'This connection has {max} requests under way, as many as it may; the request was not carried out.',
      tr: 'Bu bağlantıda yanıt bekleyen {max} istek var, daha fazlası olamaz; istek işleme alınmadı.',
      when: 'the connection has sent as many [requests](order-entry.md#requests) as may be under way, and has not been answered yet; nothing was carried out',
      remedy: 'wait for an answer before the next request',
    },
    { status: 429, at: ['stream'] },
  ),
  UNREADABLE_MESSAGE: unreadable(
    {
      ccxt: 'BadRequest',
      en: 'The message cannot be read; expected is a JSON array whose first element is the event name.',
      tr: 'Mesaj okunamıyor; beklenen, ilk öğesi olay adı olan bir JSON dizisi.',
      when: 'not a JSON array that starts with a name; or, as an HTTP answer, a WebSocket handshake that is not one',
      remedy: 'correct the client',
    },
    { at: ['stream'] },
  ),
  UNKNOWN_MESSAGE: invalid(
    {
      ccxt: 'BadRequest',
      en: 'Unknown message; the messages are join, change_room, subscribe, unsubscribe, login and those of order entry.',
      tr: 'Bilinmeyen mesaj; geçerli mesajlar join, change_room, subscribe, unsubscribe, login ve emir girişi mesajları.',
      when: 'another name than `join`, `change_room`, `subscribe`, `unsubscribe`, `login` and those of [order entry](order-entry.md#requests), or wrong arguments',
      remedy:
        'see [the messages](stream.md#messages-from-the-client) and [those of channels](stream-extensions.md#messages-from-the-client)',
    },
    { at: ['stream'] },
  ),
  MESSAGE_TOO_LARGE: invalid(
    {
      ccxt: 'BadRequest',
      en: 'A message can have at most {limit}; nothing of it was read.',
      tr: 'Bir mesajda en fazla {limit} bulunabilir; mesaj okunmadı.',
      when: 'a frame has more bytes than one may have before a login, or more messages, values, members of an object or nested lists than [any may have](stream.md#frames); nothing of it was read',
      remedy: 'send several frames; log in before long ones',
    },
    { status: 413, at: ['stream'] },
  ),
  TOO_MANY_ROOMS: invalid(
    {
      ccxt: 'BadRequest',
      en: 'A connection can join at most {max} symbols.',
      tr: 'Bir bağlantı en fazla {max} sembole katılabilir.',
      when: 'the connection has joined as many symbols as it may',
      remedy: 'leave one with `change_room`, or open another connection',
    },
    { at: ['stream'] },
  ),
  UNKNOWN_JOURNAL: invalid(
    {
      ccxt: 'BadRequest',
      en: 'The journal is another one than the one you followed; subscribe without since.',
      tr: 'Journal, takip ettiğinizden farklı; since olmadan abone olun.',
      when: '`journal` names another one, or `since` lies behind its end: it was restored from a backup',
      remedy: 'subscribe without `since`, and take the state that comes in place of what you have',
    },
    { at: ['stream'] },
  ),
  SINCE_TOO_OLD: invalid(
    {
      ccxt: 'BadRequest',
      en: 'What happened since then is not kept any more; subscribe without since.',
      tr: 'O zamandan beri olanlar artık saklanmıyor; since olmadan abone olun.',
      when: '`since` lies more than 10,000,000 commands of all accounts back',
      remedy:
        'subscribe without `since`; read what happened meanwhile from the [ledger](orders.md#ledger) and the [fills](orders.md#fills)',
    },
    { at: ['stream'] },
  ),
  TOO_SLOW: unavailable(
    {
      ccxt: 'NetworkError',
      en: 'This connection takes messages more slowly than they come; subscribe again with since.',
      tr: 'Bu bağlantı mesajları geldiklerinden daha yavaş alıyor; since ile yeniden abone olun.',
      when: 'a subscription of the [private feed](private-feed.md#slow-clients) has ended: its connection took nothing for too long, or most was kept for it where too much was',
      remedy:
        'read faster, and [come back](private-feed.md#coming-back) with the last `seq`: nothing is lost',
    },
    { status: 429, at: ['stream'] },
  ),
  TOO_MANY_SUBSCRIPTIONS: invalid(
    {
      ccxt: 'BadRequest',
      en: 'A connection can have at most {max} subscriptions.',
      tr: 'Bir bağlantının en fazla {max} aboneliği olabilir.',
      when: 'the connection is subscribed to as many channels as it may be',
      remedy: 'end one with `unsubscribe`, or open another connection',
    },
    { at: ['stream'] },
  ),
  NOT_SUBSCRIBED: invalid(
    {
      ccxt: 'BadRequest',
      en: 'This connection has no such subscription; channel, symbol and options must be those of subscribe.',
      tr: 'Bu bağlantının böyle bir aboneliği yok; kanal, sembol ve seçenekler subscribe mesajındakiler olmalıdır.',
      when: '`unsubscribe` from what the connection is not subscribed to, perhaps with other options',
      remedy: 'name channel, symbol and options as in `subscribe`',
    },
    { at: ['stream'] },
  ),
  FLOODING: unavailable(
    {
      ccxt: 'DDoSProtection',
      en: 'This connection has sent more than a connection may; it is closed. Going on leads to a ban.',
      tr: 'Bu bağlantı izin verilenden fazla veri gönderdi ve kapatılıyor. Sürmesi engellenmeye yol açar.',
      when: 'a stream connection sent far more frames or bytes than it may; it is closed',
      remedy: 'send less: [the limits](stream.md#floods); going on leads to a ban',
    },
    { status: 429, at: ['stream'] },
  ),
  TOO_MANY_CONNECTIONS: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      en: 'There are too many stream connections; close some of them first.',
      tr: 'Çok fazla akış bağlantısı var; önce bir kısmını kapatın.',
      when: 'the address, or the node, has as many stream connections as it may have',
      remedy: 'close some',
    },
    { status: 429, at: ['stream'] },
  ),
} as const satisfies Record<string, PublicReasonEntry>
