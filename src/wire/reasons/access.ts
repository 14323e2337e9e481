/**
 * Why a request is not authorized: key, address, permission, signature, time window.
 */
import { invalid, type PublicReasonEntry, unavailable } from './entry.ts'

export const ACCESS_CATALOGUE = {
  MISSING_API_KEY: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'The header X-Apikey is required.',
      tr: 'X-Apikey başlığı zorunludur.',
      when: 'no `X-Apikey`, or an empty one',
      remedy: 'send it',
    },
    { status: 401 },
  ),
  INVALID_API_KEY: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'The API key is not valid for this request.',
      tr: 'API anahtarı bu istek için geçerli değil.',
      when: 'the key is unknown or disabled, used from a wrong address, or lacks the permission; only with a valid signature does the answer say which',
      remedy: 'check the key; sign the request to learn more',
    },
    { status: 401 },
  ),
  KEY_DISABLED: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'The API key is disabled.',
      tr: 'API anahtarı devre dışı bırakılmış.',
      when: 'the signature is valid, the key is disabled or revoked',
      remedy: 'ask the operator',
    },
    { status: 401 },
  ),
  KEY_EXPIRED: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'The API key has expired.',
      tr: 'API anahtarının süresi dolmuş.',
      when: "the signature is valid, the key's time is over",
      remedy: 'use a newer key',
    },
    { status: 401 },
  ),
  ACCOUNT_LOCKED: invalid(
    {
      ccxt: 'AccountSuspended',
      en: 'The account is locked or closed; please contact support.',
      tr: 'Hesap kilitli veya kapatılmış; lütfen destek ile iletişime geçin.',
      when: 'the signature is valid, the operator has locked the account out or closed it',
      remedy: 'ask the operator',
    },
    { status: 401 },
  ),
  ADDRESS_NOT_ALLOWED: invalid(
    {
      ccxt: 'PermissionDenied',
      en: 'The API key cannot be used from the address {address}.',
      tr: 'API anahtarı {address} adresinden kullanılamaz.',
      when: "the signature is valid, your address is not on the key's list",
      remedy: 'use an address on the list, which the message compares with',
    },
    { status: 401 },
  ),
  PERMISSION_DENIED: invalid(
    {
      ccxt: 'PermissionDenied',
      en: 'The API key lacks the permission {permission}.',
      tr: 'API anahtarının {permission} izni yok.',
      when: 'the signature is valid, the key lacks the permission named',
      remedy: 'use another key',
    },
    { status: 401 },
  ),
  MISSING_SIGNATURE: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'The header X-Signature is required.',
      tr: 'X-Signature başlığı zorunludur.',
      when: 'a signed endpoint without `X-Signature`',
      remedy: 'sign',
    },
    { status: 401 },
  ),
  INVALID_SIGNATURE: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'The signature does not match. Signed is the query string followed by the body, byte for byte as sent; with v2= method, path, query string, X-Timestamp, X-Nonce and body, a line each. POST /api/v3/signature/check says what the server would have signed.',
      tr: 'İmza eşleşmiyor. İmzalanan veri, gönderildiği haliyle sorgu dizesi ve ardından gövdedir; v2= ile yöntem, yol, sorgu dizesi, X-Timestamp, X-Nonce ve gövde, her biri bir satır. Sunucunun neyi imzalayacağını POST /api/v3/signature/check gösterir.',
      when: 'the signature does not fit the bytes received',
      remedy:
        'compare with the [worked example](http.md#signature); look for re-encoding between signing and sending; [see what the server signed](extensions.md#signature-check)',
    },
    { status: 401 },
  ),
  INVALID_HEADER: invalid({
    ccxt: 'BadRequest',
    en: 'The header {name} must be {expected}.',
    tr: '{name} başlığı şöyle olmalıdır: {expected}.',
    when: 'a header of the [strict signature](http.md#strict-signature) is absent or malformed',
    remedy: 'send the header named, as the message says',
  }),
  STRICT_SIGNATURE_REQUIRED: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'This API key accepts strict signatures only: X-Signature: v2=..., with X-Timestamp and X-Nonce.',
      tr: 'Bu API anahtarı yalnızca katı imzayı kabul eder: X-Signature: v2=..., X-Timestamp ve X-Nonce ile.',
      when: 'the signature is valid, but a plain one, and the key demands [strict ones](http.md#strict-signature)',
      remedy: 'sign strictly',
    },
    { status: 401 },
  ),
  NONCE_REQUIRED: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'This API key accepts a login with a nonce only, which is signed behind the other parameters.',
      tr: 'Bu API anahtarı yalnızca nonce içeren girişi kabul eder; nonce diğer parametrelerin ardından imzalanır.',
      when: 'the signature of a [login](order-entry.md#login) is valid, but it has no `nonce`, and the key demands [strict signatures](http.md#strict-signature)',
      remedy: 'send and sign a `nonce`',
    },
    { status: 401, at: ['stream'] },
  ),
  SECRET_REPLACED: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'The secret of the API key has been replaced; log in with the new one.',
      tr: 'API anahtarının gizli anahtarı değiştirilmiş; yenisiyle giriş yapın.',
      when: 'the secret that signed the [login](order-entry.md#login) is not valid any more',
      remedy: 'log in with the new secret',
    },
    { status: 401, at: ['stream'] },
  ),
  SESSION_TAKEN_OVER: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'Another connection goes on with the session of this login.',
      tr: 'Bu girişin oturumunu başka bir bağlantı sürdürüyor.',
      when: 'another login of the key named the [session](order-entry.md#cancel-on-disconnect) of this one: its orders are that one’s now; where that login was refused in the end or its connection is gone, they end after its grace',
      remedy: 'log in again: with a session of its own, or, to keep the orders, with the same one',
    },
    { status: 401, at: ['stream'] },
  ),
  DEADLINE_OVER: invalid(
    {
      ccxt: 'OperationRejected',
      en: 'The deadline {deadlineMs} is over by the server’s time {serverTimeMs}.',
      tr: 'deadline ({deadlineMs}), sunucu zamanına ({serverTimeMs}) göre geçmiş.',
      when: 'the `deadline` of a request was over when it came, or when it had its turn',
      remedy: 'nothing was done: decide again, and send it with a later one',
    },
    { at: ['stream'] },
  ),
  LOGIN_REQUIRED: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'This connection is not logged in; log in first.',
      tr: 'Bu bağlantıda giriş yapılmamış; önce giriş yapın.',
      when: 'a request on a stream connection that is not [logged in](order-entry.md#login), or whose login has ended',
      remedy: 'log in, wait for the answer, then send the request again: it was not carried out',
    },
    { status: 401, at: ['stream'] },
  ),
  ALREADY_LOGGED_IN: invalid(
    {
      ccxt: 'BadRequest',
      en: 'This connection is logged in already; open another one for another login.',
      tr: 'Bu bağlantıda zaten giriş yapılmış; başka bir giriş için yeni bir bağlantı açın.',
      when: 'a second login on a connection, while the first one lives',
      remedy: 'use another connection',
    },
    { at: ['stream'] },
  ),
  TIMESTAMP_MISMATCH: invalid({
    ccxt: 'InvalidNonce',
    en: 'The header X-Timestamp and the parameter timestamp must be equal.',
    tr: 'X-Timestamp başlığı ile timestamp parametresi aynı olmalıdır.',
    when: '`X-Timestamp` of a strict signature is not the parameter `timestamp`, digit for digit',
    remedy: 'send the same in both',
  }),
  NONCE_REPEATED: invalid(
    {
      ccxt: 'InvalidNonce',
      en: 'The nonce has been used before: this request was received already, or its X-Nonce is not new.',
      tr: 'Nonce daha önce kullanılmış: bu istek daha önce alındı veya X-Nonce yeni değil.',
      when: 'a strict request of the key had this `X-Nonce`, and would still be acceptable',
      remedy: 'if you sent it before: it was received, look at what became of it; else make a new nonce',
    },
    { status: 401 },
  ),
  NONCES_FULL: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      en: 'Too many nonces of this API key are in use; the request was not carried out. Send more slowly, or with a shorter recvWindow.',
      tr: 'Bu API anahtarının çok fazla nonce değeri kullanımda; istek işleme alınmadı. Daha yavaş veya daha kısa recvWindow ile gönderin.',
      when: 'no room to remember another nonce of the account until the windows of earlier requests close',
      remedy: 'send more slowly, or with a shorter `recvWindow`',
    },
    { refuses: 'EVERYBODY' },
  ),
  NONCES_UNKNOWN: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      en: 'The service has just started and does not know which nonces were used before: sign with a timestamp later than {afterMs}, in {waitMs} ms.',
      tr: 'Servis yeni başladı ve daha önce hangi nonce değerlerinin kullanıldığını bilmiyor: {afterMs} değerinden sonraki bir timestamp ile, {waitMs} ms sonra imzalayın.',
      when: 'the node has just started and does not know which nonces were used before',
      remedy: 'wait as the message says, then sign with the new time',
    },
    { refuses: 'SOME' },
  ),
  TIMESTAMP_AHEAD: invalid(
    {
      ccxt: 'InvalidNonce',
      en: 'The timestamp is {skewMs} ms ahead of the server’s time {serverTimeMs}; at most 999 ms are accepted.',
      tr: 'timestamp, sunucu zamanından ({serverTimeMs}) {skewMs} ms ileride; en fazla 999 ms kabul edilir.',
      when: '`timestamp` is 1000 ms or more ahead of the server',
      remedy: 'set your clock; the message has the difference',
    },
    { status: 401 },
  ),
  TIMESTAMP_EXPIRED: invalid(
    {
      ccxt: 'InvalidNonce',
      en: 'The timestamp is {skewMs} ms behind the server’s time {serverTimeMs}; recvWindow allows {recvWindowMs} ms.',
      tr: 'timestamp, sunucu zamanının ({serverTimeMs}) {skewMs} ms gerisinde; recvWindow {recvWindowMs} ms süreye izin veriyor.',
      when: '`timestamp` is older than `recvWindow`',
      remedy: 'set your clock, look at the network, or raise `recvWindow`',
    },
    { status: 401 },
  ),
} as const satisfies Record<string, PublicReasonEntry>
