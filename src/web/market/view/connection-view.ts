/**
 * Whether the displayed data is live. A short interruption changes only a word in the corner; a longer one
 * shows a message. A browser without a network shows the message at once.
 */
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { byId, setText } from './dom.ts'

export type ConnectionHealth = 'connecting' | 'live' | 'reconnecting'

/** The time after which an interruption shows a message. */
const PATIENCE_MS = 1_500

export class ConnectionView {
  readonly #word = byId('connection', HTMLElement)
  readonly #toast = byId('toast', HTMLElement)
  readonly #title = byId('lost-title', HTMLElement)
  readonly #advice = byId('lost-advice', HTMLElement)
  readonly #retry = byId('retry', HTMLButtonElement)
  #health: ConnectionHealth = 'connecting'
  /** The browser reports that it is offline. */
  #isOffline = false
  #timer: number | undefined

  constructor(onRetry: () => void) {
    this.#retry.addEventListener('click', onRetry)
    onLanguage(() => this.#write())
  }

  show(health: ConnectionHealth): void {
    this.#health = health
    if (health === 'live') {
      // Data has arrived, whatever the browser reports.
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

  /**
   * Sets the browser's network state. Once the network is back, the page is not live until data has been
   * received.
   */
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
