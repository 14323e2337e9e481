/**
 * Emails that anyone can request with only an address. A request is only queued here. A moment later all
 * queued requests are looked up and written in one transaction, in which an address without an account causes
 * the same work: neither this answer nor a later one takes longer for an address with an account.
 */

import { digestOf, newToken } from '../names.ts'
import type { LinkKind } from '../store/links.ts'
import { StoreAwayFault } from '../store/sql.ts'
import { addSecurityMail, type SecurityMailParts } from './security-mail.ts'

/** A kind of email that is also a kind of link. */
export type AskedKind = Extract<LinkKind, 'RECOVER' | 'UNFREEZE'>

/** Maximum number of queued requests; further ones get the same answer, and no email is sent. */
export const ASKED_MAX = 1_000
/** The time for which the link of such an email is valid. */
export const ASKED_LINK_MS = 30 * 60_000
/**
 * Maximum number of emails of one kind to one address in an hour; further requests get the same answer, and
 * no email is sent.
 */
const MAILS_PER_HOUR = 5
const HOUR_MS = 3_600_000

type Asked = { readonly kind: AskedKind; readonly mailIndex: Uint8Array }

export class AskedMails {
  readonly #parts: SecurityMailParts
  #waiting: Asked[] = []

  constructor(parts: SecurityMailParts) {
    this.#parts = parts
  }

  /** Lost if the process ends within a second; then the person requests the email again. */
  ask(kind: AskedKind, mail: string): void {
    const mailIndex = this.#parts.store.keys.mailIndex(mail)
    if (this.#waiting.length < ASKED_MAX) this.#waiting.push({ kind, mailIndex })
  }

  /** Called at intervals. Throws `StoreAwayFault`; the requests then wait for the next call. */
  write(): void {
    const asked = this.#waiting.splice(0)
    if (asked.length === 0) return
    try {
      this.#parts.store.atOnce(() => {
        for (const one of asked) this.#writeOne(one)
      })
    } catch (cause) {
      if (cause instanceof StoreAwayFault) this.#waiting.unshift(...asked)
      throw cause
    }
  }

  #writeOne({ kind, mailIndex }: Asked): void {
    const { people, links } = this.#parts.store
    const nowMs = this.#parts.world.now()
    const found = people.byMail(mailIndex)
    const person = found?.state === 'ACTIVE' ? found : undefined
    const count = links.countSince(person?.owner ?? '', kind, nowMs - HOUR_MS)
    const token = newToken(this.#parts.world.randomBytes)
    if (person === undefined || count >= MAILS_PER_HOUR) {
      this.#writeNothing(token)
      return
    }
    const link = { token_digest: digestOf(token), owner: person.owner, kind }
    links.add({ ...link, created_ms: nowMs, expires_ms: nowMs + ASKED_LINK_MS })
    addSecurityMail(this.#parts, person, kind, token)
  }

  /** Does the work of an email that is not sent, so that it takes the same time. */
  #writeNothing(token: string): void {
    const { links, records } = this.#parts.store
    links.writeDecoy(digestOf(token))
    records.writeDecoy(this.#parts.world.now(), token)
  }
}
