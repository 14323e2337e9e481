/**
 * A field of a customer's request: its form and its description. This is data from which the server's check,
 * the type and the reference's table are derived.
 */

import type { Localised } from '../language.ts'

export type BodyForm =
  /** `expected`: the meaning of `pattern`, in words. */
  | { readonly is: 'text'; readonly pattern: RegExp; readonly expected: Localised }
  | { readonly is: 'word'; readonly words: readonly string[] }
  | { readonly is: 'whole'; readonly min: number; readonly max: number }
  /** `of`: the form of each value. */
  | { readonly is: 'list'; readonly of: BodyForm; readonly min: number; readonly max: number }
  /** An answer of a browser's WebAuthn, as JSON: its reader checks its content. */
  | { readonly is: 'credential' }
  /** The body of another request: that request's row checks its content. */
  | { readonly is: 'body' }

export type BodyField<Value = unknown> = {
  readonly form: BodyForm
  readonly help: string
  readonly isOptional?: true
  /** Never present: only carries the type. */
  readonly value?: Value
}

export type BodyFields = Readonly<Record<string, BodyField>>

type ValueOf<Of> = Of extends { readonly value?: infer Value } ? Exclude<Value, undefined> : never

/** The values of a body by name. */
export type BodyOf<Of extends BodyFields> = {
  readonly [Name in keyof Of as Of[Name] extends { readonly isOptional: true } ? never : Name]: ValueOf<
    Of[Name]
  >
} & {
  readonly [Name in keyof Of as Of[Name] extends { readonly isOptional: true } ? Name : never]?:
    | ValueOf<Of[Name]>
    | undefined
}

const text =
  (pattern: RegExp, expected: Localised) =>
  (help: string): BodyField<string> => ({ form: { is: 'text', pattern, expected }, help })

/** The longest address to which an email can be sent (RFC 5321, 4.5.3.1.3, without its brackets). */
const MAIL_MAX = 254

