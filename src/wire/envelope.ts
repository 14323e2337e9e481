/**
 * The envelope of successful trading and wallet answers (docs/reference/http.md#answers), and the words for people in them.
 */
import { type JsonPart, jsonPart } from '../units/json-writer.ts'
import type { Side } from '../units/order-words.ts'
import type { Language, Localised } from './language.ts'

const SUCCESS_CODE = '0000'

const SIDE_NAMES: { readonly [S in Side]: Localised } = {
  BUY: { en: 'Buy', tr: 'Alış' },
  SELL: { en: 'Sell', tr: 'Satış' },
}

/** Everything of a success before its data, in every language. */
export type SuccessHeads = { readonly [L in Language]: string }

/** `{"status":true,"code":"0000","msg":[...]`, made once for all answers with this message. */
export function successHeads(message: Localised): SuccessHeads {
  const head = (text: string) => `{"status":true,"code":"${SUCCESS_CODE}","msg":[${JSON.stringify(text)}]`
  return { en: head(message.en), tr: head(message.tr) }
}

/** A side as people say it. */
export function sideName(side: Side, language: Language): string {
  return SIDE_NAMES[side][language]
}

/** The envelope around `data`; without it when `dataJson` is undefined. */
export function successBody(heads: SuccessHeads, language: Language, dataJson: string | undefined): string {
  const head = heads[language]
  return dataJson === undefined ? `${head}}` : `${head},"data":${dataJson}}`
}

/** The same part of an answer in every language. */
export type LocalisedPart = { readonly [L in Language]: JsonPart }

/** What stands before the data of a success, encoded once for all answers that are written as bytes; `}` stands behind it. */
export function successPart(heads: SuccessHeads): LocalisedPart {
  return { en: jsonPart(`${heads.en},"data":`), tr: jsonPart(`${heads.tr},"data":`) }
}

/** What stands before the rows of a list that is the envelope's data; `SUCCESS_LIST_END` stands behind them. */
export function successListHead(heads: SuccessHeads, language: Language): string {
  return `${heads[language]},"data":[`
}

export const SUCCESS_LIST_END = ']}'
