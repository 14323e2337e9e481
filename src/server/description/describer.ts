/**
 * Commands, answers and events in words: names instead of numbers, decimals instead of units. The same fields
 * make a line for people and an object for programs. Sealed secrets are left out.
 */

import { isoTime } from '../../contract/time.ts'
import type { Command } from '../../core/commands/command.ts'
import type { OrderTarget } from '../../core/commands/order-changes.ts'
import type { ListLeg, PlaceList } from '../../core/commands/order-lists.ts'
import type { ExchangeEvent, OrderActivated, TradeParty } from '../../core/events/event.ts'
import type { Reply } from '../../core/questions/reply.ts'
import type { Account, ApiKey, Asset, TradingSymbol } from '../../core/registry/records.ts'
import { type AssetId, type SymbolId, uuidOf } from '../../units/ids.ts'
import { opposite, ROLES_BY_KIND } from '../../units/order-enums.ts'
import {
  type Amount,
  DECIMALS_MAX,
  type Decimals,
  type Lots,
  type Price,
  type TimeMs,
} from '../../units/quantities.ts'
import { withdrawalCommandFields } from './asked-withdrawals.ts'
import { type Fields, rateText, unitsText } from './fields.ts'
import type { Names } from './names.ts'
import { operatorCommandFields } from './operator-commands.ts'
import { operatorEventFields } from './operator-events.ts'

export class Describer {
  readonly #names: Names

  constructor(names: Names) {
    this.#names = names
  }

