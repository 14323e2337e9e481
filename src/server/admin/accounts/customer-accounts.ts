/**
 * Names of accounts of customers who registered themselves: only the customers' process gives names of this
 * form. The accounts that it reaches have a mark in the journal (`Account.customer`).
 */
const NAME = /^c-[a-z2-7]{26}$/

export function isCustomerAccount(name: string): boolean {
  return NAME.test(name)
}

/** The role of the customers' process. No role of operators has a capital letter. */
export const CUSTOMERS_ROLE = 'CUSTOMERS'

/** For requests of the customers' process: it reaches the accounts that it has opened, and no others. */
export function isOfCustomers({ caller }: { readonly caller: { readonly role: string } }): boolean {
  return caller.role === CUSTOMERS_ROLE
}
