import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract } from './store.contract.ts'
import { Store } from './store.ts'

storeContract('a store in two files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-customers-'))
  const random = (size: number) => new Uint8Array(randomBytes(size))
  return {
    open: (rpId = 'localhost') => Store.open({ directory, randomBytes: random, rpId }),
    discard: () => rmSync(directory, { recursive: true }),
  }
})
