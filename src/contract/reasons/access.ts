/** Reasons why a request is not authorized: key, address, permission, signature, time window. */
import { invalid, type PublicReasonEntry, unavailable } from './entry.ts'

export const ACCESS_CATALOGUE = {
  MISSING_API_KEY: invalid(
    {
      ccxt: 'AuthenticationError',
      requests: ['KEY'],
      en: 'The header X-Apikey is required.',
      tr: 'X-Apikey başlığı zorunludur.',
      when: '`X-Apikey` is missing or empty',
      remedy: 'send the header',
    },
    { status: 401 },
  ),
  INVALID_API_KEY: invalid(
    {
      ccxt: 'AuthenticationError',
      requests: ['KEY'],
      en: 'The API key is not valid for this request.',
      tr: 'API anahtarı bu istek için geçerli değil.',
      when: 'the key is unknown or disabled, is used from an address that is not allowed, or lacks the permission; the answer states which only if the signature is valid',
      remedy: 'check the key; sign the request to learn more',
    },
    { status: 401 },
  ),
  KEY_DISABLED: invalid(
    {
      ccxt: 'AuthenticationError',
      requests: ['KEY'],
      en: 'The API key is disabled.',
      tr: 'API anahtarı devre dışı bırakılmış.',
      when: 'the signature is valid, but the key is disabled or revoked',
      remedy: 'contact the operator',
    },
    { status: 401 },
  ),
  KEY_EXPIRED: invalid(
    {
      ccxt: 'AuthenticationError',
      requests: ['KEY'],
      en: 'The API key has expired.',
      tr: 'API anahtarının süresi dolmuş.',
      when: 'the signature is valid, but the key has expired',
      remedy: 'use a newer key',
    },
    { status: 401 },
  ),
  ACCOUNT_LOCKED: invalid(
    {
      ccxt: 'AccountSuspended',
      requests: ['KEY'],
      en: 'The account is locked or closed; please contact support.',
      tr: 'Hesap kilitli veya kapatılmış; lütfen destek ile iletişime geçin.',
      when: 'the signature is valid, but the operator has locked or closed the account',
      remedy: 'contact the operator',
    },
    { status: 401 },
  ),
  ADDRESS_NOT_ALLOWED: invalid(
    {
      ccxt: 'PermissionDenied',
      requests: ['KEY'],
      en: 'The API key cannot be used from the address {address}.',
      tr: 'API anahtarı {address} adresinden kullanılamaz.',
      when: "the signature is valid, but your address is not on the key's list",
      remedy: 'use an address on the list; the message shows the address that was checked',
    },
    { status: 401 },
  ),
  PERMISSION_DENIED: invalid(
    {
      ccxt: 'PermissionDenied',
      requests: ['KEY'],
      en: 'The API key lacks the permission {permission}.',
      tr: 'API anahtarının {permission} izni yok.',
      when: 'the signature is valid, but the key lacks the permission',
      remedy: 'use another key',
    },
    { status: 401 },
  ),
  MISSING_SIGNATURE: invalid(
    {
      ccxt: 'AuthenticationError',
      requests: ['SIGNATURE'],
      en: 'The header X-Signature is required.',
      tr: 'X-Signature başlığı zorunludur.',
      when: '`X-Signature` is missing on a signed endpoint',
      remedy: 'sign the request',
    },
    { status: 401 },
  ),
  INVALID_SIGNATURE: invalid(
    {
      ccxt: 'AuthenticationError',
      requests: ['SIGNATURE'],
      en: 'The signature does not match. Sign the query string followed by the body, byte for byte as sent; with v2=, sign method, path, query string, X-Timestamp, X-Nonce and body, one per line. POST /api/v3/signature/check shows the text that the server would have signed.',
      tr: 'İmza eşleşmiyor. Sorgu dizesini ve ardından gövdeyi, gönderildikleri hâliyle bayt bayt imzalayın; v2= ile yöntemi, yolu, sorgu dizesini, X-Timestamp, X-Nonce değerlerini ve gövdeyi her biri bir satırda olacak şekilde imzalayın. Sunucunun imzalayacağı metni POST /api/v3/signature/check gösterir.',
      when: 'the signature does not match the bytes received',
      remedy:
        'compare with the [worked example](authentication.md#signature); check for re-encoding between signing and sending; [see what the server signed](extensions.md#signature-check)',
    },
    { status: 401 },
  ),
  SESSION_KEYS_UNKNOWN: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      requests: ['KEY'],
      en: 'The open sessions are not known yet; please try again.',
      tr: 'Hangi oturumların açık olduğu henüz bilinmiyor; lütfen yeniden deneyin.',
      when: 'after a start, until the [customers](../customers.md) process has announced the [session keys](account.md#session-keys): the key may be one of them',
      remedy: 'try again in a second',
    },
    { at: ['http', 'stream'], refuses: 'SOME' },
  ),
  INVALID_HEADER: invalid({
    ccxt: 'BadRequest',
    requests: ['SIGNATURE'],
    en: 'The header {name} must be {expected}.',
    tr: '{name} başlığı şöyle olmalıdır: {expected}.',
    when: 'a header of the [strict signature](authentication.md#strict-signature) is missing or malformed',
    remedy: 'send the header as the message says',
  }),
  STRICT_SIGNATURE_REQUIRED: invalid(
    {
      ccxt: 'AuthenticationError',
      requests: ['SIGNATURE'],
      en: 'This API key accepts only strict signatures: X-Signature: v2=..., with X-Timestamp and X-Nonce.',
      tr: 'Bu API anahtarı yalnızca katı imzayı kabul eder: X-Signature: v2=..., X-Timestamp ve X-Nonce ile.',
      when: 'the signature is valid but plain, and the key requires [strict ones](authentication.md#strict-signature)',
      remedy: 'use a strict signature',
    },
    { status: 401 },
  ),
  NONCE_REQUIRED: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'This API key requires a nonce in the login, signed after the other parameters.',
      tr: 'Bu API anahtarı girişte, diğer parametrelerden sonra imzalanan bir nonce gerektirir.',
      when: 'the signature of a [login](order-entry.md#login) is valid, but the login has no `nonce` and the key requires [strict signatures](authentication.md#strict-signature)',
      remedy: 'send and sign a `nonce`',
    },
    { status: 401, at: ['stream'] },
  ),
  SECRET_REPLACED: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'The secret of the API key has been replaced; log in with the new one.',
      tr: 'API anahtarının gizli anahtarı değiştirilmiş; yenisiyle giriş yapın.',
      when: 'the secret that signed the [login](order-entry.md#login) is no longer valid',
      remedy: 'log in with the new secret',
    },
    { status: 401, at: ['stream'] },
  ),
  SESSION_TAKEN_OVER: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'Another connection has taken over the session of this login.',
      tr: 'Bu girişin oturumunu başka bir bağlantı devraldı.',
      when: 'another login with the same key named the [session](order-entry.md#cancel-on-disconnect) of this login, whose orders now belong to it; if the other login was then refused or has lost its connection, the orders end after its grace time',
      remedy: 'log in again: with a new session, or with the same one to keep the orders',
    },
    { status: 401, at: ['stream'] },
  ),
  DEADLINE_OVER: invalid(
    {
      ccxt: 'OperationRejected',
      en: 'The deadline {deadlineMs} has passed: the server’s time is {serverTimeMs}.',
      tr: 'deadline ({deadlineMs}) geçmiş: sunucu zamanı {serverTimeMs}.',
      when: 'the `deadline` of a request had passed when it arrived, or before it was processed',
      remedy: 'nothing was done: decide again, and send the request with a later deadline',
    },
    { at: ['stream'] },
  ),
  LOGIN_REQUIRED: invalid(
    {
      ccxt: 'AuthenticationError',
      en: 'This connection is not logged in; log in first.',
      tr: 'Bu bağlantıda giriş yapılmamış; önce giriş yapın.',
      when: 'a request came over a stream connection that is not [logged in](order-entry.md#login), or whose login has ended',
      remedy: 'log in, wait for the answer, and send the request again: it was not carried out',
    },
    { status: 401, at: ['stream'] },
  ),
  ALREADY_LOGGED_IN: invalid(
    {
      ccxt: 'BadRequest',
      en: 'This connection is already logged in; open another connection for another login.',
      tr: 'Bu bağlantıda zaten giriş yapılmış; başka bir giriş için yeni bir bağlantı açın.',
      when: 'a second login was sent on a connection while the first one is valid',
      remedy: 'use another connection',
    },
    { at: ['stream'] },
  ),
  TIMESTAMP_MISMATCH: invalid({
    ccxt: 'InvalidNonce',
    requests: ['SIGNATURE'],
    en: 'The header X-Timestamp and the parameter timestamp must be equal.',
    tr: 'X-Timestamp başlığı ile timestamp parametresi aynı olmalıdır.',
    when: '`X-Timestamp` of a strict signature differs from the parameter `timestamp`',
    remedy: 'send the same value in both',
  }),
  NONCE_REPEATED: invalid(
    {
      ccxt: 'InvalidNonce',
      requests: ['SIGNATURE'],
      en: 'The nonce has been used before: this request was received already, or its X-Nonce is not new.',
      tr: 'Nonce daha önce kullanılmış: bu istek daha önce alındı veya X-Nonce yeni değil.',
      when: 'an earlier strict request of the key had this `X-Nonce` and is still within its time window',
      remedy:
        'if you sent the request before, it was received: check its outcome; otherwise create a new nonce',
    },
    { status: 401 },
  ),
  NONCES_FULL: unavailable(
    {
      ccxt: 'RateLimitExceeded',
      requests: ['SIGNATURE'],
      en: 'Too many nonces of this API key are in use; the request was not carried out. Send more slowly, or with a shorter recvWindow.',
      tr: 'Bu API anahtarının çok fazla nonce değeri kullanımda; istek işleme alınmadı. Daha yavaş veya daha kısa recvWindow ile gönderin.',
      when: 'no more nonces of the account can be stored until the time windows of earlier requests end',
      remedy: 'send more slowly, or with a shorter `recvWindow`',
    },
    { refuses: 'EVERYBODY' },
  ),
  NONCES_UNKNOWN: unavailable(
    {
      ccxt: 'ExchangeNotAvailable',
      requests: ['SIGNATURE'],
      en: 'The service has just started, and it is not known which nonces were used before: wait {waitMs} ms, then sign with a timestamp later than {afterMs}.',
      tr: 'Servis yeni başladı ve daha önce hangi nonce değerlerinin kullanıldığı bilinmiyor: {waitMs} ms bekleyin, ardından {afterMs} değerinden büyük bir timestamp ile imzalayın.',
      when: 'the node has just started, and it is not known which nonces were used before',
      remedy: 'wait as long as the message says, then sign with the new time',
    },
    { refuses: 'SOME' },
  ),
  TIMESTAMP_AHEAD: invalid(
    {
      ccxt: 'InvalidNonce',
      requests: ['SIGNATURE'],
      en: 'The timestamp is {skewMs} ms ahead of the server’s time {serverTimeMs}; at most 999 ms are accepted.',
      tr: 'timestamp, sunucu zamanından ({serverTimeMs}) {skewMs} ms ileride; en fazla 999 ms kabul edilir.',
      when: "`timestamp` is 1000 ms or more ahead of the server's time",
      remedy: 'set your clock; the message has the difference',
    },
    { status: 401 },
  ),
  TIMESTAMP_EXPIRED: invalid(
    {
      ccxt: 'InvalidNonce',
      requests: ['SIGNATURE'],
      en: 'The timestamp is {skewMs} ms behind the server’s time {serverTimeMs}; recvWindow allows {recvWindowMs} ms.',
      tr: 'timestamp, sunucu zamanının ({serverTimeMs}) {skewMs} ms gerisinde; recvWindow {recvWindowMs} ms süreye izin veriyor.',
      when: '`timestamp` is older than `recvWindow`',
      remedy: 'set your clock, check the network, or use a larger `recvWindow`',
    },
    { status: 401 },
  ),
} as const satisfies Record<string, PublicReasonEntry>
