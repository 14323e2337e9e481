/**
 * One hostile use of the port for clients of Binance for each endpoint, request and message of the program's
 * own tables, so that a new row is covered automatically; and the process's orders and report.
 */
import { SESSION_ROWS } from '../../src/server/binance/api/session-rows.ts'
import { parametersOf, type WireParameter, type WireRow } from '../../src/server/binance/endpoints/row.ts'
import { addressOf, WIRE_ENDPOINT_IDS, WIRE_ROWS } from '../../src/server/binance/endpoints/table.ts'
import { STREAM_METHODS } from '../../src/server/binance/streams/stream-session.ts'

export type Abuse =
  | {
      readonly kind: 'HTTP'
      readonly method: string
      readonly path: string
      readonly fields: Fields
      readonly isSigned: boolean
    }
  | {
      readonly kind: 'REQUEST'
      readonly request: string
      readonly fields: Fields
      readonly isSigned: boolean
    }
  | { readonly kind: 'MESSAGE'; readonly method: string }
  | { readonly kind: 'OPENING'; readonly path: string }
export type Fields = Readonly<Record<string, string>>
export type NamedAbuse = { readonly name: string; readonly abuse: Abuse }

export type AbuseOrder = {
  readonly abuse: Abuse
  readonly url: string
  readonly apiKey: string
  readonly secret: string
  readonly connections: number
  readonly milliseconds: number
}
/** Answers, or messages that were sent. */
export type Abused = { readonly done: number; readonly perSecond: number }

const ORDER: Fields = {
  ...{
    symbol: 'BTCUSDT',
    side: 'SELL',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.0001',
    price: '60000',
  },
}

/** All hostile uses, from the tables that the program runs. */
export function abuses(): NamedAbuse[] {
  const rows = WIRE_ENDPOINT_IDS.map((id): WireRow => WIRE_ROWS[id])
  const http = rows.map((row): NamedAbuse => {
    const { method, path, security } = row
    const abuse = {
      kind: 'HTTP',
      method,
      path,
      fields: fieldsOf(row),
      isSigned: security !== 'NONE',
    } as const
    return { name: addressOf(row), abuse }
  })
  const requests = rows.flatMap((row): NamedAbuse[] =>
    row.request === undefined ? [] : [requestOf(row.request, fieldsOf(row), row.security !== 'NONE')],
  )
  const session = Object.entries(SESSION_ROWS).map(([name, { security }]) =>
    requestOf(name, {}, security !== 'NONE'),
  )
  const messages = STREAM_METHODS.map(
    (method): NamedAbuse => ({ name: `/ws ${method}`, abuse: { kind: 'MESSAGE', method } }),
  )
  const nothing = {
    kind: 'HTTP',
    method: 'GET',
    path: '/api/v3/nothing',
    fields: {},
    isSigned: false,
  } as const
  return [
    ...http,
    ...requests,
    ...session,
    ...messages,
    ...['/ws', '/stream', '/ws-api/v3'].map(
      (path): NamedAbuse => ({ name: `opens ${path}`, abuse: { kind: 'OPENING', path } }),
    ),
    { name: 'a path that is not there', abuse: nothing },
  ]
}

function requestOf(request: string, fields: Fields, isSigned: boolean): NamedAbuse {
  return { name: `/ws-api/v3 ${request}`, abuse: { kind: 'REQUEST', request, fields, isSigned } }
}

/**
 * The fields of the most expensive allowed request: no symbol where none is required, and the longest list.
 */
function fieldsOf(row: WireRow): Fields {
  const own = Object.entries(parametersOf(row)).filter(
    ([name]) => !['timestamp', 'signature', 'recvWindow'].includes(name),
  )
  const isOrder = row.method === 'POST' && row.parameters.newClientOrderId !== undefined
  const sent = own.filter(
    ([name, { isRequired }]) => isRequired || name === 'limit' || (isOrder && ORDER[name] !== undefined),
  )
  return Object.fromEntries(sent.map(([name, parameter]) => [name, sampleOf(name, parameter)]))
}

function sampleOf(name: string, parameter: WireParameter): string {
  const ofOrder = ORDER[name]
  if (ofOrder !== undefined) return ofOrder
  if (parameter.form === 'WHOLE') return name === 'limit' ? String(parameter.max) : '1'
  return parameter.form === 'WORD' ? (parameter.words[0] ?? '') : '1'
}
