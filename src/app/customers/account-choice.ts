/**
 * Requests under `/account` in a gateway of a cluster. A request goes to the process named in its cookie,
 * since only that process has the state of a sign-in in progress. If that process does not answer, it goes to
 * another one, which stays the same for a client as long as the same processes answer. An operation in
 * progress must be started again there; sessions continue.
 */
import { createHash } from 'node:crypto'
import type { AccountRequest, AccountService } from '../../server/public/account-requests.ts'
import { away, forwarded } from './account-forward.ts'
import { AddressPlaces } from './address-places.ts'
import type { CustomersPool } from './customers-pool.ts'

/** The name of the process that has set the cookie, and the rest of its value. */
const COOKIE =
  /(?:^|;\s*)__Host-session=(?:(?<name>[a-z0-9][a-z0-9-]{0,62})\.)?(?<token>[A-Za-z0-9_-]{1,128})/

export class AccountChoice implements AccountService {
  readonly #pool: CustomersPool
  readonly #places = new AddressPlaces()

  constructor(pool: CustomersPool) {
    this.#pool = pool
  }

  async answer(asked: AccountRequest): Promise<Response> {
    const { request, address, path } = asked
    const names = orderOf(this.#pool.names, request.headers.get('cookie') ?? '', address)
    const answer = await this.#places.within(address, () => this.#pool.send(names, path, forwarded(asked)))
    return answer ?? away(request.headers.get('accept-language'))
  }
}

/** All names: first the one in the cookie, then the others in an order determined by the client. */
export function orderOf(names: readonly string[], cookies: string, address: string): readonly string[] {
  const { name: named, token = address } = COOKIE.exec(cookies)?.groups ?? {}
  const weightOf = (name: string): string =>
    name === named ? '' : createHash('sha256').update(`${name} ${token}`).digest('hex')
  return names
    .map((name) => ({ name, weight: weightOf(name) }))
    .toSorted((a, b) => (a.weight < b.weight ? -1 : 1))
    .map(({ name }) => name)
}
