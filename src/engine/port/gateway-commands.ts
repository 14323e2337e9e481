/**
 * Commands that a gateway may send over a link: those of traders, and the time mark that a query needs.
 * Operators' commands go to the leader's own admin server, and the engine's own are derived from the state: a
 * peer that sends one of those is not a valid gateway.
 */
import type { CommandKind } from '../../core/commands/command.ts'
import { MARK_ROWS, TRADER_ROWS } from '../../core/commands/command-table.ts'

export const GATEWAY_COMMANDS: ReadonlySet<CommandKind> = new Set(
  Object.keys({ ...TRADER_ROWS, ...MARK_ROWS }) as CommandKind[],
)
