/**
 * The expected value of a parameter or a header, in words: the `{expected}` of INVALID_PARAMETER and
 * INVALID_HEADER.
 */
import type { Localised } from './language.ts'

export function wholeNumber(min: number, max: number): Localised {
  return {
    en: `a whole number from ${min} to ${max}`,
    tr: `${min} ile ${max} arasında bir tam sayı`,
  }
}

export function oneOf(values: readonly string[]): Localised {
  const list = values.join(', ')
  return { en: `one of ${list}`, tr: `şunlardan biri: ${list}` }
}

/** Names of parameters, one of which is required: the `{name}` of MISSING_PARAMETER. */
export function either(...names: readonly string[]): Localised {
  return { en: names.join(' or '), tr: names.join(' veya ') }
}

export const POSITIVE_DECIMAL: Localised = {
  en: 'a decimal above zero such as 12.5, without sign, exponent, spaces or separators',
  tr: 'sıfırdan büyük, 12.5 gibi bir ondalık sayı (işaret, üs, boşluk ve ayırıcı olmadan)',
}

/** The id of a request, unique on its connection. */
export function requestIdForm(charactersMax: number): Localised {
  return {
    en: `a text of 1 to ${charactersMax} characters, or a whole number`,
    tr: `1-${charactersMax} karakterlik bir metin veya bir tam sayı`,
  }
}

/** A parameter in a JSON object. */
export const EXACT_NUMBER: Localised = {
  en: 'a text, or a number of at most 15 digits without an exponent; send others as text',
  tr: 'bir metin veya en çok 15 basamaklı, üssü olmayan bir sayı; diğerlerini metin olarak gönderin',
}

export function listOfDifferent(min: number, max: number): Localised {
  return {
    en: `a JSON list of ${min} to ${max} different values`,
    tr: `${min} ile ${max} arasında farklı değer içeren bir JSON listesi`,
  }
}

/** Operations of a batch. */
export function listOf(max: number): Localised {
  return {
    en: `a JSON list of 1 to ${max} operations`,
    tr: `1 ile ${max} arasında işlem içeren bir JSON listesi`,
  }
}

export function objectWith(name: string): Localised {
  return { en: `a JSON object with ${name}`, tr: `${name} içeren bir JSON nesnesi` }
}

export function decimalNoLongerThan(charactersMax: number): Localised {
  return {
    en: `a decimal of at most ${charactersMax} characters`,
    tr: `en çok ${charactersMax} karakterlik bir ondalık sayı`,
  }
}

export function noLaterThan(milliseconds: number): Localised {
  return {
    en: `a time no later than ${milliseconds}, an hour from now`,
    tr: `en geç ${milliseconds}, yani şu andan bir saat sonrası`,
  }
}

export const MILLISECONDS: Localised = {
  en: 'a whole number of milliseconds since 1970-01-01',
  tr: '1970-01-01 tarihinden bu yana geçen süre, tam sayı olarak milisaniye cinsinden',
}

/** The expected values of the headers X-Timestamp and X-Nonce: the `{expected}` of INVALID_HEADER. */
export const SIGNED_TIMESTAMP_FORM: Localised = {
  en: 'the value of the parameter timestamp, 1 to 16 digits',
  tr: 'timestamp parametresinin aynısı, 1-16 basamak',
}

export const NONCE_FORM: Localised = {
  en: '16 to 64 characters of A-Z, a-z, 0-9, _ and -, new for every request',
  tr: 'A-Z, a-z, 0-9, _ ve - karakterlerinden 16-64 tane, her istekte yeni',
}

export const ORDER_ID: Localised = { en: 'the id of an order (a UUID)', tr: 'bir emrin kimliği (UUID)' }

export const LIST_ID: Localised = {
  en: 'the id of an order list (a UUID)',
  tr: 'bir emir listesinin kimliği (UUID)',
}

export const INSTEAD_OF_LIST_ID: Localised = {
  en: 'sent instead of the id of the list, not with it',
  tr: 'liste kimliğiyle birlikte değil, onun yerine gönderilmesi',
}

export const ANOTHER_ID: Localised = {
  en: 'different from the ids before it: each order of a list, and the list itself, has an id of its own',
  tr: 'önceki kimliklerden farklı bir kimlik: listedeki her emrin ve listenin kendi kimliği vardır',
}

/** The expected `pendingSide` of an order that spends the working order's proceeds. */
export const OTHER_SIDE: Localised = {
  en: 'the opposite of workingSide, unless pendingQuantity states the quantity of a SELL or of an order with a limit price',
  tr: 'workingSide yönünün tersi; pendingQuantity bir SELL veya limitli emrin miktarını belirtiyorsa herhangi bir yön',
}

export const CLIENT_ORDER_ID: Localised = {
  en: '1 to 36 characters of A-Z, a-z, 0-9, ., _, :, / and -',
  tr: 'A-Z, a-z, 0-9, ., _, :, / ve - karakterlerinden 1-36 tane',
}

export const INSTEAD_OF_ID: Localised = {
  en: 'sent instead of id, not with it',
  tr: 'id ile birlikte değil, onun yerine gönderilmesi',
}

export const WITH_SCOPE: Localised = {
  en: 'sent only with scope SYMBOL',
  tr: 'yalnızca SYMBOL kapsamıyla gönderilmesi',
}

export const SESSION_ID: Localised = {
  en: 'the id of a session (a UUID)',
  tr: 'bir oturumun kimliği (UUID)',
}
export const TRADE_ID: Localised = { en: 'the id of a trade (a UUID)', tr: 'bir işlemin kimliği (UUID)' }

export const LEDGER_ID: Localised = {
  en: 'the id of an entry, such as 184-12-2',
  tr: '184-12-2 gibi bir hareket kimliği',
}

export const WITHDRAWAL_ID: Localised = {
  en: 'the id of a withdrawal (a UUID)',
  tr: 'bir çekimin kimliği (UUID)',
}

/** An address, or its tag. */
export function visibleText(min: number, max: number): Localised {
  return {
    en: `${min} to ${max} visible ASCII characters, without spaces`,
    tr: `boşluk içermeyen ${min}-${max} görünür ASCII karakter`,
  }
}

export function labelForm(max: number): Localised {
  return {
    en: `a text of at most ${max} characters, without control or format characters`,
    tr: `denetim ve biçim karakteri içermeyen, en çok ${max} karakterlik bir metin`,
  }
}

export const SYMBOL_NAME: Localised = {
  en: 'the name of a symbol, such as BTC/USDT',
  tr: 'BTC/USDT gibi bir sembol adı',
}

/** For a parameter that is not among the accepted `names`. */
export function leftOut(names: readonly string[]): Localised {
  const list = names.join(', ')
  return {
    en: `left out; here the parameters are ${list}`,
    tr: `gönderilmemesi; buradaki parametreler: ${list}`,
  }
}
