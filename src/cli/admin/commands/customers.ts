/** The operator's commands for customers who signed up themselves. */
import type { AdminCustomerSession, AdminMail } from '../../../contract/admin/customers.ts'
import type { CUSTOMER_OPERATIONS } from '../../../contract/admin/operations/customers.ts'
import { table } from '../../table.ts'
import type { Shown } from '../command.ts'

function mailText({ at, to, subject, text }: AdminMail): string {
  return [`${at}  to ${to}`, subject, '', text].join('\n')
}

function sessionTable(sessions: readonly AdminCustomerSession[]): string {
  const rows = sessions.map(({ name, account, endsInMs, unusedMs }) => [
    name,
    account,
    `${Math.round(endsInMs / 1_000)} s`,
    `${Math.round(unusedMs / 1_000)} s`,
  ])
  return table(['KEY', 'ACCOUNT', 'ENDS IN', 'UNUSED FOR'], rows, 'No customer is signed in.')
}

export const CUSTOMER_ANSWERS: Shown<typeof CUSTOMER_OPERATIONS> = {
  'session/list': sessionTable,
  'mail/list': (mails) => (mails.length === 0 ? 'There are no emails.' : mails.map(mailText).join('\n')),
}
