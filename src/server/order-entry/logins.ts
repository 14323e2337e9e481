/**
 * Logins by key and by account: ending some of them does not iterate over the others, however many there are.
 */
import type { AccountId } from '../../units/ids.ts'

/** The key and the account of a login. */
export type Principal = { readonly apiKey: string; readonly accountId: AccountId }

export class Logins<Member> {
  readonly #principalByMember = new Map<Member, Principal>()
  readonly #membersByApiKey = new Map<string, Set<Member>>()
  readonly #membersByAccount = new Map<AccountId, Set<Member>>()

  get count(): number {
    return this.#principalByMember.size
  }

  /** Number of keys and accounts that have a login. */
  get holders(): number {
    return this.#membersByApiKey.size + this.#membersByAccount.size
  }

  /** `member` must not have been added yet. */
  add(member: Member, principal: Principal): void {
    this.#principalByMember.set(member, principal)
    put(this.#membersByApiKey, principal.apiKey, member)
    put(this.#membersByAccount, principal.accountId, member)
  }

  /** Does nothing if `member` was not added. */
  remove(member: Member): void {
    const principal = this.#principalByMember.get(member)
    if (principal === undefined) return
    this.#principalByMember.delete(member)
    take(this.#membersByApiKey, principal.apiKey, member)
    take(this.#membersByAccount, principal.accountId, member)
  }

  /** A copy, like the lists below: the caller may end logins while iterating. */
  all(): Member[] {
    return [...this.#principalByMember.keys()]
  }

  ofKey(apiKey: string): Member[] {
    return [...(this.#membersByApiKey.get(apiKey) ?? [])]
  }

  ofAccount(accountId: AccountId): Member[] {
    return [...(this.#membersByAccount.get(accountId) ?? [])]
  }
}

function put<Key, Member>(membersByKey: Map<Key, Set<Member>>, key: Key, member: Member): void {
  const known = membersByKey.get(key)
  if (known === undefined) membersByKey.set(key, new Set([member]))
  else known.add(member)
}

function take<Key, Member>(membersByKey: Map<Key, Set<Member>>, key: Key, member: Member): void {
  const known = membersByKey.get(key)
  known?.delete(member)
  if (known?.size === 0) membersByKey.delete(key)
}
