/**
 * Sends the queued emails, each by one process at a time, and at least once under one Message-ID. If an email
 * may have been sent and the answer was lost, it is sent again, and its text mentions this.
 */

import type { MailTransport, World } from '../ports.ts'
import type { MailDetails, MailRow, Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import type { CustomersConfig } from '../terms.ts'
import { mailOf } from './mail-texts.ts'
import { phraseOf } from './phrase.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The time for which sending is retried while the mail server cannot be reached. */
export const GIVE_UP_MS = 24 * HOUR_MS
/** Maximum number of unsent emails: at this number sign-ups are refused, but security emails are not. */
export const WAITING_MAX = 2_000
/** Maximum number of emails in one run: a full queue does not keep the process from its other work. */
const OF_A_RUN_MAX = 50

export class MailSender {
  readonly #store: Store
  readonly #records: Records
  readonly #transport: MailTransport
  readonly #config: CustomersConfig
  readonly #world: Pick<World, 'now' | 'log'>
  #isRunning = false

  constructor(
    store: Store,
    transport: MailTransport,
    { config, world }: { readonly config: CustomersConfig; readonly world: Pick<World, 'now' | 'log'> },
  ) {
    this.#store = store
    this.#records = store.records
    this.#transport = transport
    this.#config = config
    this.#world = world
  }

  /** Sends the emails that are due, one after the other; called repeatedly. */
  async sendDue(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      for (let n = 0; n < OF_A_RUN_MAX; n++) {
        const mail = this.#records.mailDue(this.#world.now())
        if (mail === undefined || !(await this.#send(mail))) return
      }
    } finally {
      this.#isRunning = false
    }
  }

  /** Sends one email; returns whether the mail server answers. */
  async #send(mail: MailRow & MailDetails): Promise<boolean> {
    const { now, log } = this.#world
    const { name, rpId } = this.#config
    const isAgain = mail.state === 'SENDING'
    const tries = mail.tries + 1
    const nextMs = now() + Math.min(MINUTE_MS * 2 ** (tries - 1), HOUR_MS)
    // If the process is killed after this line, it is unknown whether the email was sent.
    if (!this.#records.claimMail(mail, nextMs)) return true
    const phrase = phraseOf(this.#store, mail)
    const { subject, text } = mailOf(mail, this.#config, { isAgain, phrase })
    const messageId = `<${mail.id}@${rpId}>`
    const { to, language } = mail
    const outcome = await this.#transport.send({ messageId, fromName: name, to, subject, text, language })
    const fields = { mail: mail.id, kind: mail.kind, tries }
    switch (outcome.kind) {
      case 'SENT':
        this.#records.mailBecomes(mail.number, 'SENT', tries, nextMs)
        return true
      case 'REFUSED':
        log.warn({ ...fields, problem: outcome.problem }, 'an email was permanently refused')
        this.#records.mailBecomes(mail.number, 'BOUNCED', tries, nextMs)
        return true
      case 'LATER':
      case 'IN_DOUBT': {
        const isOver = now() - mail.at_ms >= GIVE_UP_MS
        log.warn({ ...fields, problem: outcome.problem, isOver }, 'an email could not be sent now')
        const state = isOver ? 'BOUNCED' : outcome.kind === 'IN_DOUBT' || isAgain ? 'SENDING' : 'WAITING'
        this.#records.mailBecomes(mail.number, state, tries, nextMs)
        return false
      }
    }
  }
}
