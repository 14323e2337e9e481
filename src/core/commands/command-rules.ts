/** The rules version that a command needs: the highest that its kind, its fields or its words need. */
import { CUSTOMER_RIGHTS } from '../../units/admin-rights.ts'
import {
  BINANCE_NAME_RULES,
  belowFloor,
  CUSTOMER_RULES,
  FIRST_RULES_VERSION,
  KEY_NUMBER_RULES,
  KEY_RULES,
  QUANTITY_RULES,
  TRAILING_RULES,
} from '../exchange/rules.ts'
import { CARRIED_NAMES, CARRIED_ROWS } from '../trading/carried.ts'
import type { Command } from './command.ts'
import { COMMAND_ROWS } from './command-table.ts'
import { isBuyByQuantity, type PlaceOrder } from './orders.ts'

/** The least rules version under which `command` may be journaled. */
export function rulesNeededBy(command: Command): number {
  const { since } = COMMAND_ROWS[command.kind]
  switch (command.kind) {
    case 'PlaceOrder':
      return rulesOfOrder(command)
    case 'ReplaceOrder':
      return rulesOfOrder(command.order)
    case 'PlaceList':
      if (command.legs.some(({ trailingDelta }) => trailingDelta !== undefined)) return TRAILING_RULES
      return command.keyNumber === undefined ? since : KEY_NUMBER_RULES
    case 'CreateApiKey':
    case 'SetApiKeyTerms':
      return command.permissions.includes('READ') ? KEY_RULES : since
    case 'ListSymbol':
      return command.binanceName === undefined ? since : BINANCE_NAME_RULES
    case 'SetRole':
      return command.rights.some((right) => CUSTOMER_RIGHTS.includes(right)) ? CUSTOMER_RULES : since
    default:
      return since
  }
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
  let since = isBuyByQuantity(order) ? QUANTITY_RULES : FIRST_RULES_VERSION
  for (const name of CARRIED_NAMES) {
    if (order[name] !== undefined) since = Math.max(since, CARRIED_ROWS[name].since)
  }
  return since
}
