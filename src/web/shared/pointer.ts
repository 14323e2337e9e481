/**
 * Whether a pointer is pressed on the page. Between press and release nothing should move: a browser clicks a
 * button only if both happen on it.
 */

/** A press that lasts longer, or whose release is never reported, no longer delays updates. */
const PRESS_MS_MAX = 5_000

type Wait = (then: () => void, ms: number) => unknown

export class Pointer {
  #press: object | undefined
  #waiting: (() => void)[] = []

  constructor(page: EventTarget, wait: Wait) {
    const begin = () => {
      const press = {}
      this.#press = press
      wait(() => this.#end(press), PRESS_MS_MAX)
    }
    // The click itself follows the release.
    const end = () => {
      const press = this.#press
      wait(() => this.#end(press), 0)
    }
    page.addEventListener('pointerdown', begin, true)
    page.addEventListener('pointerup', end, true)
    page.addEventListener('pointercancel', end, true)
  }

  get isPressed(): boolean {
    return this.#press !== undefined
  }

  /** Resolves at once if no pointer is pressed. */
  untilReleased(): Promise<void> {
    if (this.#press === undefined) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #end(press: object | undefined): void {
    if (press === undefined || press !== this.#press) return
    this.#press = undefined
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
