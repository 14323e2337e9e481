/**
 * The address lists of keys that customers have created. They are personal data and therefore not in the
 * journal: the customers' process stores them and announces them to the node. The journal's record has a mark
 * in place of the list (docs/reference/account.md#own-keys): the mark is not an address, so a key whose list
 * is missing can be used from no address.
 */
import type { ApiKey } from '../../../core/registry/records.ts'
import { Announcements } from './announcements.ts'

/** The mark in the journal in place of the list of addresses. */
export const KEPT_ADDRESSES = 'kept-by-customers'
/** Maximum number of lists; further ones are refused. */
export const ADDRESS_LISTS_MAX = 200_000

/** The position of a page in an announcement: after the last page, keys that were on no page end. */
export type AnnouncementPlace = 'FIRST' | 'MORE' | 'LAST' | 'WHOLE'

/** A key with the addresses from which it may be used. */
export type AddressList = { readonly apiKey: string; readonly addresses: readonly string[] }

type Kept = { readonly addresses: readonly string[]; telling: number }

export class OwnKeys {
  readonly #keptByKey = new Map<string, Kept>()
  /** The journal's record with its list: the same object as long as neither changes. */
  readonly #bound = new WeakMap<ApiKey, ApiKey>()
  /**
   * Called with each new list, and with each key whose list was dropped, for other processes that accept the
   * same keys.
   */
  onKept: (list: AddressList) => void = () => {}
  onDropped: (apiKey: string) => void = () => {}
  readonly #announcements: Announcements
  #isTold = false

  /** `nowMs`: monotonic milliseconds. */
  constructor(nowMs: () => number) {
    this.#announcements = new Announcements(nowMs)
  }

  /** Whether every existing list has been announced. */
  get isTold(): boolean {
    return this.#isTold
  }

  get size(): number {
    return this.#keptByKey.size
  }

  /** True unless there are too many lists. The list of a key never changes; a key that has ended has none. */
  keep(apiKey: string, addresses: readonly string[]): boolean {
    if (this.#announcements.isEnded(apiKey)) return true
    const known = this.#keptByKey.get(apiKey)
    if (known !== undefined) known.telling = this.#announcements.now
    else if (this.#keptByKey.size >= ADDRESS_LISTS_MAX) return false
    else {
      this.#keptByKey.set(apiKey, { addresses, telling: this.#announcements.now })
      this.onKept({ apiKey, addresses })
    }
    return true
  }

  /** Like `drop`, but the list cannot be added again. */
  dropForGood(apiKey: string): void {
    this.#announcements.ended(apiKey)
    this.drop(apiKey)
  }

  drop(apiKey: string): void {
    if (this.#keptByKey.delete(apiKey)) this.onDropped(apiKey)
  }

  *all(): Generator<AddressList> {
    for (const [apiKey, { addresses }] of this.#keptByKey) yield { apiKey, addresses }
  }

  /** For a copy whose original cannot be reached: drops all lists until they have been announced again. */
  suspend(): void {
    this.#isTold = false
    this.#announcements.clear()
    this.#keptByKey.clear()
  }

  /** Called before the lists of a page are stored, as for session keys. */
  beginPage(place: AnnouncementPlace, by = ''): boolean {
    if (place !== 'FIRST' && place !== 'WHOLE') return this.#announcements.goOn(by)
    this.#announcements.begin(by)
    return true
  }

  /**
   * Called after the lists of a page were stored: with the last page, lists that were on no page are dropped.
   */
  endPage(place: AnnouncementPlace, by = ''): void {
    if (place !== 'LAST' && place !== 'WHOLE') return
    const began = this.#announcements.finish(by) ?? 0
    for (const [apiKey, { telling }] of this.#keptByKey) if (telling < began) this.drop(apiKey)
    this.#isTold = true
  }

  /** Whether the key can be checked only once all lists have been announced. */
  isWaitedFor(record: ApiKey): boolean {
    return hasKeptAddresses(record) && !this.#isTold && !this.#keptByKey.has(record.apiKey)
  }

  /** The record with the addresses from which the key may be used. */
  bound(record: ApiKey): ApiKey {
    if (!hasKeptAddresses(record)) return record
    const kept = this.#keptByKey.get(record.apiKey)
    if (kept === undefined) return record
    const known = this.#bound.get(record)
    if (known?.addresses === kept.addresses) return known
    const made = { ...record, addresses: kept.addresses }
    this.#bound.set(record, made)
    return made
  }
}

export function hasKeptAddresses({ addresses }: Pick<ApiKey, 'addresses'>): boolean {
  return addresses.length === 1 && addresses[0] === KEPT_ADDRESSES
}