/** Deliberately simple: only an email shows whether the address exists. */
export const mail = text(
  new RegExp(
    `^(?=.{3,${MAIL_MAX}}$)[^\\s@<>"(),:;\\\\[\\]\\p{C}]{1,64}@[^\\s@<>"(),:;\\\\[\\]\\p{C}]+\\.[^\\s@<>"(),:;\\\\[\\]\\p{C}.]+$`,
    'u',
  ),
  {
    en: `an email address of at most ${MAIL_MAX} characters, for example jo@example.org`,
    tr: `en çok ${MAIL_MAX} karakterlik bir e-posta adresi, örneğin jo@example.org`,
  },
)
/** 32 random bytes in base64url. */
export const token = text(/^[A-Za-z0-9_-]{43}$/, {
  en: 'the 43-character token from the link',
  tr: 'bağlantıdaki 43 karakter',
})
/** 128 random bits in base64url. */
export const invitation = text(/^[A-Za-z0-9_-]{22}$/, {
  en: 'the 22-character code of an invitation',
  tr: 'bir davetin 22 karakteri',
})
export const SESSION_KEY_EXPECTED: Localised = {
  en: 'a public key in base64url: the 32 bytes of an Ed25519 key (43 characters), or the 65 bytes of a P-256 point (87 characters)',
  tr: 'base64url ile yazılmış bir açık anahtar: Ed25519 için 32 bayt (43 karakter) veya bir P-256 noktasının 65 baytı (87 karakter)',
}
/** An Ed25519 public key or, from a browser without Ed25519, an uncompressed point of P-256. */
export const sessionKey = text(/^(?:[A-Za-z0-9_-]{43}|B[A-Za-z0-9_-]{86})$/, SESSION_KEY_EXPECTED)
/** The id of a WebAuthn credential: at most 1,023 bytes in base64url (Web Authentication, 4). */
export const credentialId = text(/^[A-Za-z0-9_-]{1,1364}$/, {
  en: 'the id of a passkey, as returned by `me`',
  tr: 'me yanıtındaki bir geçiş anahtarının kimliği',
})
/** The form of a password, right or wrong: only the check of the password refuses a wrong one. */
export const password = text(/^[^\p{C}]{12,200}$/u, {
  en: 'a password of 12 to 200 characters',
  tr: '12 ile 200 karakter arasında bir parola',
})
/** A code of an authenticator app (RFC 6238). */
export const totpCode = text(/^\d{6}$/, {
  en: 'the six digits of the authenticator app',
  tr: 'doğrulama uygulamasındaki altı basamak',
})
/** 80 bits: 16 letters and digits, in any grouping and case. */
export const recoveryCode = text(/^[A-Za-z2-7](?:[ -]*[A-Za-z2-7]){15}$/, {
  en: 'a recovery code, 16 letters and digits',
  tr: 'bir kurtarma kodu, 16 harf ve rakam',
})
/** A person's own label: shown to that person only. */
export const label = text(/^[^\p{C}]{1,40}$/u, {
  en: 'a name of 1 to 40 characters',
  tr: '1 ile 40 karakter arasında bir ad',
})
/** The path of an endpoint under `/account/v1/`. */
export const operation = text(/^[a-z-]{1,20}(?:\/[a-z-]{1,20}){0,2}$/, {
  en: 'the path of an endpoint that needs a step-up, for example passkey/remove',
  tr: 'yeniden doğrulama gerektiren bir uç noktanın yolu, örneğin passkey/remove',
})
/** The name of a key: shown to its owner only. */
export const keyName = text(/^(?=\S)[^\p{C}\p{Zl}\p{Zp}]{1,40}(?<=\S)$/u, {
  en: 'a name of 1 to 40 characters, without spaces around it',
  tr: '1 ile 40 karakter arasında, başında ve sonunda boşluk olmayan bir ad',
})
export const ADDRESS_EXPECTED: Localised = {
  en: 'an address or a range, for example 192.0.2.7 or 10.0.0.0/8',
  tr: 'bir adres veya aralık, örneğin 192.0.2.7 ya da 10.0.0.0/8',
}
/** Only the form is checked: the exchange reads the address. */
export const networkAddress = text(/^[0-9a-fA-F.:]{2,45}(?:\/\d{1,3})?$/, ADDRESS_EXPECTED)
export const PUBLIC_KEY_EXPECTED: Localised = {
  en: 'an Ed25519 public key: PEM (BEGIN PUBLIC KEY), or its 32 bytes in base64 or hexadecimal',
  tr: 'bir Ed25519 açık anahtarı: PEM (BEGIN PUBLIC KEY) veya base64 ya da onaltılık yazılmış 32 baytı',
}
/** Only the form is checked: the exchange reads the key. A private key is not accepted. */
export const publicKey = text(
  /^(?:-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]{1,200}-----END PUBLIC KEY-----\s*|[A-Za-z0-9+/=]{43,64})$/,
  PUBLIC_KEY_EXPECTED,
)
/** In the form that programs send. */
export const apiKey = text(/^[0-9a-f]{64}$/, {
  en: 'an API key from the list of keys',
  tr: 'anahtar listesindeki bir API anahtarı',
})
/** The beginning of each email: a text without a link. */
export const phrase = text(/^(?=\S)(?!.*(?:\/\/|www\.))[^\p{C}\p{Zl}\p{Zp}]{1,60}(?<=\S)$/u, {
  en: 'a phrase of 1 to 60 characters, without a link and without spaces around it',
  tr: '1 ile 60 karakter arasında, bağlantı içermeyen, başında ve sonunda boşluk olmayan bir ifade',
})
/** Identifies a session in lists. */
export const sessionId = text(/^[0-9a-f]{16}$/, {
  en: 'the id of a session, 16 hexadecimal digits',
  tr: 'bir oturumun kimliği, 16 onaltılık basamak',
})

export const word = <const Word extends string>(words: readonly Word[], help: string): BodyField<Word> => ({
  form: { is: 'word', words },
  help,
})
export const whole = (min: number, max: number, help: string): BodyField<number> => ({
  form: { is: 'whole', min, max },
  help,
})
/** `help`: the description of the list. */
export const list = <Value>(
  of: BodyField<Value>,
  min: number,
  max: number,
  help: string,
): BodyField<readonly Value[]> => ({ form: { is: 'list', of: of.form, min, max }, help })
export const credential = (help: string): BodyField<Readonly<Record<string, unknown>>> => ({
  form: { is: 'credential' },
  help,
})
export const body = (help: string): BodyField<Readonly<Record<string, unknown>>> => ({
  form: { is: 'body' },
  help,
})
export const maybe = <Of extends BodyField>(field: Of): Of & { readonly isOptional: true } => ({
  ...field,
  isOptional: true,
})
