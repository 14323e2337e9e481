/** The dialogs opened from the menu: they cover the page, and the menu is closed first. */
import { signal } from '@preact/signals'
import type { AccountOpening } from '../../customer/lazy-account-dialog.tsx'
import type { MailLink } from '../../customer/mail-link.ts'

export class MenuQuestions {
  readonly asksForget = signal(false)
  readonly asksOneClick = signal(false)
  /** The dialog of the customer's account. */
  readonly account = signal<AccountOpening | undefined>(undefined)

  /**
   * `link` is the link of the email that opened the page; undefined if the page was opened in another way.
   */
  constructor(link: MailLink | undefined) {
    if (link !== undefined) this.account.value = { link }
  }
}
