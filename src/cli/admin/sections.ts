/**
 * All commands of operators, in the order of the overview. The operator's page takes its labels and forms
 * from the same tables.
 */
import { ACCOUNT_OPERATIONS } from '../../contract/admin/operations/accounts.ts'
import { ADMISSION_OPERATIONS } from '../../contract/admin/operations/admission.ts'
import { CUSTOMER_OPERATIONS } from '../../contract/admin/operations/customers.ts'
import { EVENT_OPERATIONS } from '../../contract/admin/operations/events.ts'
import { FAULT_OPERATIONS } from '../../contract/admin/operations/faults.ts'
import { KEY_OPERATIONS } from '../../contract/admin/operations/keys.ts'
import { LISTING_OPERATIONS } from '../../contract/admin/operations/listings.ts'
import { MONEY_OPERATIONS } from '../../contract/admin/operations/money.ts'
import { PEOPLE_OPERATIONS } from '../../contract/admin/operations/people.ts'
import { PHASE_OPERATIONS } from '../../contract/admin/operations/phases.ts'
import { REPORT_OPERATIONS } from '../../contract/admin/operations/reports.ts'
import { ROLE_OPERATIONS } from '../../contract/admin/operations/roles.ts'
import { SAFETY_OPERATIONS } from '../../contract/admin/operations/safety.ts'
import { SUPPORT_OPERATIONS } from '../../contract/admin/operations/support.ts'
import { WEBHOOK_OPERATIONS } from '../../contract/admin/operations/webhooks.ts'
import { WITHDRAWAL_OPERATIONS } from '../../contract/admin/operations/withdrawals.ts'
import { type AdminCommand, type CommandSection, commandsOf } from './command.ts'
import { ACCOUNT_ANSWERS } from './commands/accounts.ts'
import { CUSTOMER_ANSWERS } from './commands/customers.ts'
import { EVENT_ANSWERS } from './commands/events.ts'
import { FAULT_ANSWERS } from './commands/faults.ts'
import { KEY_ANSWERS } from './commands/keys.ts'
import { LISTING_ANSWERS } from './commands/listings.ts'
import { MONEY_ANSWERS } from './commands/money.ts'
import { ADMISSION_ANSWERS, PEOPLE_ANSWERS } from './commands/people.ts'
import { PHASE_ANSWERS } from './commands/phases.ts'
import { ROLE_ANSWERS } from './commands/roles.ts'
import { SAFETY_ANSWERS } from './commands/safety.ts'
import { SUPPORT_ANSWERS } from './commands/support.ts'
import { WEBHOOK_ANSWERS } from './commands/webhooks.ts'
import { WITHDRAWAL_ANSWERS } from './commands/withdrawals.ts'

const beside = [
  ...commandsOf(EVENT_OPERATIONS, EVENT_ANSWERS),
  ...commandsOf(WEBHOOK_OPERATIONS, WEBHOOK_ANSWERS),
]

export const SECTIONS: readonly CommandSection[] = [
  { title: 'Node, assets, symbols', commands: commandsOf(LISTING_OPERATIONS, LISTING_ANSWERS) },
  { title: 'The whole exchange', commands: commandsOf(PHASE_OPERATIONS, PHASE_ANSWERS) },
  { title: 'Accounts, fee tiers, orders', commands: commandsOf(ACCOUNT_OPERATIONS, ACCOUNT_ANSWERS) },
  { title: 'Customer support', commands: commandsOf(SUPPORT_OPERATIONS, SUPPORT_ANSWERS) },
  {
    title: 'Customers',
    commands: [
      ...commandsOf(PEOPLE_OPERATIONS, PEOPLE_ANSWERS),
      ...commandsOf(ADMISSION_OPERATIONS, ADMISSION_ANSWERS),
    ],
  },
  {
    title: 'Sandbox customers',
    commands: commandsOf(CUSTOMER_OPERATIONS, CUSTOMER_ANSWERS, 'data/sandbox'),
  },
  { title: 'API keys', commands: commandsOf(KEY_OPERATIONS, KEY_ANSWERS) },
  { title: 'Money', commands: commandsOf(MONEY_OPERATIONS, MONEY_ANSWERS) },
  { title: 'Withdrawals', commands: commandsOf(WITHDRAWAL_OPERATIONS, WITHDRAWAL_ANSWERS) },
  { title: 'Tokens, roles, approvals needed', commands: commandsOf(ROLE_OPERATIONS, ROLE_ANSWERS) },
  { title: 'Approvals, bans, audit trail', commands: commandsOf(SAFETY_OPERATIONS, SAFETY_ANSWERS) },
  { title: 'Integrations', commands: beside },
  { title: 'Accounting', commands: commandsOf(REPORT_OPERATIONS, {}) },
  {
    title: 'Sandbox faults',
    commands: commandsOf(FAULT_OPERATIONS, FAULT_ANSWERS, 'data/sandbox'),
  },
]

export const ADMIN_COMMANDS: readonly AdminCommand[] = SECTIONS.flatMap(({ commands }) => commands)
