/**
 * Accounts by name and keys by account as of the last batch: data that only operators query, kept apart from
 * the data that every request needs.
 */
import type { ApiKeyRemoved, ExchangeEvent } from '../core/events/event.ts'
import type { Bootstrap } from '../core/questions/view.ts'
import type { Account, AccountProfile, ApiKey } from '../core/registry/records.ts'
import type { AccountId } from '../units/ids.ts'
import { invariant } from '../units/invariant.ts'
import { TextIndex } from '../units/text-index.ts'
import { LookAlikeIndex } from './look-alike-index.ts'

/** The view of accounts and their keys for readers. */
export interface AccountsView {
  readonly accountCount: number
  readonly apiKeyCount: number
  accountByName(name: string): Account | undefined
  /** At most `limit` names of accounts that look like `name` but are different; latest first. */
  namesLike(name: string, limit: number): readonly string[]
  /** The account of a customer, by the id that operators recorded. */
  accountOfCustomer(customerId: string): Account | undefined
  /** Like `accounts`, for accounts with this label. */
  labelledAccounts(label: string, limit: number, after?: AccountId): readonly Account[]
  /**
   * At most `limit` accounts after `after`, or from the first one: customers first, then the house's own,
   * each in the order of creation. Accounts created between two calls do not move others.
   */
  accounts(limit: number, after?: AccountId): readonly Account[]
  /** The keys of an account in the order of creation. */
  apiKeys(accountId: AccountId): readonly ApiKey[]
  /**
   * The keys of all accounts, one after the other; during the iteration keys may change, be added or be
   * removed.
   */
  everyApiKey(): Iterable<ApiKey>
}

export type AccountsStart = Pick<Bootstrap, 'accounts' | 'apiKeys'>

/** An `AccountsView` that follows events. */
export class Accounts implements AccountsView {
  readonly #accounts: Account[] = []
  /** The house's own accounts: one for each symbol and a few more. */
  readonly #ofHouse: AccountId[] = []
  /** The number of an account's name in the index is the account's id; a name never changes. */
  readonly #names = new TextIndex()
  readonly #looks = new LookAlikeIndex()
  readonly #accountIdByCustomer = new Map<string, AccountId>()
  readonly #accountIdsByLabel = new Map<string, Set<AccountId>>()
  readonly #keysByAccount = new Map<AccountId, Map<string, ApiKey>>()
  #apiKeyCount = 0

  constructor(start: AccountsStart) {
    this.restart(start)
  }

  /**
   * Restarts from a later state. Accounts are never removed, so the existing ones are overwritten; keys may
   * have been removed from their accounts.
   */
  restart(start: AccountsStart): void {
    for (const account of start.accounts) this.#putAccount(account)
    this.#keysByAccount.clear()
    this.#apiKeyCount = 0
    for (const apiKey of start.apiKeys) this.#putApiKey(apiKey)
  }

  /** Applies an event about accounts or keys; other events change nothing. */
  apply(event: ExchangeEvent): void {
    if (event.kind === 'AccountCreated' || event.kind === 'AccountChanged') this.#putAccount(event.account)
    else if (event.kind === 'ApiKeyChanged') this.#putApiKey(event.apiKey)
    else if (event.kind === 'ApiKeyRemoved') this.#removeApiKey(event)
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

  /** The time is proportional to the number of accounts with the label. */
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

  #removeApiKey({ accountId, apiKey }: ApiKeyRemoved): void {
    if (this.#keysByAccount.get(accountId)?.delete(apiKey)) this.#apiKeyCount--
  }
}

function isCustomer({ role }: Account): boolean {
  return role === 'trader'
}
