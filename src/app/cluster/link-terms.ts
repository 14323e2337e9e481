/**
 * Settings of a process's links, from the cluster file and the files that it refers to: secrets,
 * certificates, authorities and addresses. They are read at the start and again on SIGHUP: new links use the
 * new values, open links keep theirs. Addresses stay as they were at the start.
 */
import type { Logger } from '../../server/common/logger.ts'
import { SettingsError } from '../settings/load.ts'

/**
 * Fields that may change when the files are read again. `tls` itself may not appear or disappear: a port
 * either has TLS or does not.
 */
const RENEWED: ReadonlySet<string> = new Set(['secret', 'secrets', 'ca', 'cert', 'key'])

export class LinkTerms<Terms extends object> {
  readonly #read: () => Terms
  #current: Terms

  /** `current`: the terms read at the start; `read` reads them again, and throws `SettingsError`. */
  constructor(current: Terms, read: () => Terms) {
    this.#current = current
    this.#read = read
  }

  get current(): Terms {
    return this.#current
  }

  /**
   * Applies the current content of the files. Returns undefined if it is invalid; then all terms stay
   * unchanged, and the log states the reason.
   */
  renew(log: Logger): Terms | undefined {
    try {
      const terms = this.#read()
      if (placesOf(terms) !== placesOf(this.#current)) {
        const expected = 'expected the same link addresses as at startup'
        throw new SettingsError(
          `link: ${expected}: to change the addresses, or to turn tls on or off, restart the process`,
        )
      }
      this.#current = terms
      log.info({}, 'the secrets and certificates of links were reloaded: new links use them')
      return terms
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      log.error(
        { problem: error.message },
        'the old secrets and certificates of links stay in use: the new ones are invalid',
      )
      return undefined
    }
  }
}

function placesOf(terms: object): string {
  return JSON.stringify(terms, (name, value: unknown) => (RENEWED.has(name) ? undefined : value))
}
