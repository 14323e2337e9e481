/**
 * Checks that an open file still has its name. Data written to a file that was removed, or whose directory
 * was moved away, is synced like any other and lost when the process ends; no write reports this.
 */
import { JournalFault } from '../../engine/port/journal.ts'
import { fileFault } from './directory.ts'
import { type FileIdentity, type FileProbe, probeOf } from './file-identity.ts'

export class NamedFile {
  readonly #path: string
  readonly #look: FileProbe
  /** The file's identity, known from the first query on. */
  #first: FileIdentity | undefined

  constructor(path: string, look: FileProbe = probeOf(path)) {
    this.#path = path
    this.#look = look
  }

  /**
   * Throws `JournalFault` `FAILED` if no file has the name, or if it is not the file of the first query.
   * Takes 1 microsecond.
   */
  requireInPlace(): void {
    const found = this.#lookOnce()
    this.#first ??= found
    const isInPlace =
      found !== undefined && found.inode === this.#first?.inode && found.device === this.#first.device
    if (isInPlace) return
    const what = found === undefined ? 'was removed' : 'was replaced'
    throw new JournalFault('FAILED', `${this.#path} ${what} while the node ran: its last writes are lost`)
  }

  #lookOnce(): FileIdentity | undefined {
    try {
      return this.#look()
    } catch (cause) {
      throw fileFault(cause, `cannot inspect ${this.#path}`)
    }
  }
}
