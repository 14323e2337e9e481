/**
 * Rules versions: from which one on a journal may hold a kind of command. A newer program on an old journal writes nothing
 * that the program before could not read, so going back works until an operator raises the version
 * (docs/decisions/0023-stored-formats.md).
 *
 * Whoever adds a kind of command, a field of one, a section of the state or a rule, adds a version here, says in this file
 * what needs it, and asks `state.rulesVersion` where the rule is applied. A version never changes its meaning.
 */
import type { Command, CommandKind } from './command.ts'
import { isStop, type PlaceOrder } from './commands/orders.ts'

/** The rules that every journal begins under; it says itself when it changes them. */
export const FIRST_RULES_VERSION = 1

/**
 * From these rules on an asset's switches bind operators too, a delisted symbol stays so, and two people are two named
 * tokens (docs/reference/admin.md#rules).
 */
export const OPERATOR_RULES = 2

/**
 * From these rules on what a MARKET BUY pays, rounded up, and what DECREMENT takes off its total, exact, never exceed the
 * total together (docs/reference/http.md#money-and-rounding).
 */
export const BUDGET_RULES = 3
/**
 * From these rules on there are FOK and LIMIT_MAKER, and an arriving order meets at most `MATCH_STEPS_MAX` resting ones
 * (docs/reference/http.md#matching).
 */
export const ORDER_TYPE_RULES = 4
/**
 * From these rules on an open order keeps what it was placed as and when it last changed
 * (docs/reference/admin.md#rules), and an order that is placed again under its client order id is answered as it was the first
 * time (docs/reference/client-order-ids.md).
 */
export const ORDER_RECORD_RULES = 5
/**
 * From these rules on a symbol keeps the price of its last trade, and orders can wait for a trigger
 * (docs/reference/waiting-orders.md#orders-that-wait).
 */
export const TRIGGER_RULES = 6
/**
 * From these rules on orders can be amended, replaced, limited in time, shown in part and joined in lists, and an account cancels
 * many with one command, at once, when its countdown ends or when a connection does (docs/reference/orders.md).
 */
export const ADVANCED_ORDER_RULES = 7
/**
 * From these rules on a symbol can have a tick size and a step size of its own, multiples of its smallest price and quantity
 * (docs/reference/admin.md#tick-and-step).
 */
export const MARKET_RULES = 8
/**
 * From these rules on the exchange as a whole has a phase, set at once or planned (docs/reference/admin.md#phases-of-the-exchange).
 */
export const PHASE_RULES = 9
/**
 * From these rules on the journal keeps the trace of what operators change beside the exchange (docs/webhooks.md#what-is-in-the-journal).
 */
export const TRACE_RULES = 10
/**
 * From these rules on operators cancel one order of anybody, note customer ids and labels of accounts, and give an account terms of its
 * own until a moment (docs/reference/admin.md#special-terms).
 */
export const SUPPORT_RULES = 10
/**
 * From these rules on operators have roles of their own, tokens with terms, limits by amount and day, and more than two people for much
 * money (docs/reference/admin.md#rights).
 */
export const RIGHTS_RULES = 11
/**
 * From these rules on the special terms of an account can have orders in a window too (docs/reference/admin.md#special-terms).
 */
export const ORDER_RATE_RULES = 11
/**
 * From these rules on traders ask for withdrawals themselves, to addresses of their accounts (docs/reference/withdrawals.md).
 */
export const DESK_RULES = 11
/**
 * From these rules on a second person agrees before a withdrawal is claimed, and before the money of one that was claimed is given back
 * (docs/reference/withdrawals.md#paying).
 */
export const PAYING_RULES = 12
/** The newest rules this code knows. A journal that asks for newer ones cannot be replayed by it. */
export const RULES_VERSION = PAYING_RULES

