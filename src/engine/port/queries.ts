/**
 * What a gateway may ask of an engine, each question declared once: what it names, what it is answered with, both as
 * bytes, how the answer is read from the state, and what becomes of it when no answer comes. Ports, inbox and transport
 * carry every question of this table without knowing it.
 */
import { readPlaceOrder, writePlaceOrder } from '../../core/exchange/codec/commands/orders.ts'
import {
  readBalances,
  readBootstrap,
  readClientList,
  readClientListQuery,
  readClientOrderAnswer,
  readClientOrderQuery,
  readOpenOrders,
  readOpenOrdersPage,
  readOpenOrdersQuery,
  readOrdersByNumberQuery,
  readTestedOrder,
  writeBalances,
  writeBootstrap,
  writeClientList,
  writeClientListQuery,
  writeClientOrderAnswer,
  writeClientOrderQuery,
  writeOpenOrders,
  writeOpenOrdersPage,
  writeOpenOrdersQuery,
  writeOrdersByNumberQuery,
  writeTestedOrder,
} from '../../core/exchange/codec/view-codec.ts'
import {
  readAccountWithdrawals,
  readKnownWithdrawal,
  writeAccountWithdrawals,
  writeKnownWithdrawal,
} from '../../core/exchange/codec/withdrawals-view-codec.ts'
import type { PlaceOrder } from '../../core/exchange/commands/orders.ts'
import type { TestedOrder } from '../../core/exchange/tested-order.ts'
import type {
  AccountWithdrawals,
  Balance,
  Bootstrap,
  ClientList,
  ClientListQuery,
  ClientOrderAnswer,
  ClientOrderQuery,
  OpenOrder,
  OpenOrdersPage,
  OpenOrdersQuery,
  OrdersByNumberQuery,
} from '../../core/exchange/view.ts'
import type { Withdrawal } from '../../core/ledger/withdrawals.ts'
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import type { RequestTerms } from './request-client.ts'
import { inadmissible, type StateMachine } from './state-machine.ts'

/** What an account has right after command `seq`: one balance per listed asset, in the order of listing. */
export type AccountState = { readonly seq: Seq; readonly balances: readonly Balance[] }

/** By name: the fields of the question, and the value of its answer. */
export type EngineQueries = {
  /** A page of an account's open orders. */
  readonly openOrders: { readonly fields: OpenOrdersQuery; readonly value: OpenOrdersPage }
  /** One balance per listed asset, in the order of listing. */
  readonly balances: {
    readonly fields: { readonly accountId: AccountId }
    readonly value: readonly Balance[]
  }
  /** The same, and the command after which it is so. */
  readonly accountState: { readonly fields: { readonly accountId: AccountId }; readonly value: AccountState }
  /** The order that is remembered under a client order id of an account. */
  readonly clientOrder: { readonly fields: ClientOrderQuery; readonly value: ClientOrderAnswer }
  /** The list that is remembered under a client order id of an account. */
  readonly clientList: { readonly fields: ClientListQuery; readonly value: ClientList | undefined }
  /** Those of the orders named that are open and the account's. */
  readonly ordersByNumber: { readonly fields: OrdersByNumberQuery; readonly value: readonly OpenOrder[] }
  /** What an account may withdraw to, the withdrawals that it has asked for and that are remembered, and what operators hold for it. */
  readonly accountWithdrawals: {
    readonly fields: { readonly accountId: AccountId }
    readonly value: AccountWithdrawals
  }
  /** The withdrawal of a reference, as long as it is remembered. */
  readonly withdrawal: {
    readonly fields: { readonly reference: string }
    readonly value: Withdrawal | undefined
  }
  /** What would become of a new order. */
  readonly orderTest: { readonly fields: PlaceOrder; readonly value: TestedOrder }
  /** What a read model starts from; asked by `EnginePort.follow` alone. */
  readonly bootstrap: { readonly fields: undefined; readonly value: Bootstrap }
}

export type QueryName = keyof EngineQueries
export type QueryFields<Name extends QueryName> = EngineQueries[Name]['fields']
export type QueryValue<Name extends QueryName> = EngineQueries[Name]['value']

/** A question on its way. */
export type EngineQuery<Name extends QueryName = QueryName> = {
  [Each in Name]: { readonly name: Each; readonly fields: QueryFields<Each> }
}[Name]

/** Its answer on the way back. */
export type QueryAnswer<Name extends QueryName = QueryName> = {
  [Each in Name]: { readonly name: Each; readonly value: QueryValue<Each> }
}[Name]

/** A value as bytes, which say themselves where they end. */
type Form<Value> = {
  readonly write: (writer: ByteWriter, value: Value) => void
  readonly read: (reader: ByteReader) => Value
}

type Declaration<Fields, Value> = RequestTerms & {
  /** What it is called in bytes; never used for another one. */
  readonly code: number
  readonly fields: Form<Fields>
  readonly value: Form<Value>
  /** The answer, from the state after the commands of its batch. */
  readonly read: (machine: StateMachine, fields: Fields) => Value
  /** As many commands as would keep the engine busy for as long: whoever waits behind a batch waits for all of it. */
  readonly costCommands: number
}

