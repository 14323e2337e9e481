/**
 * The database on which an engine last led, in a small file in its data directory: plain JSON, so that an
 * operator can read it.
 */

import { readFileSync } from 'node:fs'
import { JournalFault } from '../../engine/port/journal.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import { fileFault, writeWhole } from './directory.ts'

/** A database, and its timeline. */
export type KnownIdentity = { readonly systemIdentifier: string; readonly timeline: number }

export class KnownDatabaseFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Undefined if there is no file. Throws `JournalFault`: `DAMAGED` if it is not a file that this class
   * wrote.
   */
  read(): KnownIdentity | undefined {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw fileFault(cause, `cannot read ${this.#path}`)
    }
    const { systemIdentifier, timeline } = this.#parse(text)
    const isSound = typeof systemIdentifier === 'string' && /^\d{1,20}$/.test(systemIdentifier)
    if (isSound && typeof timeline === 'number' && Number.isSafeInteger(timeline) && timeline >= 1)
      return { systemIdentifier, timeline }
    throw this.#damaged()
  }

  /** Durable when it returns. Throws `JournalFault`. */
  write({ systemIdentifier, timeline }: KnownIdentity): void {
    const text = `${JSON.stringify({ systemIdentifier, timeline })}\n`
    writeWhole(this.#path, `${this.#path}.tmp`, [new TextEncoder().encode(text)])
  }

  #parse(text: string): Partial<Record<keyof KnownIdentity, unknown>> {
    try {
      const value: unknown = parseJson(text, DOCUMENT_JSON)
      if (typeof value === 'object' && value !== null) return value
    } catch {
      // Reported below with the same message.
    }
    throw this.#damaged()
  }

  #damaged(): JournalFault {
    const expected = 'expected {"systemIdentifier":"...","timeline":N}'
    return new JournalFault(
      'DAMAGED',
      `${this.#path}: ${expected}. Once the database is known to be the right one, start with --accept-database`,
    )
  }
}
