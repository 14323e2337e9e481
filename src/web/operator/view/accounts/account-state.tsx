/** The status of an account, in a word. */
import type { AdminAccount } from '../../../../contract/admin/records.ts'
import { say } from '../../texts/texts.ts'
import { State } from '../parts/parts.tsx'

export function AccountState({ account: { closed, restrictions } }: { readonly account: AdminAccount }) {
  if (closed) return <State word="closed" kind="bad" />
  if (restrictions.length === 0) return <State word="active" kind="good" />
  return <State word={say('not allowed: {what}', { what: restrictions.join(', ') })} kind="warn" />
}
