/** API keys by text, and by account and number: the place among all keys that the account has had. */
import type { ApiKey } from '../core/registry/records.ts'
import type { AccountId, KeyNumber } from '../units/ids.ts'

type NumberedKey = { readonly number: KeyNumber; apiKey: ApiKey }

export class NumberedKeys {
  readonly #keyByText = new Map<string, NumberedKey>()
  /** In the order of creation, which is the order of their numbers. */
  readonly #keysByAccount = new Map<AccountId, NumberedKey[]>()

  /**
   * Called when a key was created or changed. Keys of an account come in the order of their creation; the
   * number of a new key is one above the newest key's, unless the key has its own number.
   */
  put(apiKey: ApiKey): void {
    const known = this.#keyByText.get(apiKey.apiKey)
    if (known !== undefined) {
      known.apiKey = apiKey
      return
    }
    const keys = this.#keysByAccount.get(apiKey.accountId) ?? []
    const { number = ((keys.at(-1)?.number ?? 0) + 1) as KeyNumber } = apiKey
    const key = { number, apiKey }
    keys.push(key)
    this.#keyByText.set(apiKey.apiKey, key)
    this.#keysByAccount.set(apiKey.accountId, keys)
  }

  /**
   * Called when a key was removed from its account; its number is not used again. It is not the newest of the
   * account.
   */
  remove(text: string): void {
    const key = this.#keyByText.get(text)
    if (key === undefined) return
    this.#keyByText.delete(text)
    const keys = this.#keysByAccount.get(key.apiKey.accountId) ?? []
    keys.splice(placeOf(keys, key.number), 1)
  }

  get(text: string): ApiKey | undefined {
    return this.#keyByText.get(text)?.apiKey
  }

  numberOf(text: string): KeyNumber | undefined {
    return this.#keyByText.get(text)?.number
  }

  /** Undefined if the account never had a key with this number, or if the key was removed. */
  numbered(accountId: AccountId, number: KeyNumber): ApiKey | undefined {
    const keys = this.#keysByAccount.get(accountId) ?? []
    const key = keys[placeOf(keys, number)]
    return key?.number === number ? key.apiKey : undefined
  }
}

/** The place of the first key with this number or a higher one. */
function placeOf(keys: readonly NumberedKey[], number: KeyNumber): number {
  // As long as no key was removed, the position is the number.
  if (keys[number - 1]?.number === number) return number - 1
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as NumberedKey).number < number) low = middle + 1
    else high = middle
  }
  return low
}
