/**
 * Lists of addresses of keys that customers have made: personal, so that they are not in the journal. The
 * customers' process keeps them and names them to the node. The journal's record has a mark in place of the
 * list (docs/reference/account.md#own-keys): it is no address, so that a key whose list is not there opens
 * from nowhere.
 */
import type { ApiKey } from '../../../core/registry/records.ts'

/** In the journal in place of the list of addresses. */
export const KEPT_ADDRESSES = 'kept-by-customers'
/** Most lists; one more is refused. */
export const ADDRESS_LISTS_MAX = 200_000

/** The position of a page in an announcement: after the last page, keys that no page has named end. */
export type TellingPlace = 'FIRST' | 'MORE' | 'LAST' | 'WHOLE'

/** A key with the addresses from which it may be used. */
export type AddressList = { readonly apiKey: string; readonly addresses: readonly string[] }

type Kept = { readonly addresses: readonly string[]; telling: number }

export class OwnKeys {
  readonly #keptByKey = new Map<string, Kept>()
  /** The journal's record with its list: the same one as long as neither changes. */
  readonly #bound = new WeakMap<ApiKey, ApiKey>()
  /** For other processes that take the same keys: each list, and each that is dropped. */
  onKept: (list: AddressList) => void = () => {}
  onDropped: (apiKey: string) => void = () => {}
  #telling = 0
  #isTold = false

  /** Whether every existing list has been named. */
  get isTold(): boolean {
    return this.#isTold
  }

  get size(): number {
    return this.#keptByKey.size
  }

  /** True unless there are too many lists. The list of a key never changes. */
  keep(apiKey: string, addresses: readonly string[]): boolean {
    const known = this.#keptByKey.get(apiKey)
    if (known !== undefined) known.telling = this.#telling
    else if (this.#keptByKey.size >= ADDRESS_LISTS_MAX) return false
    else {
      this.#keptByKey.set(apiKey, { addresses, telling: this.#telling })
      this.onKept({ apiKey, addresses })
    }
    return true
  }

  drop(apiKey: string): void {
    if (this.#keptByKey.delete(apiKey)) this.onDropped(apiKey)
  }

  *all(): Generator<AddressList> {
    for (const [apiKey, { addresses }] of this.#keptByKey) yield { apiKey, addresses }
  }

  /** A copy whose original cannot be reached: it has none until all have been named again. */
  suspend(): void {
    this.#isTold = false
    this.#keptByKey.clear()
  }

  /** Before the lists of a page are kept. */
  beginPage(place: TellingPlace): void {
    if (place === 'FIRST' || place === 'WHOLE') this.#telling++
  }

  /** After they were: with the last page, lists that none has named are dropped. */
  endPage(place: TellingPlace): void {
    if (place !== 'LAST' && place !== 'WHOLE') return
    for (const [apiKey, { telling }] of this.#keptByKey) if (telling !== this.#telling) this.drop(apiKey)
    this.#isTold = true
  }

  /** Whether the key can be judged only once all lists have been named. */
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
