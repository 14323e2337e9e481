/** The version of the program, as its package says. */
import { readFileSync } from 'node:fs'
import { EMBEDDED } from './embedded.ts'

export function programVersion(): string {
  if (EMBEDDED !== undefined) return EMBEDDED.version
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
