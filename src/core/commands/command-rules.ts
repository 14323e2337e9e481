/** The rules version that a command needs: that of its kind, or of one of its fields or words. */
import { CUSTOMER_RIGHTS } from '../../units/admin-rights.ts'
import {
  ADVANCED_ORDER_RULES,
  BINANCE_NAME_RULES,
  belowFloor,
  CANCEL_RULES,
  CUSTOMER_RULES,
  FIRST_RULES_VERSION,
  KEY_NUMBER_RULES,
  KEY_RULES,
  ORDER_RATE_RULES,
  ORDER_RECORD_RULES,
  ORDER_TYPE_RULES,
  QUANTITY_RULES,
  TRAILING_RULES,
  TRIGGER_RULES,
  WITHDRAWAL_RULES,
} from '../exchange/rules.ts'
import type { Command } from './command.ts'
import { COMMAND_ROWS } from './command-table.ts'
import { isBuyByQuantity, isStop, type PlaceOrder } from './orders.ts'

/** The least rules version under which `command` may be journaled. */
export function rulesNeededBy(command: Command): number {
  switch (command.kind) {
    case 'PlaceOrder':
      return rulesOfOrder(command)
    case 'ReplaceOrder':
      return Math.max(COMMAND_ROWS[command.kind].since, rulesOfOrder(command.order))
    case 'PlaceList':
      if (command.legs.some(({ trailingDelta }) => trailingDelta !== undefined)) return TRAILING_RULES
      return command.keyNumber === undefined ? COMMAND_ROWS[command.kind].since : KEY_NUMBER_RULES
    case 'CancelOrder':
    case 'CancelClientOrder':
      return command.symbolId === undefined ? COMMAND_ROWS[command.kind].since : CANCEL_RULES
    case 'CreateApiKey':
    case 'SetApiKeyTerms':
      if (command.permissions.includes('READ')) return KEY_RULES
      return command.permissions.includes('WITHDRAW') ? WITHDRAWAL_RULES : COMMAND_ROWS[command.kind].since
    case 'SetSpecialTerms':
      return command.orderRate === undefined ? COMMAND_ROWS[command.kind].since : ORDER_RATE_RULES
    case 'ListSymbol':
      return command.binanceName === undefined ? COMMAND_ROWS[command.kind].since : BINANCE_NAME_RULES
    case 'SetRole':
      if (command.rights.some((right) => CUSTOMER_RIGHTS.includes(right))) return CUSTOMER_RULES
      return COMMAND_ROWS[command.kind].since
    default:
      return COMMAND_ROWS[command.kind].since
  }
}

/**
 * The lowest rules version under which `command` may be offered to the journal. A client order id existed
 * before it had a meaning, and is replayed so; a promise that those rules do not keep must not be made to a
 * client.
 */
export function rulesNeededToOffer(command: Command): number {
  const needed = rulesNeededBy(command)
  const isIdentified = command.kind === 'PlaceOrder' && command.clientOrderId !== undefined
  return isIdentified ? Math.max(needed, ORDER_RECORD_RULES) : needed
}

/** A journal or a snapshot is below the floor of the rules; the message names the commit that reads it. */
export class RulesFloorFault extends Error {
  override readonly name = 'RulesFloorFault'
}

/** Throws `RulesFloorFault` unless `command`, a journal's first, chooses rules of `rulesMin` or newer. */
export function requireChoice(command: Command, rulesMin: number): void {
  const version = command.kind === 'SetRulesVersion' ? command.version : FIRST_RULES_VERSION
  if (version < rulesMin) throw new RulesFloorFault(`the journal begins ${belowFloor(version)}`)
}

function rulesOfOrder(order: PlaceOrder): number {
  if (order.trailingDelta !== undefined) return TRAILING_RULES
  if (order.keyNumber !== undefined) return KEY_NUMBER_RULES
  if (isBuyByQuantity(order)) return QUANTITY_RULES
  if (order.icebergQuantity !== undefined || order.sessionNumber !== undefined) return ADVANCED_ORDER_RULES
  if (order.timeInForce === 'GTD') return ADVANCED_ORDER_RULES
  if (isStop(order)) return TRIGGER_RULES
  const isOfNewType = order.type === 'LIMIT_MAKER' || order.timeInForce === 'FOK'
  return isOfNewType ? ORDER_TYPE_RULES : FIRST_RULES_VERSION
}
