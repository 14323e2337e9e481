/** Who is logged in, by key and by account: whatever ends some of them looks at no others, however many there are. */
import type { AccountId } from '../../units/ids.ts'

/** Whom a login stands for. */
export type Principal = { readonly apiKey: string; readonly accountId: AccountId }

export class Logins<Member> {
  readonly #principalByMember = new Map<Member, Principal>()
  readonly #membersByApiKey = new Map<string, Set<Member>>()
  readonly #membersByAccount = new Map<AccountId, Set<Member>>()

  get count(): number {
    return this.#principalByMember.size
  }

  /** Keys and accounts that have any. */
  get holders(): number {
    return this.#membersByApiKey.size + this.#membersByAccount.size
  }

  /** `member` is not among them yet. */
  add(member: Member, principal: Principal): void {
    this.#principalByMember.set(member, principal)
    put(this.#membersByApiKey, principal.apiKey, member)
    put(this.#membersByAccount, principal.accountId, member)
  }

  /** Nothing, where it is not among them. */
  remove(member: Member): void {
    const principal = this.#principalByMember.get(member)
    if (principal === undefined) return
    this.#principalByMember.delete(member)
    take(this.#membersByApiKey, principal.apiKey, member)
    take(this.#membersByAccount, principal.accountId, member)
  }

  /** A list of its own, as the next ones: whoever goes through it may end logins on the way. */
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
