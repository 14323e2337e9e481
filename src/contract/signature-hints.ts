/**
 * The texts of common signature mistakes: the hints of a signature check
 * (docs/reference/extensions.md#signature-check). The first hints describe the text that was signed by
 * mistake, which only a signature with the key's secret can show; the others are visible in the request, for
 * any key.
 */
import type { Localised } from './language.ts'

export const SIGNATURE_HINTS = {
  SIGNED_QUERY_ALONE: {
    en: 'The signature is right for the query string only. The body must be signed too, directly after it.',
    tr: 'İmza yalnızca sorgu dizesi için doğru. Hemen ardından gövde de imzalanır.',
  },
  SIGNED_BODY_ALONE: {
    en: 'The signature is right for the body only. The query string must be signed too, directly before it.',
    tr: 'İmza yalnızca gövde için doğru. Hemen önünde sorgu dizesi de imzalanır.',
  },
  SIGNED_BODY_FIRST: {
    en: 'The signature is right for the body followed by the query string. The query string comes first.',
    tr: 'İmza, gövde ve ardından sorgu dizesi için doğru. Önce sorgu dizesi gelir.',
  },
  SIGNED_AMPERSAND: {
    en: 'The signature is right with an & between query string and body that was not sent. Send it as part of one of the two.',
    tr: 'İmza, sorgu dizesi ile gövde arasında gönderilmemiş bir & ile doğru. Onu ikisinden birinin içinde gönderin.',
  },
  SIGNED_NOTHING: {
    en: 'The signature is right for an empty text. Query string and body are signed.',
    tr: 'İmza boş bir metin için doğru. Sorgu dizesi ve gövde imzalanır.',
  },
  SIGNED_STRICT_LINES: {
    en: 'The signature is right for the lines of a strict signature. Send it with v2= before it.',
    tr: 'İmza, katı imzanın satırları için doğru. Önüne v2= ekleyerek gönderin.',
  },
  SIGNED_PLAIN_TEXT: {
    en: 'The signature is right for query string and body alone: a plain signature. Send it without v2=, or sign the lines.',
    tr: 'İmza yalnızca sorgu dizesi ve gövde için doğru: düz imza. v2= olmadan gönderin veya satırları imzalayın.',
  },
  SIGNED_LINE_END: {
    en: 'The signature is right with other line ends: one more at the end, or CR LF. Sign the text without the extra one, and lines with LF only.',
    tr: 'İmza başka satır sonlarıyla doğru: sonda fazladan bir satır sonu veya CR LF. Metni fazladan satır sonu olmadan, satırları yalnızca LF ile imzalayın.',
  },
  SIGNED_QUESTION_MARK: {
    en: 'The signature is right with a ? before the query string. The ? is not signed.',
    tr: 'İmza, sorgu dizesinin önünde bir ? ile doğru. ? imzalanmaz.',
  },
  SIGNED_SORTED: {
    en: 'The signature is right for the parameters in alphabetical order. They are signed in the order in which they are sent.',
    tr: 'İmza, alfabetik sıradaki parametreler için doğru. Parametreler gönderildikleri sırada imzalanır.',
  },
  SIGNED_DECODED: {
    en: 'The signature is right for the text without its percent-encoding. Sign the text as it is sent, encoded.',
    tr: 'İmza, yüzde kodlaması çözülmüş metin için doğru. Metin gönderildiği gibi, kodlanmış hâliyle imzalanır.',
  },
  SIGNED_ENCODED: {
    en: 'The signature is right for the same parameters in another percent-encoding. Sign the text as it is sent.',
    tr: 'İmza, aynı parametrelerin başka bir yüzde kodlaması için doğru. Metin gönderildiği gibi imzalanır.',
  },
  SIGNATURE_FORM: {
    en: 'The signature is neither 64 hexadecimal digits nor, without v2=, 44 characters of standard base64, nor 88 of an Ed25519 pair.',
    tr: 'İmza 64 onaltılık basamak değil; v2= olmadan 44 karakterlik standart base64 veya Ed25519 çiftinin 88 karakteri de değil.',
  },
  SIGNATURE_PREFIX: {
    en: 'The signature begins with an unknown prefix. Put nothing before the digits, or v2= in lower case.',
    tr: 'İmza bilinmeyen bir ön ekle başlıyor. Basamaklardan önce ya hiçbir şey ya da küçük harfle v2= olmalıdır.',
  },
  SIGNATURE_BASE64URL: {
    en: 'The signature looks like base64url. Standard base64 has + and / and ends with =.',
    tr: 'İmza base64url biçiminde görünüyor. Standart base64 + ve / kullanır ve = ile biter.',
  },
  SIGNATURE_BASE64_OF_HEX: {
    en: 'The signature is base64 of hexadecimal text. Encode the 32 bytes themselves, or send the hexadecimal digits.',
    tr: 'İmza, onaltılık metnin base64 hâli. 32 baytın kendisini kodlayın veya onaltılık basamakları gönderin.',
  },
  STRICT_HEADERS_WITHOUT_V2: {
    en: 'X-Timestamp or X-Nonce is present, but the signature does not begin with v2=: it was read as a plain one.',
    tr: 'X-Timestamp veya X-Nonce var, ancak imza v2= ile başlamıyor: düz imza olarak okundu.',
  },
  STRICT_NAMES_THIS_ADDRESS: {
    en: 'A strict signature covers method and path, here those of this check: a signature made for another endpoint does not match.',
    tr: 'Katı imza yöntemi ve yolu da kapsar, burada bu denetiminkini: başka bir uç nokta için üretilen imza uymaz.',
  },
  ENCODING_COUNTS: {
    en: 'The text has / or %: a character and its percent-encoding (also %2F and %2f) mean the same but are different bytes. Sign exactly the text that is sent.',
    tr: 'Metinde / veya % var: bir karakter ile yüzde kodlaması (%2F ve %2f de) aynı anlama gelir ama farklı baytlardır. Gönderilen metnin kendisini imzalayın.',
  },
  SPACE_ENCODING: {
    en: 'The text has + or %20, two ways to write a space: many libraries sign one and send the other.',
    tr: 'Metinde + veya %20 var; ikisi de boşluk demektir: birçok kitaplık birini imzalayıp diğerini gönderir.',
  },
  QUERY_RE_ENCODED: {
    en: 'The query string has percent-encoded quotes, angle brackets, spaces or characters outside ASCII. If they were sent raw, they were encoded on the way: encode them before signing.',
    tr: 'Sorgu dizesinde yüzde kodlu tırnak, açılı ayraç, boşluk veya ASCII dışı karakter var. Ham gönderildilerse yolda kodlandılar: imzalamadan önce kodlayın.',
  },
  QUESTION_MARK: {
    en: 'The query string itself begins with ?. The ? before it is not signed, this one is.',
    tr: 'Sorgu dizesinin kendisi ? ile başlıyor. Önündeki ? imzalanmaz, bu imzalanır.',
  },
  CUT_IN_TWO: {
    en: 'There are a query string and a body: the body follows the query string directly, and an & between them must be part of one of the two.',
    tr: 'Hem sorgu dizesi hem gövde var: gövde sorgu dizesini doğrudan izler ve aralarındaki & ikisinden birinde bulunmalıdır.',
  },
  BODY_OF_GET: {
    en: 'There is a body. It is signed with POST, PUT and DELETE only: sent with GET it is ignored.',
    tr: 'Bir gövde var. Gövde yalnızca POST, PUT ve DELETE ile imzalanır: GET ile gönderilirse yok sayılır.',
  },
  BODY_IS_JSON: {
    en: 'The body looks like JSON. Parameters are sent as a form: name=value&name=value.',
    tr: 'Gövde JSON gibi görünüyor. Parametreler form olarak gönderilir: ad=değer&ad=değer.',
  },
  BYTE_ORDER_MARK: {
    en: 'The body begins with a byte order mark, three bytes that are signed like every other.',
    tr: 'Gövde bir bayt sırası işaretiyle (BOM) başlıyor; bu üç bayt da diğerleri gibi imzalanır.',
  },
  LINE_END: {
    en: 'The body ends with a line end, which is signed like every other byte.',
    tr: 'Gövde bir satır sonuyla bitiyor; o da diğer baytlar gibi imzalanır.',
  },
  WHITE_SPACE: {
    en: 'The body has spaces, tabs or line ends, which are signed like every other byte.',
    tr: 'Gövdede boşluk, sekme veya satır sonu var; bunlar da diğer baytlar gibi imzalanır.',
  },
  SECRET_IS_TEXT: {
    en: 'The secret is used as the text that it is: not decoded from hexadecimal, without a line end. The key is the secret, the message is the text.',
    tr: 'Gizli anahtar olduğu gibi metin olarak kullanılır: onaltılıktan çözülmez, satır sonu içermez. HMAC anahtarı gizli anahtardır, mesaj ise metindir.',
  },
  TIMESTAMP_UNIT: {
    en: 'The timestamp does not have the 13 digits of milliseconds: it looks like another unit.',
    tr: 'timestamp, milisaniye cinsinden zamanın 13 basamağına sahip değil: başka bir birimde görünüyor.',
  },
} as const satisfies Record<string, Localised>

export type SignatureHint = keyof typeof SIGNATURE_HINTS
