/** The target of a webhook: the form of the address that an operator enters, and the accepted addresses. */
import { isIP } from 'node:net'
import { invalid } from '../context.ts'
import { isPublicAddress } from './reachable-addresses.ts'

/** Throws an `AdminRequestError` that names the field. `mayBePrivate`: see `Delivery`. */
export function targetUrl(text: string, mayBePrivate: boolean): URL {
  const url = URL.parse(text)
  if (url === null) throw invalid('url', 'expected an address such as https://books.example/bourse')
  if (url.protocol !== 'https:' && !(mayBePrivate && url.protocol === 'http:')) {
    const unless = mayBePrivate ? 'https or http' : 'https (http needs the setting webhooks.privateAddresses)'
    throw invalid('url', `expected ${unless}, found ${url.protocol.slice(0, -1)}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('url', 'expected no user and no password: the signature identifies the sender')
  }
  if (url.hash !== '') throw invalid('url', 'expected no fragment (#...): it is never sent')
  const host = hostOf(url)
  if (isIP(host) > 0 && !mayBePrivate && !isPublicAddress(host)) {
    throw invalid(
      'url',
      `expected a public address, found ${host} (a private one needs the setting webhooks.privateAddresses)`,
    )
  }
  return url
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
