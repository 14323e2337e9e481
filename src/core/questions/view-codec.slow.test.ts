/**
 * The longest of the views, damaged until as many values are covered as for the others in
 * `view-codec.test.ts`.
 */
import { describe } from 'bun:test'
import { testCodec } from '../commands/codec.contract.ts'
import { arbitraryBootstrap } from '../events/message.arbitraries.ts'
import type { Bootstrap } from './view.ts'
import { readBootstrap, writeBootstrap } from './view-codec.ts'

describe('bootstrap', () => {
  testCodec<Bootstrap>({ write: writeBootstrap, read: readBootstrap }, { bootstrap: arbitraryBootstrap })
})
