/**
 * The envelope of successful trading and wallet answers (interface 2.1), and the words for people in them.
 */
import type { Side } from '../units/order-words.ts'
import type { Language, Localised } from './language.ts'

const SUCCESS_CODE = '0000'

const SIDE_NAMES: { readonly [S in Side]: Localised } = {
  BUY: { en: 'Buy', tr: 'Alış' },
  SELL: { en: 'Sell', tr: 'Satış' },
}

/** A side as people say it. */
export function sideName(side: Side, language: Language): string {
  return SIDE_NAMES[side][language]
}

/** `{"status":true,"code":"0000","msg":[...],"data":...}`; without `data` when `dataJson` is undefined. */
export function successBody(message: Localised, language: Language, dataJson: string | undefined): string {
  const head = `{"status":true,"code":"${SUCCESS_CODE}","msg":[${JSON.stringify(message[language])}]`
  return dataJson === undefined ? `${head}}` : `${head},"data":${dataJson}}`
}
