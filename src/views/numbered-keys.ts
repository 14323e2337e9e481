/** API keys by text, and by account and number: the place among all keys of the account. */
import type { ApiKey } from '../core/registry/records.ts'
import type { AccountId, KeyNumber } from '../units/ids.ts'

type NumberedKey = { readonly number: KeyNumber; apiKey: ApiKey }

export class NumberedKeys {
  readonly #keyByText = new Map<string, NumberedKey>()
  /** In the order of creation, which is that of their numbers. */
  readonly #keysByAccount = new Map<AccountId, NumberedKey[]>()

  /** A key was created or changed. Keys of an account come in the order of their creation. */
  put(apiKey: ApiKey): void {
    const known = this.#keyByText.get(apiKey.apiKey)
    if (known !== undefined) {
      known.apiKey = apiKey
      return
    }
    const keys = this.#keysByAccount.get(apiKey.accountId) ?? []
    const key = { number: (keys.length + 1) as KeyNumber, apiKey }
    keys.push(key)
    this.#keyByText.set(apiKey.apiKey, key)
    this.#keysByAccount.set(apiKey.accountId, keys)
  }

  get(text: string): ApiKey | undefined {
    return this.#keyByText.get(text)?.apiKey
  }

  numberOf(text: string): KeyNumber | undefined {
    return this.#keyByText.get(text)?.number
  }

  numbered(accountId: AccountId, number: KeyNumber): ApiKey | undefined {
    return this.#keysByAccount.get(accountId)?.[number - 1]?.apiKey
  }
}
