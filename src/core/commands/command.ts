/**
 * The commands of the exchange. The journal consists of commands: with the same commands in the same order,
 * at the same times, every replica reaches the same state. Each is declared by a row (`command-table.ts`).
 */
import {
  COMMAND_ROWS,
  ENGINE_ROWS,
  type MARK_ROWS,
  type OPERATOR_ROWS,
  type TRADER_ROWS,
} from './command-table.ts'
import type { PlacePending } from './order-lists.ts'
import type { ExpireOrder, TriggerOrder } from './orders.ts'
import type { EnterPhase } from './phases.ts'
import type { CommandIn } from './row.ts'
import type { DisconnectSessions, EndSession } from './sessions.ts'
import type { ContinueCancelAll, FireCountdown } from './timers.ts'
import { WITHDRAWAL_ROWS, type WithdrawalCommand } from './withdrawals.ts'

/** Commands of traders. */
export type TraderCommand = CommandIn<typeof TRADER_ROWS>

/** Commands of operators. Each has its actor and reason; the journal is the audit trail. */
export type OperatorCommand = CommandIn<typeof OPERATOR_ROWS>

/**
 * From this command on the journal is read under the rules of `version`; a core without these rules refuses
 * to continue.
 */
export interface SetRulesVersion extends CommandIn<typeof OPERATOR_ROWS, 'SetRulesVersion'> {}

/**
 * The exchange's own command: it journals its time, and does nothing else. A command with an earlier deadline
 * that is not in the journal will never be carried out
 * (docs/reference/client-order-ids.md#ask-what-became-of-an-order).
 */
export interface MarkTime extends CommandIn<typeof MARK_ROWS> {}

/**
 * The journal continues in a new epoch, or on a new fork: numbers of orders and trades jump, so that none
 * assigned on the other fork is assigned again. The engine's own command, before all others.
 */
export interface BeginEpoch extends CommandIn<typeof ENGINE_ROWS, 'BeginEpoch'> {
  readonly orderNumber?: undefined
}

/** Commands that the engine issues itself, when they are due according to the state. They get no answer. */
export type EngineCommand =
  | TriggerOrder
  | ExpireOrder
  | ContinueCancelAll
  | FireCountdown
  | PlacePending
  | EndSession
  | DisconnectSessions
  | EnterPhase
  | BeginEpoch

export type Command = TraderCommand | OperatorCommand | EngineCommand | MarkTime

export type CommandKind = Command['kind']

/** The command of one kind. */
export type CommandOf<Kind extends CommandKind> = Extract<Command, { readonly kind: Kind }>

export const COMMAND_KINDS = Object.keys(COMMAND_ROWS) as readonly CommandKind[]

/** The first byte of each command, in ascending order. */
export const COMMAND_CODES = Object.freeze(
  Object.fromEntries(
    Object.entries(COMMAND_ROWS)
      .map(([kind, { code }]) => [kind, code] as const)
      .sort(([, one], [, other]) => one - other),
  ),
) as Readonly<Record<CommandKind, number>>

/** Kinds of the engine's own commands. */
export const ENGINE_KINDS = Object.keys(ENGINE_ROWS) as readonly EngineCommand['kind'][]

/** Whether the engine issued the command by itself. */
export function isEngines(command: Command): command is EngineCommand {
  return command.kind in ENGINE_ROWS
}

/** Whether the command places a trader's order, or a list of orders. */
export function isPlacement({ kind }: Command): boolean {
  return kind === 'PlaceOrder' || kind === 'PlaceList' || kind === 'ReplaceOrder'
}

/** Whether an operator gave the command: the audit trail consists of these. */
export function isOperators(command: Command): command is OperatorCommand {
  return 'operator' in command
}

/** Whether a trader gave the command, about withdrawals or their addresses. */
export function isWithdrawing(command: Command): command is WithdrawalCommand {
  return command.kind in WITHDRAWAL_ROWS
}
