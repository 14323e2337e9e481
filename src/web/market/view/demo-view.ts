/** The button that starts and stops the demo market of a sandbox. Only the page of a sandbox has it. */

import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { fetchDemoState, isDemoOffered, switchDemo } from '../connection/demo-market.ts'
import { byId, setText } from './dom.ts'

export class DemoView {
  readonly #button = byId('demo', HTMLButtonElement)
  readonly isOffered = isDemoOffered()
  #isRunning = false
  /** The node's message instead of an answer. */
  #failure: string | undefined

  constructor() {
    if (!this.isOffered) return
    this.#button.addEventListener('click', () => void this.#ask(() => switchDemo(!this.#isRunning)))
    onLanguage(() => this.#write())
    // Its space is reserved from the beginning, so that nothing moves when the node answers.
    this.#button.disabled = true
    this.#button.hidden = false
  }

  /** Requests the current state, since the node may have been restarted. */
  refresh(): void {
    if (this.isOffered) void this.#ask(fetchDemoState)
  }

  async #ask(question: () => Promise<boolean>): Promise<void> {
    this.#button.disabled = true
    try {
      this.#isRunning = await question()
      this.#failure = undefined
    } catch (cause) {
      this.#failure = cause instanceof Error ? cause.message : String(cause)
    }
    this.#write()
    this.#button.disabled = false
  }

  #write(): void {
    const { start, stop, about } = TEXTS.page.demo
    setText(this.#button, this.#isRunning ? stop : start)
    this.#button.setAttribute('aria-pressed', String(this.#isRunning))
    this.#button.title = this.#failure ?? about
  }
}
