/**
 * The queries of a gateway to an engine, each declared once: its fields and its answer, both with their
 * encoding, how the answer is read from the state, and its fault when no answer comes. Ports, inbox and
 * transport pass on every query of this table without interpreting it.
 */

import type { PlaceOrder } from '../../core/commands/orders.ts'
import { readPlaceOrder, writePlaceOrder } from '../../core/commands/place-order-codec.ts'
import { TESTED_ORDER_ROWS, type TestedOrder } from '../../core/exchange/tested-order.ts'
import {
  BALANCE,
  CLIENT_LIST,
  CLIENT_LIST_QUERY,
  CLIENT_ORDER_ANSWER,
  CLIENT_ORDER_QUERY,
  OPEN_ORDER,
  OPEN_ORDERS_PAGE,
  OPEN_ORDERS_QUERY,
  ORDERS_BY_NUMBER_QUERY,
} from '../../core/questions/view.ts'
import { readBootstrap, writeBootstrap } from '../../core/questions/view-codec.ts'
import {
  readAccountWithdrawals,
  readKnownWithdrawal,
  writeAccountWithdrawals,
  writeKnownWithdrawal,
} from '../../core/questions/withdrawals-view-codec.ts'
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { kindCodec } from '../../units/shapes/kind-codec.ts'
import {
  type ByteCodec,
  listOf,
  object,
  orUndefined,
  text,
  uint,
  type ValueOf,
} from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import type { RequestTerms } from './request-client.ts'
import { inadmissible, type StateMachine } from './state-machine.ts'

type Question<Fields, Value> = RequestTerms & {
  /** The query's code in bytes; never reused for another query. */
  readonly code: number
  readonly fields: ByteCodec<Fields>
  readonly value: ByteCodec<Value>
  /** Computes the answer from the state after the commands of its batch and the engine's time. */
  readonly read: (machine: StateMachine, fields: Fields, time: TimeMs) => Value
  /**
   * The cost of the query, as the number of commands that would keep the engine busy for the same time:
   * requests after a batch wait for all of its queries.
   */
  readonly costCommands: number
  /** Never present at run time: `asked` and `answered` only have types. */
  readonly asked?: Fields
  readonly answered?: Value
}

/** A request that only reads, and has a timeout. */
function question<Fields, Value>(
  row: Omit<Question<Fields, Value>, keyof RequestTerms>,
): Question<Fields, Value> {
  return { ...row, lost: 'ENGINE_DOWN', late: 'OVERLOADED' }
}

const NOTHING: ByteCodec<undefined> = { write: () => {}, read: () => undefined }
const ACCOUNT = object({ accountId: uint<AccountId>() })
const ACCOUNT_STATE = object({ seq: uint<Seq>(), balances: listOf(BALANCE) })
/**
 * The state of an account right after command `seq`: one balance per listed asset, in the order of listing.
 */
export interface AccountState extends ValueOf<typeof ACCOUNT_STATE> {}

const ROWS = {
  /** A page of an account's open orders. */
  openOrders: question({
    code: 1,
    fields: byteCodec(OPEN_ORDERS_QUERY),
    value: byteCodec(OPEN_ORDERS_PAGE),
    read: (machine, query) => machine.openOrdersPage(query),
    costCommands: 256,
  }),
  /** One balance per listed asset, in the order of listing. */
  balances: question({
    code: 2,
    fields: byteCodec(ACCOUNT),
    value: byteCodec(listOf(BALANCE)),
    read: (machine, { accountId }) => machine.balances(accountId),
    costCommands: 1,
  }),
  /** The account's state, and the command after which it has this state. */
  accountState: question({
    code: 7,
    fields: byteCodec(ACCOUNT),
    value: byteCodec(ACCOUNT_STATE),
    read: (machine, { accountId }) => ({ seq: machine.seq, balances: machine.balances(accountId) }),
    costCommands: 1,
  }),
  /** The effect that a new order would have. */
  orderTest: question<PlaceOrder, TestedOrder>({
    code: 4,
    fields: { write: writePlaceOrder, read: readPlaceOrder },
    value: kindCodec(TESTED_ORDER_ROWS, 'tested order'),
    read: (machine, command, time) => inadmissible(command, machine) ?? machine.testOrder(command, time),
    costCommands: 256,
  }),
  /** The order remembered under a client order id of an account. */
  clientOrder: question({
    code: 6,
    fields: byteCodec(CLIENT_ORDER_QUERY),
    value: byteCodec(CLIENT_ORDER_ANSWER),
    read: (machine, query) => machine.clientOrder(query),
    costCommands: 1,
  }),
  /** The list remembered under a client order id of an account. */
  clientList: question({
    code: 54,
    fields: byteCodec(CLIENT_LIST_QUERY),
    value: byteCodec(orUndefined(CLIENT_LIST)),
    read: (machine, query) => machine.clientList(query),
    costCommands: 1,
  }),
  /** Those of the requested orders that are open and belong to the account. */
  ordersByNumber: question({
    code: 5,
    fields: byteCodec(ORDERS_BY_NUMBER_QUERY),
    value: byteCodec(listOf(OPEN_ORDER)),
    read: (machine, query) => machine.ordersByNumber(query),
    costCommands: 256,
  }),
  /**
   * An account's withdrawal addresses, its remembered requested withdrawals, and the withdrawals that
   * operators hold for it.
   */
  accountWithdrawals: question({
    code: 55,
    fields: byteCodec(ACCOUNT),
    value: { write: writeAccountWithdrawals, read: readAccountWithdrawals },
    read: (machine, { accountId }) => machine.accountWithdrawals(accountId),
    costCommands: 64,
  }),
  /** The withdrawal with a reference, as long as it is remembered. */
  withdrawal: question({
    code: 56,
    fields: byteCodec(object({ reference: text() })),
    value: { write: writeKnownWithdrawal, read: readKnownWithdrawal },
    read: (machine, { reference }) => machine.withdrawal(reference),
    costCommands: 1,
  }),
  /** The start state of a read model; requested only by `EnginePort.follow`. It may wait without a limit. */
  bootstrap: {
    ...question({
      code: 3,
      fields: NOTHING,
      value: { write: writeBootstrap, read: readBootstrap },
      read: (machine) => machine.bootstrap(),
      costCommands: 2_048,
    }),
    late: undefined,
  },
}

