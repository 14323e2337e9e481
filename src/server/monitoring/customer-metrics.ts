/** Metrics of the customers' process. They contain no personal data. */
import type { CustomersUse } from '../../contract/customers/operator-questions.ts'
import type { Metrics, Reading } from './metric-kinds.ts'

/** `isUp`: their process has answered, or is not needed yet. */
export type CustomersReading = { readonly isUp: boolean; readonly use: CustomersUse | undefined }

/** `read`: undefined where there are no customers. */
export function addCustomers(
  { gauge, counter }: Metrics,
  read: () => Promise<CustomersReading | undefined>,
): void {
  const of = (value: (use: CustomersUse) => Reading[]) => async (): Promise<Reading[]> => {
    const use = (await read())?.use
    return use === undefined ? [] : value(use)
  }
  gauge('bourse_customers_up', '1 while the customers process answers, else 0', async () => {
    const found = await read()
    return found === undefined ? [] : [{ value: Number(found.isUp) }]
  })
  gauge(
    'bourse_customers',
    'Customers, by state',
    of(({ people }) => readings(people, 'state')),
  )
  gauge(
    'bourse_customer_sessions',
    'Customer sessions',
    of(({ sessions }) => [{ value: sessions }]),
  )
  gauge(
    'bourse_customer_sign_ups_waiting',
    'Sign-ups whose email address is not confirmed yet',
    of(({ signUps }) => [{ value: signUps }]),
  )
  gauge(
    'bourse_customer_mails_waiting',
    'Emails to customers that wait to be sent',
    of(({ mails }) => [{ value: mails }]),
  )
  gauge(
    'bourse_customers_missing',
    'Customers in the journal who were missing from the store when the customers process started',
    of(({ missing }) => [{ value: missing }]),
  )
  gauge(
    'bourse_customers_old',
    'Customers whose data in the store was older than in the journal when the customers process started',
    of(({ old }) => [{ value: old }]),
  )
  gauge(
    'bourse_customers_trail_differs',
    '1 once the trail of customers was found not to contain the newest head in the journal, else 0',
    of(({ trailDiffers }) => [{ value: trailDiffers }]),
  )
  counter(
    'bourse_customer_events_total',
    'Customer events since the customers process started, by kind',
    of(({ events }) => readings(events, 'kind')),
  )
}

function readings(values: Readonly<Record<string, number>>, label: string): Reading[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
}
