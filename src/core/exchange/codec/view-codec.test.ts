import { describe } from 'bun:test'
import * as fc from 'fast-check'
import type { Balance, Bootstrap, OpenOrdersPage, OpenOrdersQuery } from '../view.ts'
import { testCodec } from './codec.contract.ts'
import {
  arbitraryBalance,
  arbitraryBootstrap,
  arbitraryOpenOrdersPage,
  arbitraryOpenOrdersQuery,
} from './message.arbitraries.ts'
import {
  readBalances,
  readBootstrap,
  readOpenOrdersPage,
  readOpenOrdersQuery,
  writeBalances,
  writeBootstrap,
  writeOpenOrdersPage,
  writeOpenOrdersQuery,
} from './view-codec.ts'

describe('open orders', () => {
  testCodec<OpenOrdersPage>(
    { write: writeOpenOrdersPage, read: readOpenOrdersPage },
    { page: arbitraryOpenOrdersPage },
  )
})

describe('a question for open orders', () => {
  testCodec<OpenOrdersQuery>(
    { write: writeOpenOrdersQuery, read: readOpenOrdersQuery },
    { query: arbitraryOpenOrdersQuery },
  )
})

describe('balances', () => {
  testCodec<readonly Balance[]>(
    { write: writeBalances, read: readBalances },
    { balances: fc.array(arbitraryBalance, { maxLength: 5 }) },
  )
})

describe('bootstrap', () => {
  // view-codec.slow.test.ts damages as many as of the others.
  testCodec<Bootstrap>({ write: writeBootstrap, read: readBootstrap }, { bootstrap: arbitraryBootstrap }, 0.2)
})
