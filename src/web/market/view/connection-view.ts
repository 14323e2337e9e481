/**
 * Whether what is shown is live. A short interruption changes a word in the corner; one that lasts gets a message.
 */
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { byId, setText } from './dom.ts'

export type Health = 'connecting' | 'live' | 'reconnecting'

/** How long an interruption lasts before it is worth a message. */
const PATIENCE_MS = 1_500

export class ConnectionView {
  readonly #word = byId('connection', HTMLElement)
  readonly #toast = byId('toast', HTMLElement)
  readonly #retry = byId('retry', HTMLButtonElement)
  #health: Health = 'connecting'
  #timer: number | undefined

  constructor(onRetry: () => void) {
    this.#retry.addEventListener('click', onRetry)
    onLanguage(() => this.#write())
  }

  show(health: Health): void {
    this.#health = health
    this.#write()
    if (health === 'live') {
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
  }

  #write(): void {
    setText(this.#word, TEXTS.page.health[this.#health])
  }
}
