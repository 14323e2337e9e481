/**
 * The keys of each account by their texts, in the order of creation, with their numbers: from 1, one more for
 * each key, and never reused. For this reason the last key of an account is never removed.
 */
import type { AccountId, KeyNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { ApiKey } from './records.ts'

const NONE: readonly string[] = []

export class KeyNumbers {
  readonly #textsByAccount = new Map<AccountId, string[]>()
  /**
   * The numbers of keys by place, for accounts from which keys were removed. In all other accounts a key's
   * number is its place, from 1.
   */
  readonly #numbersByAccount = new Map<AccountId, KeyNumber[]>()

  /** The texts of the account's keys, by number. */
  textsOf(accountId: AccountId): readonly string[] {
    return this.#textsByAccount.get(accountId) ?? NONE
  }

  /** Whether keys were removed from the account. */
  hasLost(accountId: AccountId): boolean {
    return this.#numbersByAccount.has(accountId)
  }

  /** The number of the account's next key. */
  next(accountId: AccountId): KeyNumber {
    const numbers = this.#numbersByAccount.get(accountId)
    return ((numbers?.at(-1) ?? this.textsOf(accountId).length) + 1) as KeyNumber
  }

  /** `number` is above the next one if the keys between were removed. */
  add({ accountId, apiKey }: ApiKey, number = this.next(accountId)): void {
    const texts = this.#textsByAccount.get(accountId)
    const numbers = this.#numbersByAccount.get(accountId)
    if (numbers !== undefined) numbers.push(number)
    else if (number !== this.next(accountId))
      this.#numbersByAccount.set(accountId, [...this.#places(accountId), number])
    if (texts === undefined) this.#textsByAccount.set(accountId, [apiKey])
    else texts.push(apiKey)
  }

  /** Removes a key from its account; its number is not reused. */
  remove({ accountId, apiKey }: ApiKey): void {
    const texts = this.#textsByAccount.get(accountId) ?? []
    const place = texts.indexOf(apiKey)
    const isThere = place >= 0 && place < texts.length - 1
    invariant(isThere, () => `key ${place} of ${texts.length} of account ${accountId} must not be removed`)
    const numbers = this.#numbersByAccount.get(accountId) ?? this.#places(accountId)
    texts.splice(place, 1)
    numbers.splice(place, 1)
    this.#numbersByAccount.set(accountId, numbers)
  }

  /**
   * All these keys, in the order of creation. A listed key has a number only if that is not one above the
   * previous key's.
   */
  listed(apiKeys: Iterable<ApiKey>): ApiKey[] {
    if (this.#numbersByAccount.size === 0) return [...apiKeys]
    const placeByAccount = new Map<AccountId, number>()
    return Array.from(apiKeys, (apiKey) => {
      const numbers = this.#numbersByAccount.get(apiKey.accountId)
      if (numbers === undefined) return apiKey
      const place = placeByAccount.get(apiKey.accountId) ?? 0
      placeByAccount.set(apiKey.accountId, place + 1)
      const number = numbers[place] as KeyNumber
      return number === (numbers[place - 1] ?? 0) + 1 ? apiKey : { ...apiKey, number }
    })
  }

  #places(accountId: AccountId): KeyNumber[] {
    return this.textsOf(accountId).map((_, index) => (index + 1) as KeyNumber)
  }
}
