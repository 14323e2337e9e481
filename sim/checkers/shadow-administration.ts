/**
 * Operators' commands about what is there already, as the second bookkeeper expects them: terms of assets and symbols, and
 * orders cancelled by the hundred. Those about records alone are checked by the oracle in `shadow-records.ts`.
 */

import { bigintOf } from '../../src/units/whole.ts'
import { checkLevels, leave, levelKey } from './shadow-book.ts'
import {
  expectKinds,
  hasSymbol,
  isAccepted,
  isAmount,
  isText,
  type No,
  type Of,
  symbolOf,
} from './shadow-rules.ts'
import { type Applied, demand, type ShadowOrder, type ShadowState } from './shadow-state.ts'

type ShadowAdministration = Of<'CancelOrders' | 'SetAssetTerms' | 'SetSymbolTerms'>

const ORDERS_PER_COMMAND = 500

export function checkAdministration(
  state: ShadowState,
  applied: Applied,
  command: ShadowAdministration,
): void {
  if (isAccepted(applied, (no) => addRefusals(state, command, no))) take(state, applied, command)
}

function addRefusals(state: ShadowState, command: ShadowAdministration, no: No): void {
  switch (command.kind) {
    case 'CancelOrders':
      no(command.symbol !== undefined && !hasSymbol(state, command.symbol), 'UNKNOWN_SYMBOL')
      no(
        command.accountId !== undefined && state.accounts[command.accountId] === undefined,
        'UNKNOWN_ACCOUNT',
      )
      no(command.accountId === undefined && command.symbol === undefined, 'INVALID_COMMAND')
      break
    case 'SetAssetTerms':
      no(state.assetByCode(command.code) < 0, 'UNKNOWN_ASSET')
      no(!isText(command.name, 1) || !isAmount(bigintOf(command.supplyCap)), 'INVALID_COMMAND')
      no(
        !isAmount(bigintOf(command.creditMax)) || !isAmount(bigintOf(command.approvalAbove)),
        'INVALID_COMMAND',
      )
      break
    case 'SetSymbolTerms': {
      const { minPrice, maxPrice } = command
      no(!hasSymbol(state, command.symbol), 'UNKNOWN_SYMBOL')
      no(
        !isAmount(bigintOf(command.minTotal)) || command.openOrdersMax < 1 || command.levelsMax < 1,
        'INVALID_COMMAND',
      )
      no(minPrice + maxPrice > 0 && (minPrice < 1 || maxPrice < minPrice), 'INVALID_COMMAND')
      break
    }
  }
}

/** Changes the state as the command asks, and checks that answer and events say so. */
function take(state: ShadowState, applied: Applied, command: ShadowAdministration): void {
  const { events } = applied
  switch (command.kind) {
    case 'CancelOrders':
      cancelOrders(state, applied, command)
      break
    case 'SetAssetTerms': {
      const asset = state.assets[state.assetByCode(command.code)]
      demand(asset !== undefined, 'a listed asset stays listed')
      asset.cap = bigintOf(command.supplyCap)
      asset.creditMax = bigintOf(command.creditMax)
      asset.approvalAbove = bigintOf(command.approvalAbove)
      expectKinds(events, ['AssetChanged'])
      break
    }
    case 'SetSymbolTerms': {
      const { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax, minPrice, maxPrice } = command
      const band = maxPrice === 0 ? [1, Number.MAX_SAFE_INTEGER] : [minPrice, maxPrice]
      const terms = { minTotal, minQuantity, selfTradeMode, openOrdersMax, levelsMax, band }
      Object.assign(symbolOf(state, command.symbol), terms)
      expectKinds(events, ['SymbolChanged'])
      break
    }
  }
}

/** An account's newest orders first; of a symbol alone the sells, then the buys, each in the order of their turn. */
function cancelOrders(state: ShadowState, { reply, events }: Applied, command: Of<'CancelOrders'>): void {
  const { accountId, symbol: name } = command
  const symbol = name === undefined ? undefined : symbolOf(state, name)
  const meant =
    accountId === undefined
      ? [...(symbol?.book.SELL ?? []), ...(symbol?.book.BUY ?? [])]
      : state.openOrders(accountId, symbol?.id)
  const taken = meant.slice(0, ORDERS_PER_COMMAND)
  demand(
    reply.kind === 'OrdersCanceled' &&
      reply.canceled === taken.length &&
      reply.left === meant.length - taken.length,
    () => `of ${meant.length} open orders ${taken.length} are cancelled`,
  )
  for (const [i, order] of taken.entries()) {
    const event = events[i]
    demand(
      event?.kind === 'OrderCanceled' &&
        event.orderNumber === order.number &&
        event.cause === 'OPERATOR' &&
        event.quantity === order.remaining,
      () => `order ${order.number} is the next that an operator cancels`,
    )
  }
  for (const order of taken) leave(state, order)
  checkLevelsOf(state, taken, events.slice(taken.length))
}

function checkLevelsOf(state: ShadowState, taken: readonly ShadowOrder[], events: Applied['events']): void {
  let checked = 0
  for (const symbol of state.symbols) {
    const touched = taken.filter((order) => order.symbol === symbol)
    const changes = events.filter((event) => event.kind === 'LevelChanged' && event.symbolId === symbol.id)
    checkLevels(symbol, changes, new Set(touched.map(({ side, price }) => levelKey(side, price))))
    checked += changes.length
  }
  demand(checked === events.length, 'nothing but levels changes when orders are cancelled')
}
