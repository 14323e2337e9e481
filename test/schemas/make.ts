/**
 * `npm run schemas`: writes docs/api from the schemas and the examples of the reference, which other tests hold to real answers.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readProgram } from '../../tools/lib/program.mjs'
import { API, documents } from './documents.ts'

readProgram({
  command: 'npm run schemas --',
  about: 'Writes docs/api: the OpenAPI and AsyncAPI files of the trading interface.',
})
mkdirSync(API, { recursive: true })
for (const [name, text] of documents()) {
  writeFileSync(path.join(API, name), text)
  process.stdout.write(`docs/api/${name} (${text.length} bytes)\n`)
}
