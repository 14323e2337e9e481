/** Every command of operators, as the overview shows them. The operator's page takes its words and forms from the same tables. */
import type { AdminCommand, CommandSection } from './command.ts'
import { ACCOUNT_COMMANDS } from './commands/accounts.ts'
import { EVENT_COMMANDS } from './commands/events.ts'
import { FAULT_COMMANDS } from './commands/faults.ts'
import { KEY_COMMANDS } from './commands/keys.ts'
import { LISTING_COMMANDS } from './commands/listings.ts'
import { MONEY_COMMANDS } from './commands/money.ts'
import { PHASE_COMMANDS } from './commands/phases.ts'
import { REPORT_COMMANDS } from './commands/reports.ts'
import { ROLE_COMMANDS } from './commands/roles.ts'
import { SAFETY_COMMANDS } from './commands/safety.ts'
import { SUPPORT_COMMANDS } from './commands/support.ts'
import { WEBHOOK_COMMANDS } from './commands/webhooks.ts'
import { WITHDRAWAL_COMMANDS } from './commands/withdrawals.ts'

export const SECTIONS: readonly CommandSection[] = [
  { title: 'Node, assets, symbols', commands: LISTING_COMMANDS },
  { title: 'The whole exchange', commands: PHASE_COMMANDS },
  { title: 'Accounts, fee tiers, orders', commands: ACCOUNT_COMMANDS },
  { title: 'Help a customer', commands: SUPPORT_COMMANDS },
  { title: 'API keys', commands: KEY_COMMANDS },
  { title: 'Money', commands: MONEY_COMMANDS },
  { title: 'Withdrawals', commands: WITHDRAWAL_COMMANDS },
  { title: 'Tokens, roles, how many approve', commands: ROLE_COMMANDS },
  { title: 'Approvals, bans, audit trail', commands: SAFETY_COMMANDS },
  { title: 'Programs beside the exchange', commands: [...EVENT_COMMANDS, ...WEBHOOK_COMMANDS] },
  { title: 'The books', commands: REPORT_COMMANDS },
  { title: 'What goes wrong, in a sandbox', commands: FAULT_COMMANDS },
]

export const ADMIN_COMMANDS: readonly AdminCommand[] = SECTIONS.flatMap(({ commands }) => commands)
