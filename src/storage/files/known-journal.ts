/**
 * The journal to which an engine's data directory belongs, in a small file: plain JSON, so that an operator
 * can read it.
 */

import { readFileSync } from 'node:fs'
import type { KnownJournal } from '../../engine/leadership/cluster-ports.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import { writeWhole } from './directory.ts'

export class KnownJournalFile implements KnownJournal {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Undefined if the file is missing or unreadable; it is written again when the first batch is followed, or
   * when the engine first leads.
   */
  read(): string | undefined {
    try {
      const value: unknown = parseJson(readFileSync(this.#path, 'utf8'), DOCUMENT_JSON)
      const journal = typeof value === 'object' && value !== null && 'journal' in value ? value.journal : ''
      return typeof journal === 'string' && /^[0-9a-f]{32}$/.test(journal) ? journal : undefined
    } catch {
      return undefined
    }
  }

  write(journal: string): void {
    const text = `${JSON.stringify({ journal })}\n`
    writeWhole(this.#path, `${this.#path}.tmp`, [new TextEncoder().encode(text)])
  }
}
