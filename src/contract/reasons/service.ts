/**
 * Reasons why the service is temporarily unavailable: its state and its limits; and refusals of the stream.
 */
import { invalid, type PublicReasonEntry, unavailable, unreadable } from './entry.ts'

export const SERVICE_CATALOGUE = {
  STARTING: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      requests: ['ANY'],
      en: 'The service is starting; please try again in a moment.',
      tr: 'Servis başlatılıyor; lütfen birazdan yeniden deneyin.',
      when: 'the node is recovering its state',
      remedy: 'try again in a second',
    },
    { at: ['http', 'admin'], refuses: 'EVERYBODY_BY_A_WORD' },
  ),
  STOPPING: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      requests: ['ANY'],
      en: 'The service is stopping; the request was not carried out.',
      tr: 'Servis durduruluyor; istek işleme alınmadı.',
      when: 'the node is shutting down',
      remedy: 'try again when it is back',
    },
    { at: ['http', 'stream', 'admin'], refuses: 'EVERYBODY_BY_A_WORD' },
  ),
  OVERLOADED: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      requests: ['READING'],
      en: 'The service is overloaded; the request was not carried out. Please try again.',
      tr: 'Servis aşırı yük altında; istek işleme alınmadı. Lütfen yeniden deneyin.',
      when: 'the queue of requests is full, or a read was not answered within 5 to 6.25 s',
      remedy: 'try again in a moment, more slowly',
    },
    { at: ['http', 'admin'], refuses: 'EVERYBODY' },
  ),
  ANSWERS_UNDER_WAY: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      requests: ['LONG'],
      en: 'Too many long answers are still being sent; please read them to the end and try again in {seconds} seconds.',
      tr: 'Gönderilmekte olan uzun yanıtlar çok fazla; lütfen onları sonuna kadar okuyup {seconds} saniye sonra yeniden deneyin.',
      when: 'unread long answers of the address, or of all addresses together, use all the memory reserved for them, or too many requests for [candles](candles.md#weight) are waiting; the request was not carried out',
      remedy: 'read the pending answers to the end; wait `Retry-After` seconds',
    },
    { refuses: 'SOME' },
  ),
  STORAGE_FULL: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      requests: ['COMMAND'],
      en: 'The storage is full; the request was not carried out. Data can still be read.',
      tr: 'Depolama alanı dolu; istek işleme alınmadı. Okuma işlemleri çalışmaya devam ediyor.',
      when: 'there is no space left to write; reading works',
      remedy: 'wait; the service recovers as soon as there is space',
    },
    { at: ['http', 'admin', 'command line'], refuses: 'EVERYBODY_BY_A_WORD' },
  ),
  ENGINE_DOWN: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      requests: ['READING'],
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
      requests: ['READING'],
      en: 'No matching engine is available at the moment; the request was not carried out. Please try again.',
      tr: 'Şu anda hiçbir eşleştirme motoruna ulaşılamıyor; istek işleme alınmadı. Lütfen yeniden deneyin.',
      when: 'in a [cluster](../cluster.md#while-no-engine-leads), or with [several gateways](configuration.md#gateways), no engine leads or none can be reached: a request that needs the engine was certainly not carried out; also the end of a login whose orders end with its connection',
      remedy: 'try again after `Retry-After` seconds',
    },
    { at: ['http', 'stream', 'admin'], refuses: 'EVERYBODY' },
  ),
  OUTCOME_UNKNOWN: unavailable(
    {
      ccxt: 'RequestTimeout',
      requests: ['COMMAND'],
      en: 'It is not known whether the request was carried out; please check your open orders and trade history.',
      tr: 'İsteğin gerçekleşip gerçekleşmediği bilinmiyor; lütfen açık emirlerinizi ve işlem geçmişinizi kontrol edin.',
      when: 'an order or cancel was sent to the engine, and no result was confirmed within 6.25 s: it may have been carried out or not',
      remedy: 'check open orders and history before you send it again',
    },
    { at: ['http', 'admin'], refuses: 'EVERYBODY' },
  ),
  CLOCK_NOT_TRUSTED: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      requests: ['PLACEMENT', 'AMENDMENT'],
      en: 'New orders are refused while the clock of the service is being checked; orders can be canceled. Please try again later.',
      tr: 'Servisin saati denetlenirken yeni emir alınmıyor; emirler iptal edilebilir. Lütfen daha sonra yeniden deneyin.',
      when: 'a new order while the clock of the node is [too far ahead](../alarms.md#the-clock); certainly not carried out. Cancels and reads work',
      remedy: 'wait `Retry-After` seconds',
    },
    { at: ['http', 'admin'], refuses: 'EVERYBODY_BY_A_WORD' },
  ),
  RATE_LIMITED: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      requests: ['ANY'],
      en: 'Too many requests: at most {limit}; please wait {seconds} seconds.',
      tr: 'Çok fazla istek gönderildi; sınır: {limit}. Lütfen {seconds} saniye bekleyin.',
      when: 'the address has used up its weight, or its [openings of stream connections](stream.md#openings), for this minute; on the stream: too many messages, or too many joins and complete books, in a second. The message has the limit',
      remedy: 'wait `Retry-After` seconds',
    },
    { status: 429, at: ['http', 'stream'] },
  ),
  ORDER_RATE_LIMITED: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      requests: ['PLACED_ORDER', 'ORDER_LIST'],
      en: 'Too many orders; please wait {seconds} seconds.',
      tr: 'Çok fazla emir gönderildi; lütfen {seconds} saniye bekleyin.',
      when: 'the account has placed as many orders as the order window allows',
      remedy: 'wait `Retry-After` seconds',
    },
    { status: 429 },
  ),
  BANNED: unavailable(
    {
      ccxt: 'DDoSProtection',
      requests: ['ANY'],
      en: 'This address is banned for another {seconds} seconds.',
      tr: 'Bu adres {seconds} saniye daha yasaklı.',
      when: 'the address kept sending requests after status 429',
      remedy: 'wait `Retry-After` seconds',
    },
    { status: 418 },
  ),
  WAF: invalid(
    {
      ccxt: 'DDoSProtection',
      requests: ['ANY'],
      en: 'The request was blocked because it looks like an attack or this address sends too many malformed requests.',
      tr: 'İstek engellendi: saldırıya benziyor veya bu adres çok fazla hatalı istek gönderiyor.',
      when: 'the path or a header looks like an attack, or the address sent too many malformed requests in this minute',
      remedy: 'fix the client; wait for the next minute',
    },
    { status: 403 },
  ),
  REQUESTS_UNDER_WAY: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      en: 'This connection has {max} requests in progress, the most allowed; the request was not carried out.',
      tr: 'Bu bağlantıda yanıt bekleyen {max} istek var, daha fazlası olamaz; istek işleme alınmadı.',
      when: 'the connection has the largest allowed number of unanswered [requests](order-entry.md#requests); this one was not carried out',
      remedy: 'wait for an answer before you send the next request',
    },
    { status: 429, at: ['stream'] },
  ),
  UNREADABLE_MESSAGE: unreadable(
    {
      ccxt: 'BadRequest',
      en: 'The message cannot be read: expected a JSON array whose first element is the event name.',
      tr: 'Mesaj okunamıyor: ilk öğesi olay adı olan bir JSON dizisi bekleniyor.',
      when: 'the message is not a JSON array that starts with a name; as an HTTP answer: an invalid WebSocket handshake',
      remedy: 'fix the client',
    },
    { at: ['stream'] },
  ),
  UNKNOWN_MESSAGE: invalid(
    {
      ccxt: 'BadRequest',
      en: 'Unknown message; the messages are join, change_room, subscribe, unsubscribe, login and those of order entry.',
      tr: 'Bilinmeyen mesaj; geçerli mesajlar join, change_room, subscribe, unsubscribe, login ve emir girişi mesajları.',
      when: 'the name is not `join`, `change_room`, `subscribe`, `unsubscribe`, `login` or a request of [order entry](order-entry.md#requests), or the arguments are wrong',
      remedy:
        'see [the messages](stream.md#messages-from-the-client) and [those of channels](stream-extensions.md#messages-from-the-client)',
    },
    { at: ['stream'] },
  ),
  MESSAGE_TOO_LARGE: invalid(
    {
      ccxt: 'BadRequest',
      en: 'A message can have at most {limit}; it was not read.',
      tr: 'Bir mesajda en fazla {limit} bulunabilir; mesaj okunmadı.',
      when: 'a frame has more bytes than allowed before a login, or more messages, values, object members or nested lists than [allowed](stream.md#frames); none of it was read',
      remedy: 'send several frames; log in before you send long ones',
    },
    { status: 413, at: ['stream'] },
  ),
  TOO_MANY_ROOMS: invalid(
    {
      ccxt: 'BadRequest',
      en: 'A connection can join at most {max} symbols.',
      tr: 'Bir bağlantı en fazla {max} sembole katılabilir.',
      when: 'the connection has joined the largest allowed number of symbols',
      remedy: 'leave one with `change_room`, or open another connection',
    },
    { at: ['stream'] },
  ),
  UNKNOWN_JOURNAL: invalid(
    {
      ccxt: 'BadRequest',
      en: "The exchange's journal is not the one that you followed; subscribe without since.",
      tr: 'Borsanın günlüğü (journal) izlediğinizden farklı; since olmadan abone olun.',
      when: '`journal` names another journal, or `since` is after its end: the exchange was restored from a backup',
      remedy: 'subscribe without `since`, and replace your state with the one that you receive',
    },
    { at: ['stream'] },
  ),
  SINCE_TOO_OLD: invalid(
    {
      ccxt: 'BadRequest',
      en: 'Events since then are no longer stored; subscribe without since.',
      tr: 'O zamandan bu yana olan olaylar artık saklanmıyor; since olmadan abone olun.',
      when: '`since` is more than 10,000,000 commands of all accounts back',
      remedy:
        'subscribe without `since`; read the missed events from the [ledger](orders.md#ledger) and the [fills](orders.md#fills)',
    },
    { at: ['stream'] },
  ),
  TOO_SLOW: unavailable(
    {
      ccxt: 'NetworkError',
      en: 'This connection reads messages too slowly; subscribe again with since.',
      tr: 'Bu bağlantı mesajları çok yavaş okuyor; since ile yeniden abone olun.',
      when: 'a subscription of the [private feed](private-feed.md#slow-clients) was ended: its connection read nothing for too long, or had the longest queue when all queues together were too long',
      remedy: 'read faster, and [resume](private-feed.md#coming-back) with the last `seq`: nothing is lost',
    },
    { status: 429, at: ['stream'] },
  ),
  TOO_MANY_SUBSCRIPTIONS: invalid(
    {
      ccxt: 'BadRequest',
      en: 'A connection can have at most {max} subscriptions.',
      tr: 'Bir bağlantının en fazla {max} aboneliği olabilir.',
      when: 'the connection has the largest allowed number of subscriptions',
      remedy: 'end one with `unsubscribe`, or open another connection',
    },
    { at: ['stream'] },
  ),
  NOT_SUBSCRIBED: invalid(
    {
      ccxt: 'BadRequest',
      en: 'This connection has no such subscription; channel, symbol and options must be the same as in subscribe.',
      tr: 'Bu bağlantının böyle bir aboneliği yok; kanal, sembol ve seçenekler subscribe mesajındakilerle aynı olmalıdır.',
      when: '`unsubscribe` for a subscription that the connection does not have, possibly with other options',
      remedy: 'use the same channel, symbol and options as in `subscribe`',
    },
    { at: ['stream'] },
  ),
  FLOODING: unavailable(
    {
      ccxt: 'DDoSProtection',
      en: 'This connection has sent too much and is closed. Continuing leads to a ban.',
      tr: 'Bu bağlantı çok fazla veri gönderdi ve kapatılıyor. Devam ederseniz adresiniz yasaklanır.',
      when: 'a stream connection sent far more frames or bytes than allowed; it is closed',
      remedy: 'send less: [the limits](stream.md#floods); continuing leads to a ban',
    },
    { status: 429, at: ['stream'] },
  ),
  TOO_MANY_CONNECTIONS: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      en: 'There are too many stream connections; close some of them first.',
      tr: 'Çok fazla akış bağlantısı var; önce bir kısmını kapatın.',
      when: 'the address, or the node, has the largest allowed number of stream connections',
      remedy: 'close some of them',
    },
    { status: 429, at: ['stream'] },
  ),
} as const satisfies Record<string, PublicReasonEntry>
