/**
 * What a process knows of its links, as the files of its cluster say: secrets, certificates, authorities and places. Read at the start, and again when the
 * process is asked to (SIGHUP): links that open from then on use what is new, those that are open stay. Places stay what they were at the start.
 */
import type { Logger } from '../../server/common/logger.ts'
import { SettingsError } from '../settings/load.ts'

/** Fields that may be others when the files are read again; `tls` itself may not: a port cannot have and not have it. */
const RENEWED: ReadonlySet<string> = new Set(['secret', 'secrets', 'ca', 'cert', 'key'])

export class LinkTerms<Terms extends object> {
  readonly #read: () => Terms
  #current: Terms

  /** `current`: as they were read at the start; `read` reads them again, and throws `SettingsError`. */
  constructor(current: Terms, read: () => Terms) {
    this.#current = current
    this.#read = read
  }

  get current(): Terms {
    return this.#current
  }

  /** Takes what the files say now. Undefined: that is of no use, so that all of it stays as it was, and the log says why. */
  renew(log: Logger): Terms | undefined {
    try {
      const terms = this.#read()
      if (placesOf(terms) !== placesOf(this.#current)) {
        const expected = 'expected the links where they were at the start'
        throw new SettingsError(
          `link: ${expected}: for other places, and to turn tls on or off, start the process again`,
        )
      }
      this.#current = terms
      log.info(
        {},
        'secrets and certificates of links have been read again: links that open from now on use them',
      )
      return terms
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      log.error(
        { problem: error.message },
        'secrets and certificates of links stay: the new ones cannot be used',
      )
      return undefined
    }
  }
}

function placesOf(terms: object): string {
  return JSON.stringify(terms, (name, value: unknown) => (RENEWED.has(name) ? undefined : value))
}
