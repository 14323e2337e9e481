/** The daily budget of the customers' process, as counted by the operations that it may request. */
import { type AdminContext, AdminRequestError } from '../context.ts'
import type { CustomerDayKind } from './customer-budget.ts'

/** Counts operations of the customers' process. Throws `AdminRequestError` if today's limit is reached. */
export function countOfToday(
  { customers, now }: Pick<AdminContext, 'customers' | 'now'>,
  kind: CustomerDayKind,
  count: number,
): void {
  if (customers?.budget.take(kind, count, now()) === false) throw new AdminRequestError('CUSTOMERS_DAY_LIMIT')
}
