/**
 * Whether a file that is held open still has its name. What is written to a file that was removed, or whose directory
 * was moved away, is synced like any other and lost with the process; no write ever says so.
 */
import { statSync } from 'node:fs'
import { JournalFault } from '../../engine/journal.ts'
import { fileFault } from './directory.ts'

export class NamedFile {
  readonly #path: string
  /** Device and number of the file, known from the first look on. */
  #identity: string | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Throws `JournalFault` `FAILED` when there is no file of the name, or another than at the first look. Costs 1 microsecond. */
  requireInPlace(): void {
    const found = this.#look()
    const identity = found === undefined ? 'no file' : `${found.dev}:${found.ino}`
    this.#identity ??= identity
    if (found !== undefined && identity === this.#identity) return
    const what = found === undefined ? 'was removed' : 'was replaced'
    throw new JournalFault('FAILED', `${this.#path} ${what} while the node ran: what it wrote last is lost`)
  }

  #look() {
    try {
      return statSync(this.#path, { throwIfNoEntry: false })
    } catch (cause) {
      throw fileFault(cause, `cannot look at ${this.#path}`)
    }
  }
}
