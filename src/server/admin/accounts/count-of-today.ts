/** The budget of a day of the customers' process, as the operations that it may ask for count it. */
import { type AdminContext, AdminRequestError } from '../context.ts'
import type { CustomerDayKind } from './customer-budget.ts'

/** Counts what the customers' process does. Throws `AdminRequestError`: it has done its number of today. */
export function countOfToday(
  { customers, now }: Pick<AdminContext, 'customers' | 'now'>,
  kind: CustomerDayKind,
  count: number,
): void {
  if (customers?.budget.take(kind, count, now()) === false) throw new AdminRequestError('CUSTOMERS_DAY_LIMIT')
}
