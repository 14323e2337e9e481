/**
 * `npm run schemas`: writes docs/api, and the client's table of endpoints, from the schemas and the examples
 * of the reference, which other tests check against real answers; and the tables of the operators' operations
 * from their rows.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readProgram } from '../../tools/lib/program.mjs'
import { BINANCE_PAGE, readBinancePage, withEndpoints } from './binance-page.ts'
import { CCXT_ERRORS, ccxtErrors } from './ccxt-errors.ts'
import { API, CLIENT_ENDPOINTS, clientTable, documents } from './documents.ts'
import { PAGES_WITH_TABLES } from './tables.ts'

readProgram({
  command: 'npm run schemas --',
  about:
    "Writes docs/api, the OpenAPI and AsyncAPI files of the trading interface and of customers, the client's table of endpoints, the tables of the admin server, of the command line and of clients of Binance, and the errors of ccxt.",
})
mkdirSync(API, { recursive: true })
for (const [name, text] of documents()) {
  writeFileSync(path.join(API, name), text)
  process.stdout.write(`docs/api/${name} (${text.length} bytes)\n`)
}
writeFileSync(CLIENT_ENDPOINTS, clientTable())
process.stdout.write('src/client/endpoints.ts\n')
for (const [name, made] of PAGES_WITH_TABLES) {
  const page = path.join(API, '..', 'reference', name)
  writeFileSync(page, made(readFileSync(page, 'utf8')))
  process.stdout.write(`docs/reference/${name}: its tables\n`)
}
writeFileSync(BINANCE_PAGE, withEndpoints(readBinancePage()))
process.stdout.write('docs/binance.md: its table\n')
writeFileSync(CCXT_ERRORS, ccxtErrors())
process.stdout.write('clients/ccxt/src/error-by-reason.js\n')
