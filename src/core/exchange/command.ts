/**
 * Orders given to the exchange. A command is what the journal keeps: with the same commands in the same order,
 * at the same times, every replica reaches the same state. Names and codes (codec) are never reused.
 */
import type { AccountCommand } from './commands/accounts.ts'
import type { KeyCommand } from './commands/keys.ts'
import type { ListingCommand } from './commands/listings.ts'
import type { MoneyCommand } from './commands/money.ts'
import type { Operator } from './commands/operator.ts'
import type { AmendOrder, ReplaceOrder } from './commands/order-changes.ts'
import type { ListCommand, PlacePending } from './commands/order-lists.ts'
import type {
  CancelAnyOrder,
  CancelClientOrder,
  CancelOrder,
  CancelOrders,
  ExpireOrder,
  PlaceOrder,
  TriggerOrder,
} from './commands/orders.ts'
import type { EnterPhase, PhaseCommand } from './commands/phases.ts'
import type { RightsCommand } from './commands/rights.ts'
import type { SafetyCommand } from './commands/safety.ts'
import type { DisconnectSessions, EndSession, SessionCommand } from './commands/sessions.ts'
import type { CancelAllOrders, ContinueCancelAll, FireCountdown, SetCountdown } from './commands/timers.ts'
import type { WithdrawalCommand, WithdrawalDeskCommand } from './commands/withdrawals.ts'

/** From here on the journal is read under the rules of `version`; a core that lacks them refuses to go on. */
export type SetRulesVersion = {
  readonly kind: 'SetRulesVersion'
  readonly operator: Operator
  readonly version: number
}

/**
 * The exchange's own: its time is in the journal, and nothing else happens. What was to be carried out by an earlier time and is not
 * there never will be (docs/reference/client-order-ids.md#ask-what-became-of-an-order).
 */
export type MarkTime = { readonly kind: 'MarkTime' }

/** What traders order. */
export type TraderCommand =
  | PlaceOrder
  | CancelOrder
  | CancelClientOrder
  | AmendOrder
  | ReplaceOrder
  | CancelAllOrders
  | SetCountdown
  | ListCommand
  | SessionCommand
  | WithdrawalCommand

/** What operators order. Each says who gave it and why; the journal is the audit trail. */
export type OperatorCommand =
  | CancelOrders
  | CancelAnyOrder
  | ListingCommand
  | AccountCommand
  | KeyCommand
  | MoneyCommand
  | SafetyCommand
  | PhaseCommand
  | RightsCommand
  | WithdrawalDeskCommand
  | SetRulesVersion

/** What the engine orders by itself, when the state says that it is due. Nobody is answered. */
export type EngineCommand =
  | TriggerOrder
  | ExpireOrder
  | ContinueCancelAll
  | FireCountdown
  | PlacePending
  | EndSession
  | DisconnectSessions
  | EnterPhase

export type Command = TraderCommand | OperatorCommand | EngineCommand | MarkTime

/** Kinds of the engine's own commands. */
export const ENGINE_KINDS = [
  'TriggerOrder',
  'ExpireOrder',
  'ContinueCancelAll',
  'FireCountdown',
  'PlacePending',
  'EndSession',
  'DisconnectSessions',
  'EnterPhase',
] as const satisfies readonly EngineCommand['kind'][]

/** Whether the engine gave it by itself. */
export function isEngines(command: Command): command is EngineCommand {
  return (ENGINE_KINDS as readonly CommandKind[]).includes(command.kind)
}

/** Whether a trader's new order, or a list of them, comes with it. */
export function isPlacement({ kind }: Command): boolean {
  return kind === 'PlaceOrder' || kind === 'PlaceList' || kind === 'ReplaceOrder'
}

/** Whether an operator gave it: the audit trail. */
export function isOperators(command: Command): command is OperatorCommand {
  return 'operator' in command
}

/** Whether a trader gave it about withdrawals and their addresses. */
export function isWithdrawing(command: Command): command is WithdrawalCommand {
  const { kind } = command
  return kind === 'AskWithdrawal' || kind === 'RetractWithdrawal' || kind === 'SetOwnAddress'
}

export type CommandKind = Command['kind']

/** The command of one kind. */
export type CommandOf<Kind extends CommandKind> = Extract<Command, { readonly kind: Kind }>
