/**
 * What the reference exchange does with operators' orders about what is there already; the oracle that the simulator asks
 * as well does what concerns records alone. Written from the docstrings of the commands and of the records, not from the core.
 */

import type { CommandOf, OperatorCommand } from '../../src/core/exchange/command.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import { DONE, type Reply, refused } from '../../src/core/exchange/reply.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { stripped } from '../oracle/administered.ts'
import { administer as administerRecords } from '../oracle/administration.ts'
import {
  approve,
  completeWithdrawal,
  endWithdrawal,
  holdWithdrawal,
  moveMoney,
  reject,
} from './reference-money.ts'
import type { ReferenceState } from './reference-state.ts'
import { cancelMany } from './reference-trading.ts'

type Emit = (event: ExchangeEvent) => void
/** All that `reference-registry.ts` leaves to this file. */
export type Administration = Exclude<
  OperatorCommand,
  CommandOf<
    | 'ListAsset'
    | 'SetAssetFlags'
    | 'ListSymbol'
    | 'SetSymbolState'
    | 'SetSymbolRates'
    | 'CreateAccount'
    | 'CreateApiKey'
    | 'SetApiKeyEnabled'
    | 'Credit'
    | 'Debit'
    | 'MoveBetweenBuckets'
    | 'SetRulesVersion'
  >
>
type Of<K extends Administration['kind']> = CommandOf<K>

export function administer(state: ReferenceState, command: Administration, emit: Emit): Reply {
  switch (command.kind) {
    case 'CancelOrders':
      return cancelMany(state, command, emit)
    case 'SetAssetTerms':
      return setAssetTerms(state, command, emit)
    case 'SetSymbolTerms':
      return setSymbolTerms(state, command, emit)
    case 'MoveSavings':
    case 'PayOutCommission':
      return moveMoney(state, command, emit, false)
    case 'HoldWithdrawal':
      return holdWithdrawal(state, command, emit)
    case 'CompleteWithdrawal':
      return completeWithdrawal(state, command, emit, false)
    case 'CancelWithdrawal':
      return endWithdrawal(state, command.reference, 'CANCELED', emit)
    case 'Approve':
      return approve(state, command, emit)
    case 'Reject':
      return reject(state, command, emit)
    default:
      return administerRecords(state, command, emit)
  }
}

function isNamed(units: bigint): boolean {
  return units >= 0n && units <= AMOUNT_MAX
}

function setAssetTerms(state: ReferenceState, command: Of<'SetAssetTerms'>, emit: Emit): Reply {
  const before = state.assets.find(({ code }) => code === command.code)
  if (before === undefined) return refused('UNKNOWN_ASSET')
  const { name, supplyCap, creditMax, approvalAbove } = command
  const isValid =
    name.length >= 1 &&
    name.length <= 200 &&
    [supplyCap, creditMax, approvalAbove].every((one) => isNamed(bigintOf(one)))
  if (!isValid) return refused('INVALID_COMMAND')
  const asset = stripped({
    ...before,
    name,
    supplyCap,
    creditMax: creditMax || undefined,
    approvalAbove: approvalAbove || undefined,
  }) as typeof before
  state.assets[asset.id] = asset
  emit({ kind: 'AssetChanged', asset })
  return DONE
}

function setSymbolTerms(state: ReferenceState, command: Of<'SetSymbolTerms'>, emit: Emit): Reply {
  const before = state.symbols.find(({ name }) => name === command.symbol)
  if (before === undefined) return refused('UNKNOWN_SYMBOL')
  const {
    minTotal,
    minQuantity,
    selfTradeMode,
    openOrdersMax,
    levelsMax,
    minPrice: min,
    maxPrice: max,
  } = command
  const isBand = (min === 0 && max === 0) || (min >= 1 && max >= min)
  if (!isNamed(bigintOf(minTotal)) || openOrdersMax < 1 || levelsMax < 1 || !isBand)
    return refused('INVALID_COMMAND')
  const terms = { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax }
  const priceBand = max > 0 ? { min, max } : undefined
  const symbol = stripped({ ...before, ...terms, priceBand }) as typeof before
  state.symbols[symbol.id] = symbol
  emit({ kind: 'SymbolChanged', symbol })
  return DONE
}
