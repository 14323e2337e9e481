/** What is wrong with a field, why an order ends and why a key is refused, in words. */

import type { StreamError } from '../../../../client/stream/messages.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { AccountChannel, ChannelRefusal } from '../../state/account-book.ts'
import type { FieldProblem } from '../../state/draft/draft.ts'

export function problemText(problem: FieldProblem): string {
  const { problems } = TEXTS
  switch (problem.kind) {
    case 'MISSING':
      return problems.missing
    case 'UNREADABLE':
      return problem.offers.length > 1
        ? problems.readings(problem.offers.join(` ${problems.or} `))
        : problems.form
    case 'ZERO':
      return problems.zero
    case 'CROSSED':
      return TEXTS.lists.crossed
    case 'DECIMALS':
      return problems.decimals(problem.places ?? 0)
    case 'REFUSED':
      return problem.message ?? problems.refused
  }
}

/** Why an order ends, in words where there are some. */
export function endReasonText(reason: string): string {
  const words: Readonly<Record<string, string>> = TEXTS.account.ends
  return words[reason] ?? reason
}

/** Why the exchange does not let a key in. It says so in the browser's language, not in the page's: of the usual reasons the page has words of its own. */
export function loginRefusalText({ reason, msg }: Pick<StreamError, 'reason' | 'msg'>): string {
  const words: Readonly<Record<string, string>> = TEXTS.state.loginReasons
  return TEXTS.state.login(words[reason] ?? `${msg.join(' ')} (${reason})`)
}

/** What of the API a channel needs (docs/reference/private-feed.md#channels). */
const PERMISSION_OF: { readonly [Channel in AccountChannel]: 'TRADE' | 'WALLET' } = {
  orders: 'TRADE',
  fills: 'TRADE',
  balances: 'WALLET',
}

/** Why the account is never live with this key: what the key lacks, or what the exchange says. */
export function channelRefusalText(refusals: readonly ChannelRefusal[]): string {
  const lacking = refusals
    .filter(({ error }) => error.reason === 'PERMISSION_DENIED')
    .map(({ channel }) => PERMISSION_OF[channel])
  const [first] = refusals
  if (lacking.length > 0) return TEXTS.state.lacks([...new Set(lacking)].toSorted().join(', '))
  return first === undefined ? '' : loginRefusalText(first.error)
}
