import { describe } from 'bun:test'
import * as fc from 'fast-check'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { testCodec } from '../commands/codec.contract.ts'
import {
  arbitraryBalance,
  arbitraryBootstrap,
  arbitraryOpenOrdersPage,
  arbitraryOpenOrdersQuery,
} from '../events/message.arbitraries.ts'
import {
  type Balance,
  type Bootstrap,
  OPEN_ORDERS_PAGE,
  OPEN_ORDERS_QUERY,
  type OpenOrdersPage,
  type OpenOrdersQuery,
} from './view.ts'
import { readBalances, readBootstrap, writeBalances, writeBootstrap } from './view-codec.ts'

describe('open orders', () => {
  testCodec<OpenOrdersPage>(byteCodec(OPEN_ORDERS_PAGE), { page: arbitraryOpenOrdersPage })
})

describe('a question for open orders', () => {
  testCodec<OpenOrdersQuery>(byteCodec(OPEN_ORDERS_QUERY), { query: arbitraryOpenOrdersQuery })
})

describe('balances', () => {
  testCodec<readonly Balance[]>(
    { write: writeBalances, read: readBalances },
    { balances: fc.array(arbitraryBalance, { maxLength: 5 }) },
  )
})

describe('bootstrap', () => {
  // `view-codec.slow.test.ts` damages as many values as the tests of the other views.
  testCodec<Bootstrap>({ write: writeBootstrap, read: readBootstrap }, { bootstrap: arbitraryBootstrap }, 0.2)
})
