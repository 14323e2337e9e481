/**
 * Account names of customers who registered themselves: only the customers' process creates names of this
 * form. The accounts that it may access have a mark in the journal (`Account.customer`).
 */
const NAME = /^c-[a-z2-7]{26}$/

export function isCustomerAccount(name: string): boolean {
  return NAME.test(name)
}

/** The role of the customers' process. No role of operators has a capital letter. */
export const CUSTOMERS_ROLE = 'CUSTOMERS'

/** For requests of the customers' process: it can access the accounts that it opened, and no others. */
export function isOfCustomers({ caller }: { readonly caller: { readonly role: string } }): boolean {
  return caller.role === CUSTOMERS_ROLE
}
