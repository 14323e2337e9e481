/**
 * Which commands a gateway may send over a link: those of traders, and the mark of time that a question needs. Operators' commands are
 * given to the leader's own admin server, and the engine's own come of the state alone: whoever sends one of those is no gateway of ours.
 */
import type { CommandKind, TraderCommand } from '../../core/exchange/command.ts'

/** The compiler keeps them complete: a new kind that traders order is added here. */
const BY_KIND: Readonly<Record<TraderCommand['kind'] | 'MarkTime', true>> = {
  PlaceOrder: true,
  CancelOrder: true,
  CancelClientOrder: true,
  AmendOrder: true,
  ReplaceOrder: true,
  CancelAllOrders: true,
  SetCountdown: true,
  PlaceList: true,
  CancelList: true,
  CancelClientList: true,
  OpenSession: true,
  DisconnectSession: true,
  AskWithdrawal: true,
  RetractWithdrawal: true,
  SetOwnAddress: true,
  MarkTime: true,
}

export const GATEWAY_COMMANDS: ReadonlySet<CommandKind> = new Set(Object.keys(BY_KIND) as CommandKind[])
