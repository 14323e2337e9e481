/** The longest of the views, damaged as often as the others are in `view-codec.test.ts`. */
import { describe } from 'bun:test'
import type { Bootstrap } from '../view.ts'
import { testCodec } from './codec.contract.ts'
import { arbitraryBootstrap } from './message.arbitraries.ts'
import { readBootstrap, writeBootstrap } from './view-codec.ts'

describe('bootstrap', () => {
  testCodec<Bootstrap>({ write: writeBootstrap, read: readBootstrap }, { bootstrap: arbitraryBootstrap })
})
