/**
 * Why a request is refused before it reaches the core: its address, its form, its parameters.
 */
import { invalid, type PublicReasonEntry, unreadable } from './entry.ts'

export const REQUEST_CATALOGUE = {
  NOT_FOUND: invalid(
    {
      ccxt: 'BadRequest',
      en: 'There is nothing at this path.',
      tr: 'Bu adreste bir kaynak yok.',
      when: 'nothing is at this path',
      remedy: 'check path and letter case',
    },
    { status: 404 },
  ),
  METHOD_NOT_ALLOWED: invalid(
    {
      ccxt: 'BadRequest',
      en: 'The method {method} does not exist here; allowed: {allowed}.',
      tr: '{method} yöntemi bu adreste kullanılamaz; izin verilenler: {allowed}.',
      when: 'the path exists, the method does not',
      remedy: 'see the header `Allow`',
    },
    { status: 405, at: ['http', 'admin'] },
  ),
  INVALID_HOST: invalid(
    {
      ccxt: 'BadRequest',
      en: 'The header Host must be given once and name one host, and a port if need be.',
      tr: 'Host başlığı bir kez gönderilmeli ve tek bir sunucuyu, gerekirse bağlantı noktasıyla birlikte, belirtmelidir.',
      when: '`Host` names no host, or was given twice',
      remedy: 'send one `Host`: a name or an address, and `:port` if need be',
    },
    { at: ['http', 'admin'] },
  ),
  DUPLICATE_HEADER: invalid(
    {
      ccxt: 'BadRequest',
      en: 'The header {name} is given more than once.',
      tr: '{name} başlığı birden fazla kez gönderilmiş.',
      when: '`Content-Length` was given twice, even with the same value; the connection is closed',
      remedy: 'send it once',
    },
    { at: ['http', 'admin'] },
  ),
  EXPECTATION_FAILED: invalid(
    {
      ccxt: 'BadRequest',
      en: 'The header Expect can only be given as 100-continue, in lower case.',
      tr: 'Expect başlığı yalnızca küçük harflerle 100-continue olarak gönderilebilir.',
      when: 'another `Expect` than `100-continue`; in capitals it is understood on a connection without TLS alone',
      remedy: 'send the body without waiting: leave `Expect` out, or write it in lower case',
    },
    { status: 417, at: ['http', 'admin'] },
  ),
  UNSUPPORTED_CONTENT_ENCODING: unreadable(
    {
      ccxt: 'BadRequest',
      en: 'The body must be sent as it is, without Content-Encoding.',
      tr: 'İstek gövdesi olduğu gibi, Content-Encoding olmadan gönderilmelidir.',
      when: 'a body with a `Content-Encoding` other than `identity`',
      remedy: 'do not compress it',
    },
    { at: ['http', 'admin'] },
  ),
  BODY_TOO_LARGE: invalid(
    {
      ccxt: 'BadRequest',
      en: 'The body is longer than {max} bytes.',
      tr: 'İstek gövdesi {max} bayttan uzun.',
      when: 'the body is over the limit',
      remedy: 'send less',
    },
    { status: 413 },
  ),
  HEADERS_TOO_LARGE: invalid(
    {
      ccxt: 'BadRequest',
      en: 'The headers or the address of the request are longer than {max} bytes.',
      tr: 'İsteğin başlıkları veya adresi {max} bayttan uzun.',
      when: 'address and headers are over the limit',
      remedy: 'send less, or use the body',
    },
    { status: 431 },
  ),
  BODY_TIMEOUT: unreadable(
    {
      ccxt: 'NetworkError',
      en: 'The body did not arrive within {seconds} seconds.',
      tr: 'İstek gövdesi {seconds} saniye içinde ulaşmadı.',
      when: 'the body did not arrive in time; the connection is closed',
      remedy: 'check the network and `Content-Length`',
    },
    { status: 408 },
  ),
  UNSUPPORTED_CONTENT_TYPE: unreadable({
    ccxt: 'BadRequest',
    en: 'The body must be sent as application/x-www-form-urlencoded.',
    tr: 'İstek gövdesi application/x-www-form-urlencoded olarak gönderilmelidir.',
    when: 'a body of another type than `application/x-www-form-urlencoded`, or of none',
    remedy: 'set the header',
  }),
  UNREADABLE_BODY: unreadable({
    ccxt: 'BadRequest',
    en: 'The body cannot be read: its percent-encoding or UTF-8 is broken, or it was cut off.',
    tr: 'İstek gövdesi okunamıyor: yüzde kodlaması veya UTF-8 bozuk ya da gövde eksik.',
    when: 'broken percent-encoding or UTF-8 in the body, or the body was cut off',
    remedy: 'encode it',
  }),
  SEPARATOR_REQUIRED: invalid({
    ccxt: 'BadRequest',
    en: 'Parameters stand in the query string and in the body, and the two are signed as one text: end the query string, or start the body, with &.',
    tr: 'Parametreler hem sorgu dizesinde hem gövdede ve ikisi tek bir metin olarak imzalanır: sorgu dizesini & ile bitirin veya gövdeyi & ile başlatın.',
    when: 'parameters stand in the query string and in the body, and no `&` stands between the two texts',
    remedy:
      'end the query string, or start the body, with `&`, and sign that; or send all of them in one place',
  }),
  CONTROL_CHARACTER: invalid({
    ccxt: 'BadRequest',
    en: 'Query string and body must not contain control characters such as line ends and tabs; percent-encode them, or leave them out.',
    tr: 'Sorgu dizesi ve istek gövdesi satır sonu ve sekme gibi denetim karakterleri içeremez; bunları yüzde kodlamasıyla gönderin veya çıkarın.',
    when: 'a control character (00 to 1F, 7F) stands as it is in the query string or the body: what was signed for another purpose, such as a [login](order-entry.md#login), is no request',
    remedy: 'percent-encode it, or leave it out; many tools end a body with a line end',
  }),
  UNREADABLE_QUERY: invalid({
    ccxt: 'BadRequest',
    en: 'The query string cannot be read: its percent-encoding or UTF-8 is broken.',
    tr: 'Sorgu dizesi okunamıyor: yüzde kodlaması veya UTF-8 bozuk.',
    when: 'broken percent-encoding or UTF-8 in the query string',
    remedy: 'encode it',
  }),
  TOO_MANY_PARAMETERS: invalid({
    ccxt: 'BadRequest',
    en: 'A request can have at most {max} parameters.',
    tr: 'Bir istekte en fazla {max} parametre bulunabilir.',
    when: 'more than 64 parameters',
    remedy: 'send those that the endpoint takes',
  }),
  MISSING_PARAMETER: invalid(
    {
      ccxt: 'BadRequest',
      en: 'The parameter {name} is required.',
      tr: '{name} parametresi zorunludur.',
      when: 'a parameter that this endpoint, order type, side or message of the stream needs is absent',
      remedy: 'send the parameter named',
    },
    { at: ['http', 'stream'] },
  ),
  DUPLICATE_PARAMETER: invalid({
    ccxt: 'BadRequest',
    en: 'The parameter {name} is given more than once.',
    tr: '{name} parametresi birden fazla kez verilmiş.',
    when: 'a parameter is there twice, perhaps once in the query string and once in the body',
    remedy: 'send it once',
  }),
  INVALID_PARAMETER: invalid(
    {
      ccxt: 'BadRequest',
      en: 'The parameter {name} must be {expected}.',
      tr: '{name} parametresi hatalı; beklenen: {expected}.',
      when: 'the value has the wrong form or is out of range; of [extensions](extensions.md#what-they-share) and on the stream also a parameter that is not taken',
      remedy: 'the message says what is expected',
    },
    { at: ['http', 'stream'] },
  ),
  TOO_MANY_DECIMALS: invalid({
    ccxt: 'InvalidOrder',
    en: 'The parameter {name} can have at most {max} decimals here.',
    tr: '{name} parametresi burada en fazla {max} ondalık basamak içerebilir.',
    when: 'more decimals than the symbol or the asset has',
    remedy: 'round as you see fit; the message has the limit',
  }),
  VALUE_TOO_LARGE: invalid({
    ccxt: 'InvalidOrder',
    en: 'The parameter {name} is too large; the largest value here is {max}.',
    tr: '{name} parametresi çok büyük; burada verilebilecek en büyük değer {max}.',
    when: 'quantity, price or total beyond the largest value',
    remedy: 'the message has the limit',
  }),
  UNSUPPORTED_PARAMETER: invalid({
    ccxt: 'NotSupported',
    en: 'The parameter {name} is not supported here; nothing was done.',
    tr: '{name} parametresi burada desteklenmiyor; hiçbir işlem yapılmadı.',
    when: 'a new order or a cancel with a parameter that would change its meaning and is not supported',
    remedy: 'leave it out, if the request still means what you want',
  }),
  UNSUPPORTED_VALUE: invalid({
    ccxt: 'NotSupported',
    en: 'The value {value} of the parameter {name} is not supported: it must be {expected}. The order was not placed.',
    tr: '{name} parametresinin {value} değeri desteklenmiyor; beklenen: {expected}. Emir verilmedi.',
    when: 'a new order with a type, time in force or self-trade mode that is not supported',
    remedy: 'use one that the message names',
  }),
  MISSPELLED_PARAMETER: invalid({
    ccxt: 'BadRequest',
    en: 'The parameter {name} must be written {expected}.',
    tr: '{name} parametresi {expected} olarak yazılmalıdır.',
    when: 'a new order with a parameter that differs from one of ours by letter case only',
    remedy: 'write it as the message says',
  }),
  PRICE_NOT_ALLOWED: invalid({
    ccxt: 'InvalidOrder',
    en: 'A MARKET order takes no parameter price.',
    tr: 'MARKET emri price parametresi almaz.',
    when: 'a MARKET order with a `price`',
    remedy: 'leave it out, or use LIMIT',
  }),
  PARAMETER_NOT_TAKEN: invalid({
    ccxt: 'InvalidOrder',
    en: 'A {type} order takes no parameter {name}.',
    tr: '{type} emri {name} parametresi almaz.',
    when: 'a new order with a parameter that its type does not take',
    remedy: 'leave it out, or use another type',
  }),
  UNKNOWN_CLIENT_ORDER_ID: invalid({
    ccxt: 'OrderNotFound',
    en: 'Your account has no order under this client order id (parameter origClientOrderId).',
    tr: 'Hesabınızda bu müşteri emir kimliğine sahip bir emir yok (origClientOrderId parametresi).',
    when: 'no order of your account is remembered under the client order id; with `deadline`, `isFinal` says whether that may still change',
    remedy: 'ask again where `isFinal` is false',
  }),
} as const satisfies Record<string, PublicReasonEntry>