/** The version that a kind of command came with. */
const RULES_BY_KIND = {
  PlaceOrder: 1,
  CancelOrder: 1,
  Credit: 1,
  Debit: 1,
  MoveBetweenBuckets: 1,
  ListAsset: 1,
  SetAssetFlags: 1,
  ListSymbol: 1,
  SetSymbolState: 1,
  SetSymbolRates: 1,
  CreateAccount: 1,
  CreateApiKey: 1,
  SetApiKeyEnabled: 1,
  SetRulesVersion: 1,
  SetAccountRestrictions: 1,
  CloseAccount: 1,
  SetAccountTerms: 1,
  CancelOrders: 1,
  SetAssetTerms: 1,
  SetSymbolTerms: 1,
  SetFeeTier: 1,
  HoldWithdrawal: 1,
  CompleteWithdrawal: 1,
  CancelWithdrawal: 1,
  MoveSavings: 1,
  PayOutCommission: 1,
  SetApiKeyTerms: 1,
  RotateApiKey: 1,
  RevokeApiKey: 1,
  AddAdminToken: 1,
  RevokeAdminToken: 1,
  Approve: 1,
  Reject: 1,
  BanAddress: 1,
  LiftBan: 1,
  ResealSecret: 1,
  SetApiKeyStrict: 1,
  AcceptClock: 1,
  CancelClientOrder: ORDER_RECORD_RULES,
  MarkTime: ORDER_RECORD_RULES,
  TriggerOrder: TRIGGER_RULES,
  AmendOrder: ADVANCED_ORDER_RULES,
  ExpireOrder: ADVANCED_ORDER_RULES,
  ReplaceOrder: ADVANCED_ORDER_RULES,
  CancelAllOrders: ADVANCED_ORDER_RULES,
  ContinueCancelAll: ADVANCED_ORDER_RULES,
  SetCountdown: ADVANCED_ORDER_RULES,
  FireCountdown: ADVANCED_ORDER_RULES,
  PlaceList: ADVANCED_ORDER_RULES,
  CancelList: ADVANCED_ORDER_RULES,
  CancelClientList: ADVANCED_ORDER_RULES,
  PlacePending: ADVANCED_ORDER_RULES,
  OpenSession: ADVANCED_ORDER_RULES,
  DisconnectSession: ADVANCED_ORDER_RULES,
  DisconnectSessions: ADVANCED_ORDER_RULES,
  EndSession: ADVANCED_ORDER_RULES,
  SetSymbolIncrements: MARKET_RULES,
  SetPhase: PHASE_RULES,
  PlanPhases: PHASE_RULES,
  EnterPhase: PHASE_RULES,
  SetRole: RIGHTS_RULES,
  AddToken: RIGHTS_RULES,
  SetTokenTerms: RIGHTS_RULES,
  SetRoleLimit: RIGHTS_RULES,
  SetApprovalsNeeded: RIGHTS_RULES,
  CancelAnyOrder: SUPPORT_RULES,
  SetAccountProfile: SUPPORT_RULES,
  SetSpecialTerms: SUPPORT_RULES,
  NoteChange: TRACE_RULES,
  AskWithdrawal: DESK_RULES,
  RetractWithdrawal: DESK_RULES,
  SetOwnAddress: DESK_RULES,
  SetAccountAddress: DESK_RULES,
  SetWithdrawalTerms: DESK_RULES,
  HandleWithdrawal: DESK_RULES,
} as const satisfies Record<CommandKind, number>

/** The least rules version under which `command` may be journaled. */
export function rulesNeededBy(command: Command): number {
  switch (command.kind) {
    case 'PlaceOrder':
      return rulesOfOrder(command)
    case 'CreateApiKey':
    case 'SetApiKeyTerms':
      return command.permissions.includes('WITHDRAW') ? DESK_RULES : RULES_BY_KIND[command.kind]
    case 'SetSpecialTerms':
      return command.orderRate === undefined ? RULES_BY_KIND[command.kind] : ORDER_RATE_RULES
    default:
      return RULES_BY_KIND[command.kind]
  }
}

/**
 * The least rules version under which `command` may be offered to the journal. A client order id was carried before it had a
 * meaning, and is replayed so; nobody is to be promised what those rules do not keep.
 */
export function rulesNeededToOffer(command: Command): number {
  const needed = rulesNeededBy(command)
  const isIdentified = command.kind === 'PlaceOrder' && command.clientOrderId !== undefined
  return isIdentified ? Math.max(needed, ORDER_RECORD_RULES) : needed
}

function rulesOfOrder(order: PlaceOrder): number {
  if (order.icebergQuantity !== undefined || order.sessionNumber !== undefined) return ADVANCED_ORDER_RULES
  if (order.timeInForce === 'GTD') return ADVANCED_ORDER_RULES
  if (isStop(order)) return TRIGGER_RULES
  const isOfNewType = order.type === 'LIMIT_MAKER' || order.timeInForce === 'FOK'
  return isOfNewType ? ORDER_TYPE_RULES : RULES_BY_KIND.PlaceOrder
}
