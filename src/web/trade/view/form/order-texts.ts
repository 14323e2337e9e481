/** Texts for the problem of a field, the end of an order and the refusal of a key. */

import type { StreamError } from '../../../../client/stream/messages.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { AccountChannel, ChannelRefusal } from '../../state/account-book.ts'
import type { FieldProblem } from '../../state/draft/draft.ts'
import { TRAILING_PERCENTS } from '../../state/draft/trailing.ts'

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
    case 'DISTANCE':
      return TEXTS.trailing.range(TRAILING_PERCENTS.least, TRAILING_PERCENTS.most)
    case 'CROSSED':
      return TEXTS.lists.crossed
    case 'DECIMALS':
      return problems.decimals(problem.places ?? 0)
    case 'REFUSED':
      return problem.message ?? problems.refused
  }
}

/** The reason why an order ended, in words if there are any for it. */
export function endReasonText(reason: string): string {
  const words: Readonly<Record<string, string>> = TEXTS.account.ends
  return words[reason] ?? reason
}

/**
 * The reason why the exchange refuses a key. Its message is in the browser's language, not the page's, so the
 * page has its own texts for the common reasons.
 */
export function loginRefusalText({ reason, msg }: Pick<StreamError, 'reason' | 'msg'>): string {
  const words: Readonly<Record<string, string>> = TEXTS.state.loginReasons
  return TEXTS.state.login(words[reason] ?? `${msg.join(' ')} (${reason})`)
}

/** The permission that a channel needs (docs/reference/private-feed.md#channels). */
const PERMISSION_OF: { readonly [Channel in AccountChannel]: 'TRADE' | 'WALLET' } = {
  orders: 'TRADE',
  fills: 'TRADE',
  balances: 'WALLET',
}

/**
 * The reason why the account never becomes live with this key: a missing permission, or the exchange's
 * message.
 */
export function channelRefusalText(refusals: readonly ChannelRefusal[]): string {
  const lacking = refusals
    .filter(({ error }) => error.reason === 'PERMISSION_DENIED')
    .map(({ channel }) => PERMISSION_OF[channel])
  const [first] = refusals
  if (lacking.length > 0) return TEXTS.state.lacks([...new Set(lacking)].toSorted().join(', '))
  return first === undefined ? '' : loginRefusalText(first.error)
}
