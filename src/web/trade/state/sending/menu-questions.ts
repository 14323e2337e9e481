/** What the menu asks: a question stands over the page, and the menu is gone by then. */
import { signal } from '@preact/signals'

export class MenuQuestions {
  readonly asksForget = signal(false)
  readonly asksOneClick = signal(false)
}
