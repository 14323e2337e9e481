/**
 * Checks whether a request comes from a page of this exchange: host, `Origin`, `Sec-Fetch-Site` and the token
 * that belongs to the cookie. A foreign page can make a browser send the cookie, but cannot pass all of these
 * checks.
 */
import { timingSafeEqual } from 'node:crypto'
import { CSRF_HEADER } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersConfig } from '../terms.ts'

/** Undefined if the request came to an address of the exchange. */
export function addressRefusal(
  headers: Headers,
  { origin, origins }: CustomersConfig,
): AccountRefusal | undefined {
  const host = headers.get('host')
  return origins.some((each) => new URL(each).host === host)
    ? undefined
    : refused('WRONG_ADDRESS', { origin })
}

/** For a POST. Undefined if it comes from a page of this exchange, in the browser that owns the cookie. */
export function foreignRefusal(
  headers: Headers,
  { origins }: CustomersConfig,
  csrfToken: string,
): AccountRefusal | undefined {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin') ?? ''
  // A page may only send requests to its own address.
  const isOwn = origins.includes(origin) && new URL(origin).host === headers.get('host')
  const isSameSite = site === null || site === 'same-origin'
  return isOwn && isSameSite && isSame(headers.get(CSRF_HEADER), csrfToken)
    ? undefined
    : refused('FOREIGN_PAGE', {})
}

function isSame(shown: string | null, right: string): boolean {
  const [one, other] = [Buffer.from(shown ?? ''), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
