/** The links of a gateway to its historians: each is reopened when it has ended. */

import type { Logger } from '../../server/common/logger.ts'
import type { NamedAddress } from '../../transport/link/asking/leader-link.ts'
import { LinkKeeper } from '../../transport/link/asking/link-keeper.ts'
import { openReaderLink, type ReaderLink } from '../../transport/link/asking/reader-link.ts'
import type { ReachedHistory } from './history-chooser.ts'

export type HistorianLinksOptions = {
  /**
   * The historians, and the secret shared with them, read again whenever a link is opened. The number of
   * historians is constant.
   */
  readonly links: () => {
    readonly historians: readonly NamedAddress[]
    readonly secret: string
  }
  /** The name of this gateway. */
  readonly name: string
  /** The journal that they must have; undefined if it is not known yet: then no historian is asked. */
  readonly journal: () => string | undefined
  readonly log: Logger
}

export class HistorianLinks {
  readonly #options: HistorianLinksOptions
  readonly #linkByName = new Map<string, ReaderLink>()
  readonly #keepers: LinkKeeper<undefined, ReaderLink>[]

  /** Opens the links. */
  constructor(options: HistorianLinksOptions) {
    this.#options = options
    const { links, name } = options
    this.#keepers = links().historians.map(
      ({ name: historian }, i) =>
        new LinkKeeper<undefined, ReaderLink>({
          open: () => {
            const { historians, secret } = links()
            return openReaderLink({ address: (historians[i] as NamedAddress).address, secret, name })
          },
          begin: async () => undefined,
          onBegun: (_, link) => this.#begun(historian, link),
        }),
    )
  }

  /** The historians that can be asked now. */
  readonly able = (): readonly ReachedHistory[] => {
    const journal = this.#options.journal()
    return [...this.#linkByName.values()].filter(({ welcome }) => welcome.journal === journal)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#keepers.map((keeper) => keeper.stop()))
  }

  #begun(historian: string, link: ReaderLink): void {
    const { log } = this.#options
    this.#linkByName.set(historian, link)
    log.info({ historian }, 'connected to a historian')
    void link.lost.then((fault) => {
      if (this.#linkByName.get(historian) === link) this.#linkByName.delete(historian)
      log.warn({ historian, problem: fault.message }, 'the link to a historian has ended')
    })
  }
}