const NOTHING: Form<undefined> = { write: () => {}, read: () => undefined }

const ACCOUNT: Form<{ readonly accountId: AccountId }> = {
  write: (writer, { accountId }) => writer.uint(accountId),
  read: (reader) => ({ accountId: reader.uint() as AccountId }),
}

export const ENGINE_QUERIES: {
  readonly [Name in QueryName]: Declaration<QueryFields<Name>, QueryValue<Name>>
} = {
  openOrders: {
    code: 1,
    fields: { write: writeOpenOrdersQuery, read: readOpenOrdersQuery },
    value: { write: writeOpenOrdersPage, read: readOpenOrdersPage },
    read: (machine, query) => machine.openOrdersPage(query),
    costCommands: 256,
    lost: 'ENGINE_DOWN',
    late: 'OVERLOADED',
  },
  balances: {
    code: 2,
    fields: ACCOUNT,
    value: { write: writeBalances, read: readBalances },
    read: (machine, { accountId }) => machine.balances(accountId),
    costCommands: 1,
    lost: 'ENGINE_DOWN',
    late: 'OVERLOADED',
  },
  accountState: {
    code: 7,
    fields: ACCOUNT,
    value: {
      write: (writer, { seq, balances }) => {
        writer.uint(seq)
        writeBalances(writer, balances)
      },
      read: (reader) => ({ seq: reader.uint() as Seq, balances: readBalances(reader) }),
    },
    read: (machine, { accountId }) => ({ seq: machine.seq, balances: machine.balances(accountId) }),
    costCommands: 1,
    lost: 'ENGINE_DOWN',
    late: 'OVERLOADED',
  },
  orderTest: {
    code: 4,
    fields: { write: writePlaceOrder, read: readPlaceOrder },
    value: { write: writeTestedOrder, read: readTestedOrder },
    read: (machine, command) => inadmissible(command, machine.rulesVersion) ?? machine.testOrder(command),
    costCommands: 256,
    lost: 'ENGINE_DOWN',
    late: 'OVERLOADED',
  },
  clientOrder: {
    code: 6,
    fields: { write: writeClientOrderQuery, read: readClientOrderQuery },
    value: { write: writeClientOrderAnswer, read: readClientOrderAnswer },
    read: (machine, query) => machine.clientOrder(query),
    costCommands: 1,
    lost: 'ENGINE_DOWN',
    late: 'OVERLOADED',
  },
  clientList: {
    code: 54,
    fields: { write: writeClientListQuery, read: readClientListQuery },
    value: { write: writeClientList, read: readClientList },
    read: (machine, query) => machine.clientList(query),
    costCommands: 1,
    lost: 'ENGINE_DOWN',
    late: 'OVERLOADED',
  },
  ordersByNumber: {
    code: 5,
    fields: { write: writeOrdersByNumberQuery, read: readOrdersByNumberQuery },
    value: { write: writeOpenOrders, read: readOpenOrders },
    read: (machine, query) => machine.ordersByNumber(query),
    costCommands: 256,
    lost: 'ENGINE_DOWN',
    late: 'OVERLOADED',
  },
  accountWithdrawals: {
    code: 55,
    fields: ACCOUNT,
    value: { write: writeAccountWithdrawals, read: readAccountWithdrawals },
    read: (machine, { accountId }) => machine.accountWithdrawals(accountId),
    costCommands: 64,
    lost: 'ENGINE_DOWN',
    late: 'OVERLOADED',
  },
  withdrawal: {
    code: 56,
    fields: {
      write: (writer, { reference }) => writer.text(reference),
      read: (reader) => ({ reference: reader.text() }),
    },
    value: { write: writeKnownWithdrawal, read: readKnownWithdrawal },
    read: (machine, { reference }) => machine.withdrawal(reference),
    costCommands: 1,
    lost: 'ENGINE_DOWN',
    late: 'OVERLOADED',
  },
  bootstrap: {
    code: 3,
    fields: NOTHING,
    value: { write: writeBootstrap, read: readBootstrap },
    read: (machine) => machine.bootstrap(),
    costCommands: 2_048,
    lost: 'ENGINE_DOWN',
    late: undefined,
  },
}

/** In the order of the table. */
export const QUERY_NAMES = Object.keys(ENGINE_QUERIES) as readonly QueryName[]

const NAME_BY_CODE: ReadonlyMap<number, QueryName> = new Map(
  QUERY_NAMES.map((name) => [ENGINE_QUERIES[name].code, name]),
)

export function queryOf<Name extends QueryName>(name: Name, fields: QueryFields<Name>): EngineQuery {
  // The signature says that the fields are those of the name; the compiler does not see it in a union.
  return { name, fields } as EngineQuery
}

/** Reads the answer from the state. */
export function answerQuery<Name extends QueryName>(
  machine: StateMachine,
  { name, fields }: EngineQuery<Name>,
): QueryAnswer<Name> {
  return { name, value: ENGINE_QUERIES[name].read(machine, fields) }
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
