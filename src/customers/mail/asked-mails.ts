/**
 * Mails that anybody may ask for, by an address alone. A request only waits here; a moment later all of them
 * are looked up and written in one transaction, in which an address without an account takes the same work:
 * neither the answer nor a later one takes longer for one that has an account.
 */

import { digestOf, newToken } from '../names.ts'
import type { LinkKind } from '../store/links.ts'
import { addSecurityMail, type SecurityMailParts } from './security-mail.ts'

/** A kind of mail that is a kind of link too. */
export type AskedKind = Extract<LinkKind, 'RECOVER' | 'UNFREEZE'>

/** Requests that wait; one more is answered like all, and sends nothing. */
export const ASKED_MAX = 1_000
/** The link of such a mail is good for so long. */
export const ASKED_LINK_MS = 30 * 60_000
/** Mails of one kind to one address in an hour; more are asked for in vain, and are answered as all are. */
const MAILS_PER_HOUR = 5
const HOUR_MS = 3_600_000

type Asked = { readonly kind: AskedKind; readonly mailIndex: Uint8Array }

export class AskedMails {
  readonly #parts: SecurityMailParts
  #waiting: Asked[] = []

  constructor(parts: SecurityMailParts) {
    this.#parts = parts
  }

  /** Lost if the process ends within a second: the person asks again. */
  ask(kind: AskedKind, mail: string): void {
    const mailIndex = this.#parts.store.keys.mailIndex(mail)
    if (this.#waiting.length < ASKED_MAX) this.#waiting.push({ kind, mailIndex })
  }

  /** Called now and then. */
  write(): void {
    const asked = this.#waiting.splice(0)
    if (asked.length === 0) return
    this.#parts.store.atOnce(() => {
      for (const one of asked) this.#writeOne(one)
    })
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

  /** The work of a mail that is not sent. */
  #writeNothing(token: string): void {
    const { links, records } = this.#parts.store
    links.writeDecoy(digestOf(token))
    records.writeDecoy(this.#parts.world.now(), token)
  }
}
