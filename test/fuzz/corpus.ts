/**
 * The committed corpus: one file per target, one input per line, as a JSON string or, for bytes, in
 * hexadecimal. A line that starts with `#` states the purpose of the following ones. Findings of fuzzing are
 * added here, so that they are always tried.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Input } from './target.ts'

export function readCorpus(name: string): Input[] {
  const file = fileOf(name)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map(readLine)
}

/** Adds the shortest input of every outcome, each with a line that states the outcome. */
export function growCorpus(name: string, shortestByOutcome: ReadonlyMap<string, Input>): void {
  const file = fileOf(name)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const known = new Set(before.split('\n'))
  const lines = [...shortestByOutcome]
    .filter(([outcome]) => !known.has(`# ${outcome}`))
    .map(([outcome, input]) => `# ${outcome}\n${corpusLine(input)}\n`)
  if (lines.length > 0) writeFileSync(file, before + lines.join(''))
}

function fileOf(name: string): string {
  return join(import.meta.dir, 'corpus', `${name}.txt`)
}

/** `input` as a line of the file. */
export function corpusLine(input: Input): string {
  return typeof input === 'string' ? JSON.stringify(input) : Buffer.from(input).toString('hex')
}

function readLine(line: string): Input {
  return line.startsWith('"') ? (JSON.parse(line) as string) : new Uint8Array(Buffer.from(line, 'hex'))
}
