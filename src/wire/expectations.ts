/**
 * What a parameter should have been, in words: the `{expected}` of INVALID_PARAMETER.
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

export const POSITIVE_DECIMAL: Localised = {
  en: 'a decimal above zero such as 12.5, without sign, exponent, spaces or separators',
  tr: 'sıfırdan büyük, 12.5 gibi bir ondalık sayı (işaret, üs, boşluk ve ayırıcı olmadan)',
}

export function decimalNoLongerThan(charactersMax: number): Localised {
  return {
    en: `a decimal of at most ${charactersMax} characters`,
    tr: `en çok ${charactersMax} karakterlik bir ondalık sayı`,
  }
}

export const MILLISECONDS: Localised = {
  en: 'a whole number of milliseconds since 1970-01-01',
  tr: '1970-01-01 tarihinden bu yana geçen süre, tam sayı olarak milisaniye cinsinden',
}

export const ORDER_ID: Localised = { en: 'the id of an order (a UUID)', tr: 'bir emrin kimliği (UUID)' }

export const TRADE_ID: Localised = { en: 'the id of a trade (a UUID)', tr: 'bir işlemin kimliği (UUID)' }
