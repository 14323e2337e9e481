import { describe } from 'bun:test'
import * as fc from 'fast-check'
import type { Balance, Bootstrap, OpenOrder } from '../view.ts'
import { testCodec } from './codec.contract.ts'
import { arbitraryBalance, arbitraryBootstrap, arbitraryOpenOrder } from './message-arbitraries.contract.ts'
import {
  readBalances,
  readBootstrap,
  readOpenOrders,
  writeBalances,
  writeBootstrap,
  writeOpenOrders,
} from './view-codec.ts'

describe('open orders', () => {
  testCodec<readonly OpenOrder[]>(
    { write: writeOpenOrders, read: readOpenOrders },
    { orders: fc.array(arbitraryOpenOrder, { maxLength: 5 }) },
  )
})

describe('balances', () => {
  testCodec<readonly Balance[]>(
    { write: writeBalances, read: readBalances },
    { balances: fc.array(arbitraryBalance, { maxLength: 5 }) },
  )
})

describe('bootstrap', () => {
  testCodec<Bootstrap>({ write: writeBootstrap, read: readBootstrap }, { bootstrap: arbitraryBootstrap })
})