type Rows = typeof ROWS
export type QueryName = keyof Rows
export type QueryFields<Name extends QueryName> = Required<Rows[Name]>['asked']
export type QueryValue<Name extends QueryName> = Required<Rows[Name]>['answered']

/** A query, as it is sent. */
export type EngineQuery<Name extends QueryName = QueryName> = {
  [Each in Name]: { readonly name: Each; readonly fields: QueryFields<Each> }
}[Name]

/** Its answer, as it is sent back. */
export type QueryAnswer<Name extends QueryName = QueryName> = {
  [Each in Name]: { readonly name: Each; readonly value: QueryValue<Each> }
}[Name]

export const ENGINE_QUERIES: {
  readonly [Name in QueryName]: Question<QueryFields<Name>, QueryValue<Name>>
} = ROWS

/** In the order of the table. */
export const QUERY_NAMES = Object.keys(ENGINE_QUERIES) as readonly QueryName[]

const NAME_BY_CODE: ReadonlyMap<number, QueryName> = new Map(
  QUERY_NAMES.map((name) => [ENGINE_QUERIES[name].code, name]),
)

export function queryOf<Name extends QueryName>(name: Name, fields: QueryFields<Name>): EngineQuery {
  // The signature guarantees that the fields belong to the name; for a union, the compiler cannot infer this.
  return { name, fields } as EngineQuery
}

/** Reads the answer from the state. `time`: the engine's time. */
export function answerQuery<Name extends QueryName>(
  machine: StateMachine,
  { name, fields }: EngineQuery<Name>,
  time: TimeMs,
): QueryAnswer<Name> {
  return { name, value: ENGINE_QUERIES[name].read(machine, fields, time) }
}

export function writeQuery<Name extends QueryName>(
  writer: ByteWriter,
  { name, fields }: EngineQuery<Name>,
): void {
  writer.u8(ENGINE_QUERIES[name].code)
  ENGINE_QUERIES[name].fields.write(writer, fields)
}

/** Throws `BytesFault`. */
export function readQuery(reader: ByteReader): EngineQuery {
  return readQueryNamed(readName(reader), reader)
}

function readQueryNamed<Name extends QueryName>(name: Name, reader: ByteReader): EngineQuery<Name> {
  return { name, fields: ENGINE_QUERIES[name].fields.read(reader) }
}

export function writeQueryAnswer<Name extends QueryName>(
  writer: ByteWriter,
  { name, value }: QueryAnswer<Name>,
): void {
  writer.u8(ENGINE_QUERIES[name].code)
  ENGINE_QUERIES[name].value.write(writer, value)
}

/** Throws `BytesFault`. */
export function readQueryAnswer(reader: ByteReader): QueryAnswer {
  return readAnswerNamed(readName(reader), reader)
}

function readAnswerNamed<Name extends QueryName>(name: Name, reader: ByteReader): QueryAnswer<Name> {
  return { name, value: ENGINE_QUERIES[name].value.read(reader) }
}

function readName(reader: ByteReader): QueryName {
  const code = reader.u8()
  const name = NAME_BY_CODE.get(code)
  if (name === undefined) throw new BytesFault(`unknown query code ${code} before byte ${reader.at}`)
  return name
}
