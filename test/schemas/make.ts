/**
 * `npm run schemas`: writes docs/api, and the types of the client, from the schemas and the examples of the reference, which other
 * tests hold to real answers; and the tables of the operators' operations from their rows.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readProgram } from '../../tools/lib/program.mjs'
import { withTables } from './admin-reference.ts'
import { CCXT_ERRORS, ccxtErrors } from './ccxt-errors.ts'
import { API, CLIENT_INTERFACE, clientFiles, documents } from './documents.ts'

readProgram({
  command: 'npm run schemas --',
  about:
    'Writes docs/api, the OpenAPI and AsyncAPI files of the trading interface, the types of the client, the tables of the admin server, and the errors of ccxt.',
})
mkdirSync(API, { recursive: true })
for (const [name, text] of documents()) {
  writeFileSync(path.join(API, name), text)
  process.stdout.write(`docs/api/${name} (${text.length} bytes)\n`)
}
mkdirSync(CLIENT_INTERFACE, { recursive: true })
for (const [name, text] of clientFiles()) {
  writeFileSync(path.join(CLIENT_INTERFACE, name), text)
  process.stdout.write(`src/client/interface/${name} (${text.length} bytes)\n`)
}
const admin = path.join(API, '..', 'reference', 'admin.md')
writeFileSync(admin, withTables(readFileSync(admin, 'utf8')))
process.stdout.write('docs/reference/admin.md: its tables of operations and rights\n')
writeFileSync(CCXT_ERRORS, ccxtErrors())
process.stdout.write('clients/ccxt/src/error-by-reason.js\n')
