/** One request of this wire while its endpoint carries it out. The request has passed all checks. */
import type { TradingSymbol } from '../../core/registry/records.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { CallLimits } from '../access/limits/call-limits.ts'
import type { LimitsConfig } from '../access/limits/limits-config.ts'
import type { OrderCount } from '../access/limits/order-limits.ts'
import { Parameters } from '../common/parameters.ts'
import { Refusal } from '../common/refusal.ts'
import { HttpCall, type HttpCallOptions } from '../http/http-call.ts'
import type { RequestContext } from '../http/request-context.ts'
import { untaken } from '../trading/fields.ts'
import { listAnswer } from '../trading/list-answer.ts'
import { LongAnswer } from '../trading/long-answer.ts'
import type { Operation } from '../trading/operation.ts'
import type { JoinedSymbols } from './market/joined-symbols.ts'
import { type WireError, wrongParameter } from './wire/wire-error.ts'

/** The body of a success, or an error. */
export type WireAnswer = string | Blob | LongAnswer | Refusal | WireError

export type Handler = (call: WireCall) => WireAnswer | Promise<WireAnswer>

export type WireCallOptions = {
  readonly base: Omit<HttpCallOptions, 'parameters'>
  readonly context: RequestContext
  readonly limits: CallLimits
  /** The parameters as sent, by the names of this wire. */
  readonly parameters: Parameters
  readonly symbols: JoinedSymbols
  readonly config: LimitsConfig
}

export class WireCall {
  readonly parameters: Parameters
  readonly symbols: JoinedSymbols
  readonly limits: LimitsConfig
  /** The call without its parameters: services, account and limits. */
  readonly call: HttpCall
  /** Counts of the placed orders, for the answer's headers. */
  orderCounts: readonly OrderCount[] = []
  /** Whether the order had been placed before. */
  isRepeat = false
  readonly #options: WireCallOptions

  constructor(options: WireCallOptions) {
    this.#options = options
    this.parameters = options.parameters
    this.symbols = options.symbols
    this.limits = options.config
    this.call = this.callWith({})
  }

  /** The same request with parameters by the names of our operations. */
  callWith(fields: Readonly<Record<string, string>>): HttpCall {
    const { base, context, limits } = this.#options
    const parameters = new Parameters(Object.keys(fields), Object.values(fields))
    return new HttpCall({ ...base, parameters }, context, limits)
  }

  /** Runs a trading operation; returns the data of its answer. Rejects as the operation does. */
  async operate<Data>(
    operation: Operation,
    fields: Readonly<Record<string, string>>,
  ): Promise<Data | Refusal> {
    const call = this.callWith(fields)
    const answer = await (untaken(call.parameters, operation) ?? operation.answer(call))
    this.orderCounts = call.orderCounts
    this.isRepeat = call.isRepeat
    if (answer instanceof Refusal) return answer
    // Our own answer: an envelope around its data.
    const text = await textOf(answer)
    const parse = () => (parseJson(text, DOCUMENT_JSON) as { readonly data: Data }).data
    return text.length > LONG_TEXT ? this.call.lane.further(parse) : parse()
  }
}

/** A text with more characters than this is parsed in a turn of its own. */
const LONG_TEXT = 1 << 14

/** Approximate memory of a row of the account before it is converted to text. */
const ROW_BYTES = 800

/** A list, converted in pieces if it is long, so that other clients wait for one piece at most. */
export function rowsAnswer<Row>(
  { call }: WireCall,
  rows: readonly Row[],
  wordsOf: (row: Row) => object,
): WireAnswer {
  const words = (piece: readonly Row[]) => piece.map((row) => JSON.stringify(wordsOf(row))).join(',')
  return listAnswer({ head: '[', rows, words, end: ']', rowBytes: ROW_BYTES }, call.lane)
}

/** A success as one text. */
export async function textOf(answer: unknown): Promise<string> {
  if (typeof answer === 'string') return answer
  if (answer instanceof Blob) return answer.text()
  if (!(answer instanceof LongAnswer)) throw new TypeError('an operation of this wire answers with JSON')
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { value, done } = await answer.slices.next()
    if (done === true || value === undefined) return text
    text += typeof value === 'string' ? value : decoder.decode(value, { stream: true })
  }
}

/** The symbol that the parameter names; the parameter must be present. */
export function symbolOf({ parameters, symbols }: WireCall): TradingSymbol | WireError {
  return symbols.get(parameters.get('symbol') ?? '') ?? unknownSymbol('symbol')
}

export function unknownSymbol(parameter: string): WireError {
  return wrongParameter(parameter, -1121, 'Invalid symbol.', 'UNKNOWN_SYMBOL')
}

/** A whole number whose form was checked, at most `max`; `fallback` if it was not sent. */
export function wholeOf({ parameters }: WireCall, name: string, max: number, fallback: number): number {
  const text = parameters.get(name)
  return text === undefined ? fallback : Math.min(Number(text), max)
}

/** A time whose form was checked; undefined if it was not sent. */
export function timeOf({ parameters }: WireCall, name: string): TimeMs | undefined {
  const text = parameters.get(name)
  return text === undefined ? undefined : (Math.min(Number(text), Number.MAX_SAFE_INTEGER) as TimeMs)
}

/** `startTime` and `endTime`. */
export function rangeOf(call: WireCall): {
  readonly from: TimeMs | undefined
  readonly to: TimeMs | undefined
} {
  return { from: timeOf(call, 'startTime'), to: timeOf(call, 'endTime') }
}
