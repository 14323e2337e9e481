/**
 * Checks the parameters of a request against the row of its endpoint: no duplicates, no unknown ones, all
 * required ones present, and each of the right form. The endpoint checks the meaning of the values.
 */

import type { Parameters } from '../../common/parameters.ts'
import { refuse } from '../../common/refusal.ts'
import { missing, refused } from '../wire/refused.ts'
import { type WireError, wrongParameter } from '../wire/wire-error.ts'
import { type CheckedRow, parametersOf, type WireParameter, type WireRow } from './row.ts'

const SIGNATURE = 'signature'
const SYMBOL = /^[A-Z0-9-_.]{1,20}$/
/** The same form, as Binance's error text shows it. */
const SYMBOL_RANGE = '^[A-Z0-9-_.]{1,20}$'
const SYMBOLS = /^\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,})?\]$/
const SYMBOLS_RANGE = '^\\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}){0,1}\\]$'
const SYMBOLS_LENGTH_MAX = 8 * 1024
const WHOLE = /^[0-9]{1,20}$/
const WHOLE_RANGE = '^[0-9]{1,20}$'
const DECIMAL = /^([0-9]{1,20})(\.[0-9]{1,20})?$/
const DECIMAL_RANGE = '^([0-9]{1,20})(\\.[0-9]{1,20})?$'

/** `hasSignature`: a signature was sent, and is not among the parameters. */
export function parameterFault(
  row: CheckedRow,
  parameters: Parameters,
  hasSignature = false,
): WireError | undefined {
  if (parameters.firstRepeated() !== undefined)
    return refused(refuse('DUPLICATE_PARAMETER', { name: parameters.firstRepeated() ?? '' }))
  const taken = parametersOf(row)
  const foreign = foreignFault(taken, parameters, hasSignature && row.security === 'NONE')
  if (foreign !== undefined) return foreign
  for (const [name, parameter] of Object.entries(taken)) {
    const value = parameters.get(name)
    if (name === SIGNATURE && hasSignature) continue
    const fault = value === undefined ? absentFault(name, parameter) : valueFault(name, value, parameter)
    if (fault !== undefined) return fault
  }
  return undefined
}

function foreignFault(
  taken: WireRow['parameters'],
  parameters: Parameters,
  isSignatureForeign: boolean,
): WireError | undefined {
  const names = isSignatureForeign ? [...parameters.names(), SIGNATURE] : parameters.names()
  const foreign = names.find((name) => !Object.hasOwn(taken, name))
  if (foreign === undefined) return undefined
  const sent = names.length
  const read = names.filter((name) => Object.hasOwn(taken, name)).length
  const most = Object.keys(taken).length
  if (most === 0) {
    const msg = `Too many parameters; expected '0' and received '${sent}'.`
    return wrongParameter(foreign.slice(0, 64), -1101, msg, 'INVALID_PARAMETER')
  }
  const msg = `Not all sent parameters were read; read '${read}' parameter(s) but was sent '${sent}'.`
  return wrongParameter(foreign.slice(0, 64), -1104, msg, 'INVALID_PARAMETER')
}

function absentFault(name: string, { isRequired }: WireParameter): WireError | undefined {
  return isRequired ? wrongParameter(name, -1102, missing(name), 'MISSING_PARAMETER') : undefined
}

function valueFault(name: string, value: string, parameter: WireParameter): WireError | undefined {
  if (value === '') return wrongParameter(name, -1105, `Parameter '${name}' was empty.`, 'MISSING_PARAMETER')
  switch (parameter.form) {
    case 'SYMBOL':
      return SYMBOL.test(value) ? undefined : illegal(name, SYMBOL_RANGE)
    case 'SYMBOLS':
      return value.length <= SYMBOLS_LENGTH_MAX && SYMBOLS.test(value)
        ? undefined
        : illegal(name, SYMBOLS_RANGE)
    case 'DECIMAL':
      return DECIMAL.test(value) ? undefined : illegal(name, DECIMAL_RANGE)
    case 'WHOLE':
      if (!WHOLE.test(value)) return illegal(name, WHOLE_RANGE)
      return Number(value) >= parameter.min ? undefined : invalid(name)
    case 'WORD':
      if (parameter.words.includes(value)) return undefined
      return parameter.wrong === undefined
        ? invalid(name)
        : wrongParameter(name, parameter.wrong.code, parameter.wrong.msg, 'INVALID_PARAMETER')
    case 'TEXT':
      return undefined
  }
}

function illegal(name: string, range: string): WireError {
  const msg = `Illegal characters found in parameter '${name}'; legal range is '${range}'.`
  return wrongParameter(name, -1100, msg, 'INVALID_PARAMETER')
}

export function invalid(name: string): WireError {
  return wrongParameter(name, -1130, `Data sent for parameter '${name}' is not valid.`, 'INVALID_PARAMETER')
}
