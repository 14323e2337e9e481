/** The version of the program, as its package says. */

import { readFileSync } from 'node:fs'
import { DOCUMENT_JSON, parseJson } from '../units/bounded-json.ts'
import { EMBEDDED } from './embedded.ts'

export function programVersion(): string {
  if (EMBEDDED !== undefined) return EMBEDDED.version
  const file = new URL('../../package.json', import.meta.url)
  return (parseJson(readFileSync(file, 'utf8'), DOCUMENT_JSON) as { version: string }).version
}
