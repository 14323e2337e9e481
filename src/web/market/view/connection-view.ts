/**
 * Whether what is shown is live. A short interruption changes a word in the corner; one that lasts gets a message, and so does a browser without a network, at once.
 */
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { byId, setText } from './dom.ts'

export type ConnectionHealth = 'connecting' | 'live' | 'reconnecting'

/** How long an interruption lasts before it is worth a message. */
const PATIENCE_MS = 1_500

export class ConnectionView {
  readonly #word = byId('connection', HTMLElement)
  readonly #toast = byId('toast', HTMLElement)
  readonly #title = byId('lost-title', HTMLElement)
  readonly #advice = byId('lost-advice', HTMLElement)
  readonly #retry = byId('retry', HTMLButtonElement)
  #health: ConnectionHealth = 'connecting'
  /** The browser says that there is no network. */
  #isOffline = false
  #timer: number | undefined

  constructor(onRetry: () => void) {
    this.#retry.addEventListener('click', onRetry)
    onLanguage(() => this.#write())
  }

  show(health: ConnectionHealth): void {
    this.#health = health
    if (health === 'live') {
      // Whatever the browser says: something has come.
      this.#isOffline = false
      window.clearTimeout(this.#timer)
      this.#timer = undefined
      this.#toast.hidden = true
      document.body.dataset.connection = 'live'
    } else {
      document.body.dataset.connection = health === 'connecting' ? 'connecting' : 'lost'
      this.#timer ??= window.setTimeout(() => {
        this.#toast.hidden = false
      }, PATIENCE_MS)
    }
    this.#write()
  }

  /** What the browser says of its network. Back again is not live yet: only what comes is. */
  setOffline(isOffline: boolean): void {
    this.#isOffline = isOffline
    if (!isOffline) this.#write()
    else {
      this.show('reconnecting')
      this.#toast.hidden = false
    }
  }

  #write(): void {
    const { health, lost, offline } = TEXTS.page
    setText(this.#word, this.#isOffline ? health.offline : health[this.#health])
    const { title, advice } = this.#isOffline ? offline : lost
    setText(this.#title, title)
    setText(this.#advice, advice)
  }
}
