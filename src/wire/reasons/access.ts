/**
 * Why a request is not let in: key, address, permission, signature, time window.
 */
import { invalid, type ReasonEntry } from './entry.ts'

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
      en: 'The signature does not match. Signed is the query string followed by the body, byte for byte as sent.',
      tr: 'İmza eşleşmiyor. İmzalanan veri, gönderildiği haliyle sorgu dizesi ve ardından gövdedir.',
      docs: 'X-Signature is not the HMAC-SHA256, in hex or base64, of the raw query string followed by the raw body.',
    },
    UNAUTHORIZED,
  ),
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
