/**
 * The envelope of successful trading and wallet answers (docs/reference/http.md#answers), and its texts for
 * people.
 */

import { type JsonPart, jsonPart } from '../units/json-writer.ts'
import type { Side } from '../units/order-enums.ts'
import { component, constant, either, listOf, object, type Shape, text } from '../units/shapes/shape.ts'
import type { Language, Localised } from './language.ts'

const SUCCESS_CODE = '0000'

const SIDE_NAMES: { readonly [S in Side]: Localised } = {
  BUY: { en: 'Buy', tr: 'Alış' },
  SELL: { en: 'Sell', tr: 'Satış' },
}

/** Texts for people in every answer. */
export const MESSAGES = listOf(
  text(),
  'Text for people, in the language of Accept-Language; it may change, do not compare it.',
  { min: 1 },
)

const SUCCESS = { status: constant(true), code: constant(SUCCESS_CODE), msg: MESSAGES }

/** A success without data. */
export const DONE = component('Done', 'The request was carried out.', SUCCESS)

/** A success with its data. */
export const successOf = <Data>(data: Shape<Data>) => object({ ...SUCCESS, data })

/** A success with an object for one symbol, an array for all. */
export const ofOneOrAll = (row: Shape) => successOf(either(row, listOf(row)))

/** The part of a success before its data, in every language. */
export type SuccessHeads = { readonly [L in Language]: string }

/** `{"status":true,"code":"0000","msg":[...]`, created once for all answers with this message. */
export function successHeads(message: Localised): SuccessHeads {
  const head = (text: string) => `{"status":true,"code":"${SUCCESS_CODE}","msg":[${JSON.stringify(text)}]`
  return { en: head(message.en), tr: head(message.tr) }
}

/** The name of a side for people. */
export function sideName(side: Side, language: Language): string {
  return SIDE_NAMES[side][language]
}

/** The envelope around `data`; without it when `dataJson` is undefined. */
export function successBody(heads: SuccessHeads, language: Language, dataJson: string | undefined): string {
  const head = heads[language]
  return dataJson === undefined ? `${head}}` : `${head},"data":${dataJson}}`
}

/** A constant part of an answer in every language. */
export type LocalisedPart = { readonly [L in Language]: JsonPart }

/**
 * The text before the data of a success, encoded once for all answers written as bytes; `}` follows the data.
 */
export function successPart(heads: SuccessHeads): LocalisedPart {
  return { en: jsonPart(`${heads.en},"data":`), tr: jsonPart(`${heads.tr},"data":`) }
}

/** The text before the rows of a list that is the envelope's data; `SUCCESS_LIST_END` follows them. */
export function successListHead(heads: SuccessHeads, language: Language): string {
  return `${heads[language]},"data":[`
}

export const SUCCESS_LIST_END = ']}'
