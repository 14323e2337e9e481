/**
 * The logins and subscriptions of all connections: a change of a key ends those of this key without visiting
 * others, and events of an account are passed to its subscriptions.
 */
import type { EventBatch, ExchangeEvent } from '../../../core/events/event.ts'
import type { AccountId } from '../../../units/ids.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import { Logins, type Principal } from '../../order-entry/logins.ts'
import type { Note } from '../user-data/execution-reports.ts'
import type { UserDataReader } from '../user-data/user-data-reader.ts'

/** A login or subscription that a key was accepted for; it lasts as long as the key is valid. */
export type GrantHolder = {
  /** Ends the login or subscription if the key is no longer valid. */
  checkGrant(now: TimeMs): void
}

export class Holders {
  readonly #logins = new Logins<GrantHolder>()
  readonly #readersByAccount = new Map<AccountId, Set<UserDataReader>>()
  readonly #changed: () => void

  /** `changed` is called whenever the number of logins and subscriptions changes. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  get count(): number {
    return this.#logins.count
  }

  add(holder: GrantHolder, principal: Principal): void {
    this.#logins.remove(holder)
    this.#logins.add(holder, principal)
    this.#changed()
  }

  remove(holder: GrantHolder): void {
    this.#logins.remove(holder)
    this.#changed()
  }

  follow(accountId: AccountId, reader: UserDataReader): void {
    const readers = this.#readersByAccount.get(accountId)
    if (readers === undefined) this.#readersByAccount.set(accountId, new Set([reader]))
    else readers.add(reader)
  }

  unfollow(accountId: AccountId, reader: UserDataReader): void {
    const readers = this.#readersByAccount.get(accountId)
    readers?.delete(reader)
    if (readers?.size === 0) this.#readersByAccount.delete(accountId)
  }

  checkAll(now: TimeMs): void {
    for (const holder of this.#logins.all()) holder.checkGrant(now)
  }

  /** Publishes a batch that the views already include. */
  publish({ seq, events, ends }: EventBatch, now: TimeMs): void {
    if (this.#logins.count === 0) return
    // If it is unknown which command caused an event, the last one is assumed.
    const commands = ends ?? [events.length]
    let at = 0
    for (const [index, end] of commands.entries()) {
      const command = (seq - commands.length + 1 + index) as Seq
      for (; at < end; at++) this.#apply(events[at] as ExchangeEvent, command, now)
    }
  }

  #apply(event: ExchangeEvent, command: Seq, now: TimeMs): void {
    switch (event.kind) {
      case 'ApiKeyChanged':
        this.#check(this.#logins.ofKey(event.apiKey.apiKey), now)
        return
      case 'ApiKeyRemoved':
        this.#check(this.#logins.ofKey(event.apiKey), now)
        return
      case 'AccountChanged':
        this.#check(this.#logins.ofAccount(event.account.id), now)
        return
      case 'OrderTriggered':
      case 'OrderActivated':
      case 'OrderAmended':
      case 'OrderDecremented':
      case 'ExternalTransfer':
        this.#note(event, command)
        return
      default:
    }
  }

  #check(holders: readonly GrantHolder[], now: TimeMs): void {
    for (const holder of holders) holder.checkGrant(now)
  }

  #note(note: Note, command: Seq): void {
    for (const reader of [...(this.#readersByAccount.get(note.accountId) ?? [])]) reader.note(command, note)
  }
}
