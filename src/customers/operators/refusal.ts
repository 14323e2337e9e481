/** Refusals of operators' requests. */
import type { CustomerAnswer } from '../../contract/customers/operator-questions.ts'
import type { AdminReason } from '../../contract/reasons/catalogue.ts'
import type { CustomersContext } from '../customers-context.ts'
import type { Person } from '../store/people.ts'

export type OperatorRefusal = Extract<CustomerAnswer, { readonly ok: false }>

export function refusedOperator(reason: AdminReason, message: string, field?: string): OperatorRefusal {
  return { ok: false, reason, message, ...(field === undefined ? {} : { field }) }
}

/** The person of an account, or the refusal that names the account. */
export function personOf({ store }: CustomersContext, account: string): Person | OperatorRefusal {
  const person = store.people.byAccount(account)
  return person ?? refusedOperator('UNKNOWN_ACCOUNT', `account: there is no customer ${account}`, 'account')
}

export function isRefusal(found: object): found is OperatorRefusal {
  return 'ok' in found
}
