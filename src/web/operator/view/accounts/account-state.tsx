/** What an account may, in a word. */
import type { AdminAccount } from '../../../../wire/admin-records.ts'
import { State } from '../parts/parts.tsx'

export function AccountState({ account: { closed, restrictions } }: { readonly account: AdminAccount }) {
  if (closed) return <State word="closed" kind="bad" />
  if (restrictions.length === 0) return <State word="active" kind="good" />
  return <State word={`no ${restrictions.join(', no ')}`} kind="warn" />
}
