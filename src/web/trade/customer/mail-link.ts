/**
 * The link in an email. Its token is in the fragment, which browsers send to no server, and which is removed
 * from the address at once.
 */

const KINDS = ['confirm', 'freeze', 'unfreeze', 'recover', 'reset', 'mail'] as const

export type MailLink = { readonly kind: (typeof KINDS)[number]; readonly token: string }

/** Undefined if the page was not opened by a link in an email. */
export function takeMailLink(window: Pick<Window, 'location' | 'history'>): MailLink | undefined {
  const { location, history } = window
  const kind = KINDS.find((each) => location.hash.startsWith(`#${each}=`))
  if (kind === undefined) return undefined
  const token = location.hash.slice(`#${kind}=`.length)
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  return { kind, token }
}
