/** Every command of operators, as the overview shows them. The operator's page takes its words and forms from the same tables. */
import { ACCOUNT_OPERATIONS } from '../../wire/admin-operations/accounts.ts'
import { EVENT_OPERATIONS } from '../../wire/admin-operations/events.ts'
import { FAULT_OPERATIONS } from '../../wire/admin-operations/faults.ts'
import { KEY_OPERATIONS } from '../../wire/admin-operations/keys.ts'
import { LISTING_OPERATIONS } from '../../wire/admin-operations/listings.ts'
import { MONEY_OPERATIONS } from '../../wire/admin-operations/money.ts'
import { PHASE_OPERATIONS } from '../../wire/admin-operations/phases.ts'
import { REPORT_OPERATIONS } from '../../wire/admin-operations/reports.ts'
import { ROLE_OPERATIONS } from '../../wire/admin-operations/roles.ts'
import { SAFETY_OPERATIONS } from '../../wire/admin-operations/safety.ts'
import { SUPPORT_OPERATIONS } from '../../wire/admin-operations/support.ts'
import { WEBHOOK_OPERATIONS } from '../../wire/admin-operations/webhooks.ts'
import { WITHDRAWAL_OPERATIONS } from '../../wire/admin-operations/withdrawals.ts'
import { type AdminCommand, type CommandSection, commandsOf } from './command.ts'
import { ACCOUNT_ANSWERS } from './commands/accounts.ts'
import { EVENT_ANSWERS } from './commands/events.ts'
import { FAULT_ANSWERS } from './commands/faults.ts'
import { KEY_ANSWERS } from './commands/keys.ts'
import { LISTING_ANSWERS } from './commands/listings.ts'
import { MONEY_ANSWERS } from './commands/money.ts'
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
  { title: 'Help a customer', commands: commandsOf(SUPPORT_OPERATIONS, SUPPORT_ANSWERS) },
  { title: 'API keys', commands: commandsOf(KEY_OPERATIONS, KEY_ANSWERS) },
  { title: 'Money', commands: commandsOf(MONEY_OPERATIONS, MONEY_ANSWERS) },
  { title: 'Withdrawals', commands: commandsOf(WITHDRAWAL_OPERATIONS, WITHDRAWAL_ANSWERS) },
  { title: 'Tokens, roles, how many approve', commands: commandsOf(ROLE_OPERATIONS, ROLE_ANSWERS) },
  { title: 'Approvals, bans, audit trail', commands: commandsOf(SAFETY_OPERATIONS, SAFETY_ANSWERS) },
  { title: 'Programs beside the exchange', commands: beside },
  { title: 'The books', commands: commandsOf(REPORT_OPERATIONS, {}) },
  {
    title: 'What goes wrong, in a sandbox',
    commands: commandsOf(FAULT_OPERATIONS, FAULT_ANSWERS, 'data/sandbox'),
  },
]

export const ADMIN_COMMANDS: readonly AdminCommand[] = SECTIONS.flatMap(({ commands }) => commands)
