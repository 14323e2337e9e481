/**
 * Why a request is not authorized: key, address, permission, signature, time window.
 */
import { invalid, type ReasonEntry, unavailable } from './entry.ts'

const UNAUTHORIZED = 401

export const ACCESS_CATALOGUE = {
  MISSING_API_KEY: invalid(
    {
      en: 'The header X-Apikey is required.',
      tr: 'X-Apikey başlığı zorunludur.',
      docs: 'The endpoint needs an API key and none was sent.',
    },
    UNAUTHORIZED,
  ),
  INVALID_API_KEY: invalid(
    {
      en: 'The API key is not valid for this request.',
      tr: 'API anahtarı bu istek için geçerli değil.',
      docs: 'The key is unknown or disabled, the address is not on its list, or it lacks the permission. Which one is told only to a request with a valid signature.',
    },
    UNAUTHORIZED,
  ),
  KEY_DISABLED: invalid(
    {
      en: 'The API key is disabled.',
      tr: 'API anahtarı devre dışı bırakılmış.',
      docs: 'The signature is valid, the key has been disabled.',
    },
    UNAUTHORIZED,
  ),
  KEY_EXPIRED: invalid(
    {
      en: 'The API key has expired.',
      tr: 'API anahtarının süresi dolmuş.',
      docs: 'The signature is valid, the key’s time is over.',
    },
    UNAUTHORIZED,
  ),
  ACCOUNT_LOCKED: invalid(
    {
      en: 'The account is locked or closed; please contact support.',
      tr: 'Hesap kilitli veya kapatılmış; lütfen destek ile iletişime geçin.',
      docs: 'The signature is valid, the operator has locked the account out or closed it.',
    },
    UNAUTHORIZED,
  ),
  ADDRESS_NOT_ALLOWED: invalid(
    {
      en: 'The API key cannot be used from the address {address}.',
      tr: 'API anahtarı {address} adresinden kullanılamaz.',
      docs: 'The signature is valid, the client’s address is not on the key’s list.',
    },
    UNAUTHORIZED,
  ),
  PERMISSION_DENIED: invalid(
    {
      en: 'The API key lacks the permission {permission}.',
      tr: 'API anahtarının {permission} izni yok.',
      docs: 'The signature is valid, the key is not allowed the endpoint’s security type.',
    },
    UNAUTHORIZED,
  ),
  MISSING_SIGNATURE: invalid(
    {
      en: 'The header X-Signature is required.',
      tr: 'X-Signature başlığı zorunludur.',
      docs: 'The endpoint is signed and no signature was sent.',
    },
    UNAUTHORIZED,
  ),
  INVALID_SIGNATURE: invalid(
    {
      en: 'The signature does not match. Signed is the query string followed by the body, byte for byte as sent; with v2= method, path, query string, X-Timestamp, X-Nonce and body, a line each.',
      tr: 'İmza eşleşmiyor. İmzalanan veri, gönderildiği haliyle sorgu dizesi ve ardından gövdedir; v2= ile yöntem, yol, sorgu dizesi, X-Timestamp, X-Nonce ve gövde, her biri bir satır.',
      docs: 'X-Signature is not the HMAC-SHA256, in hex or base64, of the raw query string followed by the raw body; or, after v2=, not that of the lines of the strict signature, in hex.',
    },
    UNAUTHORIZED,
  ),
  INVALID_HEADER: invalid({
    en: 'The header {name} must be {expected}.',
    tr: '{name} başlığı şöyle olmalıdır: {expected}.',
    docs: 'A header of the strict signature is absent or malformed.',
  }),
  STRICT_SIGNATURE_REQUIRED: invalid(
    {
      en: 'This API key accepts strict signatures only: X-Signature: v2=..., with X-Timestamp and X-Nonce.',
      tr: 'Bu API anahtarı yalnızca katı imzayı kabul eder: X-Signature: v2=..., X-Timestamp ve X-Nonce ile.',
      docs: 'The signature is valid, but a plain one, and the key demands strict ones.',
    },
    UNAUTHORIZED,
  ),
  TIMESTAMP_MISMATCH: invalid({
    en: 'The header X-Timestamp and the parameter timestamp must be equal.',
    tr: 'X-Timestamp başlığı ile timestamp parametresi aynı olmalıdır.',
    docs: 'The strict signature names another time than the parameters.',
  }),
  NONCE_REPEATED: invalid(
    {
      en: 'The nonce has been used before: this request was received already, or its X-Nonce is not new.',
      tr: 'Nonce daha önce kullanılmış: bu istek daha önce alındı veya X-Nonce yeni değil.',
      docs: 'A strictly signed request of the key had the same nonce, and its time window is still open.',
    },
    UNAUTHORIZED,
  ),
  NONCES_FULL: unavailable({
    en: 'Too many nonces of this API key are in use; the request was not carried out. Send more slowly, or with a shorter recvWindow.',
    tr: 'Bu API anahtarının çok fazla nonce değeri kullanımda; istek işleme alınmadı. Daha yavaş veya daha kısa recvWindow ile gönderin.',
    docs: 'There is no room to remember another nonce of the key until the windows of earlier requests close.',
  }),
  NONCES_UNKNOWN: unavailable({
    en: 'The service has just started and does not know which nonces were used before: sign with a timestamp later than {afterMs}, in {waitMs} ms.',
    tr: 'Servis yeni başladı ve daha önce hangi nonce değerlerinin kullanıldığını bilmiyor: {afterMs} değerinden sonraki bir timestamp ile, {waitMs} ms sonra imzalayın.',
    docs: 'A strictly signed request has a timestamp up to one second after the start of the service. The request was not carried out.',
  }),
  TIMESTAMP_AHEAD: invalid(
    {
      en: 'The timestamp is {skewMs} ms ahead of the server’s time {serverTimeMs}; at most 999 ms are accepted.',
      tr: 'timestamp, sunucu zamanından ({serverTimeMs}) {skewMs} ms ileride; en fazla 999 ms kabul edilir.',
      docs: 'The client’s clock is a second or more ahead of the server’s.',
    },
    UNAUTHORIZED,
  ),
  TIMESTAMP_EXPIRED: invalid(
    {
      en: 'The timestamp is {skewMs} ms behind the server’s time {serverTimeMs}; recvWindow allows {recvWindowMs} ms.',
      tr: 'timestamp, sunucu zamanının ({serverTimeMs}) {skewMs} ms gerisinde; recvWindow {recvWindowMs} ms süreye izin veriyor.',
      docs: 'The request is older than recvWindow (default 5000 ms, at most 60000 ms).',
    },
    UNAUTHORIZED,
  ),
} as const satisfies Record<string, ReasonEntry>
