/**
 * Why a request is refused before it reaches the core: its address, its form, its parameters.
 */
import { invalid, type ReasonEntry, unreadable } from './entry.ts'

export const REQUEST_CATALOGUE = {
  NOT_FOUND: invalid(
    {
      en: 'There is nothing at this path.',
      tr: 'Bu adreste bir kaynak yok.',
      docs: 'The path is none of the documented ones.',
    },
    404,
  ),
  METHOD_NOT_ALLOWED: invalid(
    {
      en: 'The method {method} does not exist here; allowed: {allowed}.',
      tr: '{method} yöntemi bu adreste kullanılamaz; izin verilenler: {allowed}.',
      docs: 'The path exists, the method does not. The Allow header lists those that do.',
    },
    405,
  ),
  INVALID_HOST: invalid({
    en: 'The header Host must be given once and name one host, and a port if need be.',
    tr: 'Host başlığı bir kez gönderilmeli ve tek bir sunucuyu, gerekirse bağlantı noktasıyla birlikte, belirtmelidir.',
    docs: 'The header Host is no name or address of a host with or without a port, or was given more than once.',
  }),
  DUPLICATE_HEADER: invalid({
    en: 'The header {name} is given more than once.',
    tr: '{name} başlığı birden fazla kez gönderilmiş.',
    docs: 'A header that says where the request ends was given more than once, even with the same value. The connection is closed.',
  }),
  BODY_TOO_LARGE: invalid(
    {
      en: 'The body is longer than {max} bytes.',
      tr: 'İstek gövdesi {max} bayttan uzun.',
      docs: 'The body exceeds the configured size.',
    },
    413,
  ),
  HEADERS_TOO_LARGE: invalid(
    {
      en: 'The headers or the address of the request are longer than {max} bytes.',
      tr: 'İsteğin başlıkları veya adresi {max} bayttan uzun.',
      docs: 'Headers or address and query exceed the configured size.',
    },
    431,
  ),
  BODY_TIMEOUT: unreadable(
    {
      en: 'The body did not arrive within {seconds} seconds.',
      tr: 'İstek gövdesi {seconds} saniye içinde ulaşmadı.',
      docs: 'The body came too slowly; the connection is closed.',
    },
    408,
  ),
  UNSUPPORTED_CONTENT_TYPE: unreadable({
    en: 'The body must be sent as application/x-www-form-urlencoded.',
    tr: 'İstek gövdesi application/x-www-form-urlencoded olarak gönderilmelidir.',
    docs: 'A body came with another content type or none.',
  }),
  UNREADABLE_BODY: unreadable({
    en: 'The body cannot be read: its percent-encoding or UTF-8 is broken, or it was cut off.',
    tr: 'İstek gövdesi okunamıyor: yüzde kodlaması veya UTF-8 bozuk ya da gövde eksik.',
    docs: 'The body is not a well-formed form: broken percent-encoding, malformed UTF-8, or cut off.',
  }),
  SEPARATOR_REQUIRED: invalid({
    en: 'Parameters stand in the query string and in the body, and the two are signed as one text: end the query string, or start the body, with &.',
    tr: 'Parametreler hem sorgu dizesinde hem gövdede ve ikisi tek bir metin olarak imzalanır: sorgu dizesini & ile bitirin veya gövdeyi & ile başlatın.',
    docs: 'Query string and body are both there, and neither does the first end with & nor the second start with it, so that a parameter could be cut in two.',
  }),
  UNREADABLE_QUERY: invalid({
    en: 'The query string cannot be read: its percent-encoding or UTF-8 is broken.',
    tr: 'Sorgu dizesi okunamıyor: yüzde kodlaması veya UTF-8 bozuk.',
    docs: 'The query string has broken percent-encoding or malformed UTF-8.',
  }),
  TOO_MANY_PARAMETERS: invalid({
    en: 'A request can have at most {max} parameters.',
    tr: 'Bir istekte en fazla {max} parametre bulunabilir.',
    docs: 'The request carries more parameters than any endpoint could need.',
  }),
  MISSING_PARAMETER: invalid({
    en: 'The parameter {name} is required.',
    tr: '{name} parametresi zorunludur.',
    docs: 'A parameter that the endpoint, or the order’s type and side, requires is absent.',
  }),
  DUPLICATE_PARAMETER: invalid({
    en: 'The parameter {name} is given more than once.',
    tr: '{name} parametresi birden fazla kez verilmiş.',
    docs: 'A parameter is given twice, or in the query string and in the body.',
  }),
  INVALID_PARAMETER: invalid({
    en: 'The parameter {name} must be {expected}.',
    tr: '{name} parametresi hatalı; beklenen: {expected}.',
    docs: 'The value is not of the documented form or out of its range; the message says what is expected.',
  }),
  TOO_MANY_DECIMALS: invalid({
    en: 'The parameter {name} can have at most {max} decimals here.',
    tr: '{name} parametresi burada en fazla {max} ondalık basamak içerebilir.',
    docs: 'More decimals than the symbol (quantity, price) or the quote asset (total) has. Nothing is ever rounded silently; zeros beyond the decimals are fine.',
  }),
  VALUE_TOO_LARGE: invalid({
    en: 'The parameter {name} is too large; the largest value here is {max}.',
    tr: '{name} parametresi çok büyük; burada verilebilecek en büyük değer {max}.',
    docs: 'Quantity or price exceeds 2^53-1 smallest units of the symbol.',
  }),
  UNSUPPORTED_PARAMETER: invalid({
    en: 'The parameter {name} is not supported; the order was not placed.',
    tr: '{name} parametresi desteklenmiyor; emir verilmedi.',
    docs: 'A new order carries a parameter known from other exchanges that would change its meaning and that is not supported here.',
  }),
  UNSUPPORTED_VALUE: invalid({
    en: 'The value {value} of the parameter {name} is not supported; the order was not placed.',
    tr: '{name} parametresinin {value} değeri desteklenmiyor; emir verilmedi.',
    docs: 'A new order asks for a type or a time in force known from other exchanges that is not supported here.',
  }),
  MISSPELLED_PARAMETER: invalid({
    en: 'The parameter {name} must be written {expected}.',
    tr: '{name} parametresi {expected} olarak yazılmalıdır.',
    docs: 'A new order carries a parameter that differs from a documented one by letter case only.',
  }),
  PRICE_NOT_ALLOWED: invalid({
    en: 'A MARKET order takes no parameter price.',
    tr: 'MARKET emri price parametresi almaz.',
    docs: 'A MARKET order was sent with a price; it would not have been honoured.',
  }),
} as const satisfies Record<string, ReasonEntry>
