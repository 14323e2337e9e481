/** The button that starts and stops the demo market of a sandbox; elsewhere it is not there. */
import { fetchDemoState, isDemoOffered, switchDemo } from '../connection/demo-market.ts'
import { byId, setText } from './dom.ts'

export class DemoView {
  readonly #button = byId('demo', HTMLButtonElement)
  readonly isOffered = isDemoOffered()
  #isRunning = false

  constructor() {
    if (!this.isOffered) return
    this.#button.addEventListener('click', () => void this.#ask(() => switchDemo(!this.#isRunning)))
  }

  /** The node may have been started anew: asks it what is so. */
  refresh(): void {
    if (this.isOffered) void this.#ask(fetchDemoState)
  }

  async #ask(question: () => Promise<boolean>): Promise<void> {
    this.#button.disabled = true
    try {
      this.#isRunning = await question()
      setText(this.#button, this.#isRunning ? 'Stop demo market' : 'Start demo market')
      this.#button.setAttribute('aria-pressed', String(this.#isRunning))
      this.#button.title = 'Makers and takers of the sandbox trade, so that the market lives'
    } catch (cause) {
      this.#button.title = cause instanceof Error ? cause.message : String(cause)
    }
    this.#button.disabled = false
    this.#button.hidden = false
  }
}
