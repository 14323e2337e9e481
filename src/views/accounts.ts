/**
 * Accounts by name and keys by account as the last batch left them: what only an operator asks for, kept apart
 * from what every request needs.
 */
import type { ExchangeEvent } from '../core/exchange/event.ts'
import type { Bootstrap } from '../core/exchange/view.ts'
import type { Account, AccountProfile, ApiKey } from '../core/registry/records.ts'
import type { AccountId } from '../units/ids.ts'
import { invariant } from '../units/invariant.ts'
import { TextIndex } from '../units/text-index.ts'
import { LookIndex } from './look-index.ts'

/** What readers see of accounts and their keys. */
export interface AccountsView {
  readonly accountCount: number
  readonly apiKeyCount: number
  accountByName(name: string): Account | undefined
  /** At most `limit` names of accounts that look like `name` and are another one; the latest first. */
  namesLike(name: string, limit: number): readonly string[]
  /** The account of a customer, by the id that operators have noted. */
  accountOfCustomer(customerId: string): Account | undefined
  /** As `accounts`, of those with a label alone. */
  labelledAccounts(label: string, limit: number, after?: AccountId): readonly Account[]
  /**
   * At most `limit` accounts, customers first and the house's own behind them, each in the order of creation; those after `after`, or from the first one. Accounts that
   * come meanwhile move no other.
   */
  accounts(limit: number, after?: AccountId): readonly Account[]
  /** The keys of an account in the order of creation. */
  apiKeys(accountId: AccountId): readonly ApiKey[]
  /** The keys of all accounts, one after the other; keys may change and be added meanwhile. */
  everyApiKey(): Iterable<ApiKey>
}

export type AccountsStart = Pick<Bootstrap, 'accounts' | 'apiKeys'>

/** An `AccountsView` that follows events. */
export class Accounts implements AccountsView {
  readonly #accounts: Account[] = []
  /** One for each symbol and a few more. */
  readonly #ofHouse: AccountId[] = []
  /** An account's name, which never changes, has the number of its account. */
  readonly #names = new TextIndex()
  readonly #looks = new LookIndex()
  readonly #accountIdByCustomer = new Map<string, AccountId>()
  readonly #accountIdsByLabel = new Map<string, Set<AccountId>>()
  readonly #keysByAccount = new Map<AccountId, Map<string, ApiKey>>()
  #apiKeyCount = 0

  constructor(start: AccountsStart) {
    this.restart(start)
  }

  /** Begins again from a later state. No account and no key ever goes, so what is there is written over. */
  restart(start: AccountsStart): void {
    for (const account of start.accounts) this.#putAccount(account)
    for (const apiKey of start.apiKeys) this.#putApiKey(apiKey)
  }

  /** Takes over what an event says of accounts and keys; other events change nothing. */
  apply(event: ExchangeEvent): void {
    if (event.kind === 'AccountCreated' || event.kind === 'AccountChanged') this.#putAccount(event.account)
    else if (event.kind === 'ApiKeyChanged') this.#putApiKey(event.apiKey)
  }

  get accountCount(): number {
    return this.#accounts.length
  }

  get apiKeyCount(): number {
    return this.#apiKeyCount
  }

  accountByName(name: string): Account | undefined {
    return this.#accounts[this.#names.find(name)]
  }

  namesLike(name: string, limit: number): readonly string[] {
    return this.#looks.alike(name, limit, (id) => this.#accounts[id]?.name ?? '')
  }

  accountOfCustomer(customerId: string): Account | undefined {
    const id = this.#accountIdByCustomer.get(customerId)
    return id === undefined ? undefined : this.#accounts[id]
  }

  /** Takes time in proportion to those that have the label. */
  labelledAccounts(label: string, limit: number, after?: AccountId): readonly Account[] {
    const ids = [...(this.#accountIdsByLabel.get(label) ?? [])].filter(
      (id) => after === undefined || id > after,
    )
    const first = ids.sort((a, b) => a - b).slice(0, limit)
    return first.flatMap((id) => this.#accounts[id] ?? [])
  }

  accounts(limit: number, after?: AccountId): readonly Account[] {
    const last = after === undefined ? undefined : this.#accounts[after]
    const found: Account[] = []
    const start = last === undefined || isCustomer(last) ? (after ?? -1) + 1 : this.#accounts.length
    for (let id = start; id < this.#accounts.length && found.length < limit; id++) {
      const account = this.#accounts[id] as Account
      if (isCustomer(account)) found.push(account)
    }
    for (const id of this.#ofHouse) {
      if (found.length >= limit) break
      if (last === undefined || isCustomer(last) || id > last.id) found.push(this.#accounts[id] as Account)
    }
    return found
  }

  apiKeys(accountId: AccountId): readonly ApiKey[] {
    return [...(this.#keysByAccount.get(accountId)?.values() ?? [])]
  }

  *everyApiKey(): Iterable<ApiKey> {
    for (const keys of this.#keysByAccount.values()) yield* keys.values()
  }

  #putAccount(account: Account): void {
    const { length } = this.#accounts
    invariant(account.id <= length, () => `expected account ${length} next, found ${account.id}`)
    if (account.id === length) {
      this.#names.add(account.name)
      this.#looks.add(account.name)
      if (!isCustomer(account)) this.#ofHouse.push(account.id)
    }
    this.#noteProfile(this.#accounts[account.id]?.profile, account)
    this.#accounts[account.id] = account
  }

  #noteProfile(before: AccountProfile | undefined, { id, profile }: Account): void {
    if (before === profile) return
    if (before?.customerId) this.#accountIdByCustomer.delete(before.customerId)
    for (const label of before?.labels ?? []) {
      const ids = this.#accountIdsByLabel.get(label)
      ids?.delete(id)
      if (ids?.size === 0) this.#accountIdsByLabel.delete(label)
    }
    if (profile?.customerId) this.#accountIdByCustomer.set(profile.customerId, id)
    for (const label of profile?.labels ?? []) {
      const ids = this.#accountIdsByLabel.get(label)
      if (ids === undefined) this.#accountIdsByLabel.set(label, new Set([id]))
      else ids.add(id)
    }
  }

  #putApiKey(apiKey: ApiKey): void {
    let keys = this.#keysByAccount.get(apiKey.accountId)
    if (keys === undefined) {
      keys = new Map()
      this.#keysByAccount.set(apiKey.accountId, keys)
    }
    if (!keys.has(apiKey.apiKey)) this.#apiKeyCount++
    keys.set(apiKey.apiKey, apiKey)
  }
}

function isCustomer({ role }: Account): boolean {
  return role === 'trader'
}
