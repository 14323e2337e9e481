/** Reads the body of a customer's request by the fields of its row; an error names the field. */
import type { BodyField, BodyFields } from '../../contract/customers/field.ts'
import { leftOut, listOfDifferent, oneOf, wholeNumber } from '../../contract/expectations.ts'
import type { Localised } from '../../contract/language.ts'
import { type JsonBounds, parseJson } from '../../units/bounded-json.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'

const BOUNDS: JsonBounds = { depthMax: 6, elementsMax: 32, membersMax: 32, valuesMax: 200 }

type Body = Readonly<Record<string, unknown>>

/** An empty body is an object without members. */
export function readBody(bytes: Uint8Array, fields: BodyFields): Body | AccountRefusal {
  const body = bytes.length === 0 ? {} : objectIn(bytes)
  if (body === undefined) return refused('INVALID_PARAMETER', { name: 'body', expected: JSON_OBJECT })
  return checkedBody(body, fields)
}

/** The body unchanged, or the error in it. */
export function checkedBody(body: Body, fields: BodyFields): Body | AccountRefusal {
  const foreign = Object.keys(body).find((name) => !Object.hasOwn(fields, name))
  if (foreign !== undefined)
    return refused('INVALID_PARAMETER', { name: foreign, expected: leftOut(Object.keys(fields)) })
  for (const [name, field] of Object.entries(fields)) {
    const value = body[name]
    if (value === undefined && field.isOptional) continue
    if (value === undefined) return refused('MISSING_PARAMETER', { name })
    const expected = fault(value, field)
    if (expected !== undefined) return refused('INVALID_PARAMETER', { name, expected })
  }
  return body
}

const JSON_OBJECT = { en: 'one object in JSON', tr: 'JSON biçiminde tek bir nesne' }

/** The expected value, for an error; undefined if the value is valid. */
function fault(value: unknown, { form }: Pick<BodyField, 'form'>): Localised | undefined {
  switch (form.is) {
    case 'text':
      return typeof value === 'string' && form.pattern.test(value) ? undefined : form.expected
    case 'word':
      return typeof value === 'string' && form.words.includes(value) ? undefined : oneOf(form.words)
    case 'whole': {
      const isIn = Number.isInteger(value) && Number(value) >= form.min && Number(value) <= form.max
      return isIn ? undefined : wholeNumber(form.min, form.max)
    }
    case 'list': {
      const isList = Array.isArray(value) && value.length >= form.min && value.length <= form.max
      if (!isList || new Set(value).size < value.length) return listOfDifferent(form.min, form.max)
      for (const each of value) {
        const expected = fault(each, { form: form.of })
        if (expected !== undefined) return expected
      }
      return undefined
    }
    case 'body':
    case 'credential':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : JSON_OBJECT
  }
}

function objectIn(bytes: Uint8Array): Body | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = parseJson(text, BOUNDS)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