  /** The request of a command. */
  command(command: Command): Fields {
    switch (command.kind) {
      case 'PlaceOrder':
        return this.#placeOrder(command)
      case 'CancelOrder': {
        const order = uuidOf('order', command.orderNumber, command.orderTime)
        return { account: this.#names.account(command.accountId), order }
      }
      case 'CancelClientOrder': {
        const { clientOrderId } = command
        return { account: this.#names.account(command.accountId), clientOrderId }
      }
      case 'AmendOrder': {
        const quantity = unitsText(command.quantity, DECIMALS_MAX as Decimals)
        return { account: this.#names.account(command.accountId), ...targetFields(command.target), quantity }
      }
      case 'ReplaceOrder': {
        const { target, mode, restriction, order } = command
        const { order: replaced, clientOrderId: replacedId } = targetFields(target)
        return { ...this.#placeOrder(order), replaced: replaced ?? replacedId, mode, restriction }
      }
      case 'MarkTime':
        return {}
      case 'TriggerOrder':
      case 'ExpireOrder':
        return { orderNumber: command.orderNumber }
      case 'ContinueCancelAll':
        return { account: this.#names.account(command.accountId) }
      case 'CancelAllOrders':
      case 'FireCountdown':
        return { account: this.#names.account(command.accountId), ...this.#scope(command.symbolId) }
      case 'SetCountdown': {
        const { accountId, symbolId, countdownMs, keepsStops } = command
        return { account: this.#names.account(accountId), ...this.#scope(symbolId), countdownMs, keepsStops }
      }
      case 'PlaceList':
        return this.#placeList(command)
      case 'CancelList': {
        const list = uuidOf('list', command.listNumber, command.listTime)
        return { account: this.#names.account(command.accountId), list }
      }
      case 'CancelClientList': {
        const { listClientOrderId } = command
        return { account: this.#names.account(command.accountId), listClientOrderId }
      }
      case 'PlacePending':
        return { listNumber: command.listNumber }
      case 'OpenSession': {
        const { accountId, apiKey, graceMs, resumes } = command
        const session = resumes && uuidOf('session', resumes.sessionNumber, resumes.sessionTime)
        return { account: this.#names.account(accountId), apiKey, graceMs, session }
      }
      case 'DisconnectSession':
      case 'EndSession':
        return { sessionNumber: command.sessionNumber }
      case 'DisconnectSessions':
      case 'EnterPhase':
        return {}
      case 'BeginEpoch':
        return { epoch: command.epoch }
      case 'AskWithdrawal':
      case 'RetractWithdrawal':
      case 'SetOwnAddress':
        return withdrawalCommandFields(command, this.#names)
      default:
        return operatorCommandFields(command, this.#names)
    }
  }

  /** The result of a command. */
  reply(reply: Reply): Fields {
    switch (reply.kind) {
      case 'Refused':
        return { result: 'refused', reason: reply.reason }
      case 'OrderAccepted':
        return { result: reply.status, order: uuidOf('order', reply.orderNumber, reply.time) }
      case 'OrderRepeated':
        return { result: 'repeated', order: uuidOf('order', reply.orderNumber, reply.time) }
      case 'SessionOpened':
        return { result: 'done', session: uuidOf('session', reply.sessionNumber, reply.time) }
      case 'CountdownSet':
        return { result: 'done', triggerAt: reply.triggerAt }
      case 'OrderAmended':
        return { result: 'amended', order: uuidOf('order', reply.orderNumber, reply.time) }
      case 'OrderReplaced':
        return this.#replaced(reply)
      case 'ListAccepted':
        return { result: 'done', list: uuidOf('list', reply.listNumber, reply.time) }
      case 'ListRepeated':
        return { result: 'repeated', list: uuidOf('list', reply.listNumber, reply.time) }
      case 'Done':
        return reply.repeated ? { result: 'done', repeated: true } : { result: 'done' }
      case 'OrdersCanceled':
        return { result: 'done', canceled: reply.canceled, left: reply.left }
      case 'WithdrawalAsked':
        return { result: reply.repeated ? 'repeated' : 'done', reference: reply.reference }
      case 'AddressAllowed':
        return { result: reply.repeated ? 'repeated' : 'done', usableAt: isoTime(reply.usableAt) }
      case 'ApprovalNeeded':
        return { result: 'waits for approval' }
      default:
        return { result: 'done' }
    }
  }

  /** The events of a command; `time` is that of the command. */
  event(event: ExchangeEvent, time: TimeMs): Fields {
    switch (event.kind) {
      case 'AssetChanged':
        return assetFields(event.asset)
      case 'SymbolChanged':
        return symbolFields(event.symbol)
      case 'AccountCreated':
        return accountFields(event.account)
      case 'ApiKeyChanged':
        return this.#apiKey(event.apiKey)
      case 'ApiKeyRemoved':
        return { account: this.#names.account(event.accountId), apiKey: event.apiKey }
      case 'ExternalTransfer': {
        const { accountId, assetId, amount, reference } = event
        return { account: this.#names.account(accountId), ...this.#money(assetId, amount), reference }
      }
      case 'BalanceMoved': {
        const { accountId, assetId } = event
        const asset = this.#names.asset(assetId)?.code ?? `asset ${assetId}`
        return { account: this.#names.account(accountId), asset }
      }
      case 'OrdersMatched':
        return this.#match(event)
      case 'LevelChanged': {
        const { symbolId, side, price, quantity } = event
        return {
          ...this.#symbol(symbolId),
          side,
          price: this.#price(symbolId, price),
          quantity: this.#lots(symbolId, quantity),
        }
      }
      case 'OrderPlaced':
      case 'OrderTriggered':
      case 'OrderActivated':
      case 'OrderCanceled':
      case 'OrderDecremented':
      case 'OrderAmended':
        return this.#orderEvent(event, time)
      default:
        return operatorEventFields(event, this.#names)
    }
  }

  #replaced({ cancelRefusal, placed, repeated }: Extract<Reply, { kind: 'OrderReplaced' }>): Fields {
    const cancel = cancelRefusal ?? 'done'
    return { ...this.reply(placed), cancel, ...(repeated ? { repeated } : {}) }
  }

  #placeOrder(command: Extract<Command, { kind: 'PlaceOrder' }>): Fields {
    const { accountId, symbolId, side, type, timeInForce, price, stopPrice, quantity, total, expireTime } =
      command
    const quote = this.#names.symbol(symbolId)?.quotePrecision
    return {
      account: this.#names.account(accountId),
      ...this.#symbol(symbolId),
      side,
      type,
      timeInForce,
      price: price === undefined ? undefined : this.#price(symbolId, price),
      stopPrice: stopPrice === undefined ? undefined : this.#price(symbolId, stopPrice),
      trailingDelta: command.trailingDelta,
      quantity: quantity === undefined ? undefined : this.#lots(symbolId, quantity),
      icebergQty: this.#part(symbolId, command.icebergQuantity),
      total: total === undefined ? undefined : unitsText(total, quote),
      expireTime,
      selfTradeMode: command.selfTradeMode,
      clientOrderId: command.clientOrderId,
      keyNumber: command.keyNumber,
    }
  }

  /** The part that an order shows at a time; undefined if it shows all of itself. */
  #part(symbolId: SymbolId, icebergQuantity: Lots | undefined): string | undefined {
    return icebergQuantity === undefined ? undefined : this.#lots(symbolId, icebergQuantity)
  }

  /** Each order under its role in the list: `above`, `working`. */
  #placeList(command: PlaceList): Fields {
    const { accountId, symbolId, list, listClientOrderId, selfTradeMode, keyNumber, legs } = command
    const roles = ROLES_BY_KIND[list].map((role) => role.toLowerCase())
    const fields = legs.map((leg, place) => [roles[place], this.#leg(symbolId, leg)] as const)
    return {
      account: this.#names.account(accountId),
      ...this.#symbol(symbolId),
      list,
      listClientOrderId,
      selfTradeMode,
      keyNumber,
      ...Object.fromEntries(fields),
    }
  }

  #leg(symbolId: SymbolId, { side, type, timeInForce, ...leg }: ListLeg): string {
    const { price, stopPrice, quantity, total, clientOrderId } = leg
    const quote = this.#names.symbol(symbolId)?.quotePrecision
    const words = [
      side,
      type,
      timeInForce,
      quantity === undefined ? undefined : this.#lots(symbolId, quantity),
      price === undefined ? undefined : `at ${this.#price(symbolId, price)}`,
      stopPrice === undefined ? undefined : `stop ${this.#price(symbolId, stopPrice)}`,
      leg.trailingDelta === undefined ? undefined : `trailing ${leg.trailingDelta}`,
      total === undefined ? undefined : `total ${unitsText(total, quote)}`,
      clientOrderId,
    ]
    return words.filter((word) => word !== undefined).join(' ')
  }

  #activated({ symbolId, quantity, total }: OrderActivated): Fields {
    return {
      quantity: quantity === undefined ? undefined : this.#lots(symbolId, quantity),
      total: total === undefined ? undefined : unitsText(total, this.#names.symbol(symbolId)?.quotePrecision),
    }
  }

  #match(event: Extract<ExchangeEvent, { kind: 'OrdersMatched' }>): Fields {
    const { symbolId, price, quantity, takerSide, maker, taker } = event
    const makerSide = opposite(takerSide)
    return {
      ...this.#symbol(symbolId),
      trade: uuidOf('trade', event.tradeNumber, event.time),
      price: this.#price(symbolId, price),
      quantity: this.#lots(symbolId, quantity),
      ...this.#party('maker', maker, symbolId, makerSide === 'BUY'),
      ...this.#party('taker', taker, symbolId, takerSide === 'BUY'),
    }
  }

  /**
   * A party of a trade; commission is charged on the asset that it receives: base for the buyer, quote for
   * the seller.
   */
  #party(role: 'maker' | 'taker', party: TradeParty, symbolId: SymbolId, isBuyer: boolean): Fields {
    const symbol = this.#names.symbol(symbolId)
    const received = isBuyer ? symbol?.base : symbol?.quote
    const asset = received === undefined ? undefined : this.#names.asset(received)
    const commission = unitsText(party.commission, asset?.fraction)
    return {
      [role]: this.#names.account(party.accountId),
      [`${role}Side`]: isBuyer ? 'BUY' : 'SELL',
      [`${role}Order`]: uuidOf('order', party.orderNumber, party.orderTime),
      [`${role}Total`]: unitsText(party.total, symbol?.quotePrecision),
      [`${role}Commission`]: asset === undefined ? commission : `${commission} ${asset.code}`,
    }
  }

  /** These events do not contain the order's time, so the order is shown by its number. */
  #orderEvent(
    event: Extract<
      ExchangeEvent,
      {
        kind:
          | 'OrderPlaced'
          | 'OrderTriggered'
          | 'OrderActivated'
          | 'OrderCanceled'
          | 'OrderDecremented'
          | 'OrderAmended'
      }
    >,
    time: TimeMs,
  ): Fields {
    const { symbolId, accountId, orderNumber, side } = event
    const who = { ...this.#symbol(symbolId), account: this.#names.account(accountId), side }
    if (event.kind === 'OrderPlaced')
      return { ...who, orderNumber, order: uuidOf('order', orderNumber, time) }
    if (event.kind === 'OrderTriggered') return { ...who, orderNumber }
    if (event.kind === 'OrderActivated') return { ...who, orderNumber, ...this.#activated(event) }
    const quantity = this.#lots(symbolId, event.quantity)
    if (event.kind === 'OrderAmended') {
      return { ...who, orderNumber, quantity, remaining: this.#lots(symbolId, event.remaining) }
    }
    if (event.kind === 'OrderDecremented') return { ...who, orderNumber, quantity, cause: undefined }
    return { ...who, orderNumber, quantity, cause: event.cause, reason: event.reason }
  }

  #apiKey({ apiKey, accountId, enabled, label }: ApiKey): Fields {
    return { account: this.#names.account(accountId), apiKey, enabled, label }
  }

  #scope(symbolId: SymbolId | undefined): Fields {
    return symbolId === undefined ? {} : this.#symbol(symbolId)
  }

  #symbol(symbolId: SymbolId): { readonly symbol: string } {
    return { symbol: this.#names.symbol(symbolId)?.name ?? `symbol ${symbolId}` }
  }

  #price(symbolId: SymbolId, price: Price): string {
    return unitsText(price, this.#names.symbol(symbolId)?.quoteFraction)
  }

  #lots(symbolId: SymbolId, quantity: Lots | bigint): string {
    return unitsText(quantity, this.#names.symbol(symbolId)?.baseFraction)
  }

  #money(assetId: AssetId, amount: Amount): Fields {
    const asset = this.#names.asset(assetId)
    return { asset: asset?.code ?? `asset ${assetId}`, amount: unitsText(amount, asset?.fraction) }
  }
}

function targetFields({ orderNumber, orderTime, clientOrderId }: OrderTarget): Fields {
  return clientOrderId === undefined ? { order: uuidOf('order', orderNumber, orderTime) } : { clientOrderId }
}

function assetFields({ code, isDeposit, isWithdraw, isTrade, isSaving }: Asset): Fields {
  return { asset: code, isDeposit, isWithdraw, isTrade, isSaving }
}

function symbolFields({ name, state, makerRate, takerRate }: TradingSymbol): Fields {
  return { symbol: name, state, makerRate: rateText(makerRate), takerRate: rateText(takerRate) }
}

function accountFields({ name, role }: Account): Fields {
  return { account: name, role }
}
