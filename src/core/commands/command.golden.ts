/**
 * One command of every kind with its bytes in journals; those on assets, symbols, accounts and keys are in a
 * separate file. The bytes are never edited: if they no longer match, old journals can no longer be read.
 */
import type { AccountId, ListNumber, OrderNumber, SessionNumber, SymbolId } from '../../units/ids.ts'
import { amount, lots, price, timeMs } from '../../units/quantities.ts'
import { GOLDEN_RIGHTS } from '../records/rights.golden.ts'
import type { Command } from './command.ts'
import type { PlaceList } from './order-lists.ts'
import type { LimitOrder, PlaceOrder } from './orders.ts'
import { GOLDEN_REGISTRATION } from './registration.golden.ts'
import { GOLDEN_WITHDRAWALS } from './withdrawals.golden.ts'

const accountId = 300 as AccountId
const operator = { actor: 'ayşe', note: 'ticket 7' }
const transfer = { operator, accountId, asset: 'BTC', amount: amount(2n ** 64n), reference: 'tx-1' }
export const limitOrder: PlaceOrder & LimitOrder = {
  kind: 'PlaceOrder',
  accountId,
  symbolId: 1 as SymbolId,
  side: 'SELL',
  type: 'LIMIT',
  timeInForce: 'IOC',
  price: price(6_500_000),
  quantity: lots(150_000_000),
  total: undefined,
  selfTradeMode: undefined,
  clientOrderId: undefined,
}
const timed = { ...limitOrder, icebergQuantity: undefined }
const { timeInForce: _, expireTime: __, ...timeless } = limitOrder
const limitMakerOrder: PlaceOrder = { ...timeless, type: 'LIMIT_MAKER' }
const stopPrice = price(6_500_001)
const stopLimitOrder: PlaceOrder = { ...timed, type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC', stopPrice }
const stopBuyOrder: PlaceOrder = {
  kind: 'PlaceOrder',
  accountId,
  symbolId: 1 as SymbolId,
  side: 'BUY',
  type: 'STOP_LOSS',
  quantity: undefined,
  total: amount(12_345n),
  stopPrice,
  selfTradeMode: undefined,
  clientOrderId: undefined,
}
const fullOrder: PlaceOrder = {
  ...limitOrder,
  side: 'BUY',
  price: price(2 ** 53 - 1),
  total: amount(-1n),
  selfTradeMode: 'DECREMENT',
  clientOrderId: 'r1',
}

const listLeg = {
  side: 'SELL',
  quantity: lots(150_000_000),
  total: undefined,
  clientOrderId: undefined,
} as const
const ocoList: PlaceList = {
  kind: 'PlaceList',
  accountId,
  symbolId: 1 as SymbolId,
  list: 'OCO',
  selfTradeMode: 'DECREMENT',
  listClientOrderId: 'l1',
  legs: [
    {
      ...listLeg,
      type: 'LIMIT_MAKER',
      timeInForce: undefined,
      price: price(6_500_000),
      stopPrice: undefined,
    },
    {
      ...listLeg,
      type: 'STOP_LOSS_LIMIT',
      timeInForce: 'GTC',
      price: price(1),
      stopPrice,
      clientOrderId: 'b',
    },
  ],
}
const otocoList: PlaceList = {
  ...ocoList,
  list: 'OTOCO',
  selfTradeMode: undefined,
  listClientOrderId: undefined,
  legs: [
    { ...listLeg, type: 'LIMIT', timeInForce: 'FOK', price: price(6_500_000), stopPrice: undefined },
    {
      ...listLeg,
      type: 'TAKE_PROFIT',
      timeInForce: undefined,
      price: undefined,
      stopPrice,
      quantity: undefined,
    },
    {
      ...listLeg,
      side: 'BUY',
      type: 'STOP_LOSS',
      timeInForce: undefined,
      price: undefined,
      stopPrice,
      total: amount(12_345n),
    },
  ],
}
const listNumber = 4_294_967_296 as ListNumber

export const GOLDEN_COMMANDS: readonly (readonly [command: Command, hex: string])[] = [
  [limitOrder, '010311ac0201a0dd8c0380a3c347'],
  [fullOrder, '011f10ac0201ffffffffffffff0f80a3c3470104027231'],
  [{ ...limitOrder, timeInForce: 'FOK' }, '010321ac0201a0dd8c0380a3c347'],
  [limitMakerOrder, '010305ac0201a0dd8c0380a3c347'],
  [{ ...limitMakerOrder, icebergQuantity: lots(10_000_000) }, '01830105ac0201a0dd8c0380a3c34780ade204'],
  [
    { ...limitOrder, timeInForce: 'GTC', icebergQuantity: lots(10_000_000) },
    '01830101ac0201a0dd8c0380a3c34780ade204',
  ],
  [stopLimitOrder, '012309ac0201a0dd8c0380a3c347a1dd8c03'],
  [stopBuyOrder, '012406ac0201f2c001a1dd8c03'],
  [{ kind: 'TriggerOrder', orderNumber: 4_294_967_296 as OrderNumber }, '298080808010'],
  [
    { ...limitOrder, timeInForce: 'GTD', expireTime: timeMs(1_767_225_600_000) },
    '014331ac0201a0dd8c0380a3c34780d0eab6b733',
  ],
  [{ kind: 'CancelAllOrders', accountId, symbolId: undefined }, '2fac0200'],
  [{ kind: 'ContinueCancelAll', accountId }, '30ac02'],
  [
    { kind: 'SetCountdown', accountId, symbolId: 1 as SymbolId, countdownMs: 60_000, keepsStops: true },
    '31ac0202e0d40301',
  ],
  [{ kind: 'FireCountdown', accountId, symbolId: 1 as SymbolId }, '32ac0202'],
  [
    { ...limitOrder, sessionNumber: 4_294_967_296 as SessionNumber },
    '01830211ac0201a0dd8c0380a3c3478080808010',
  ],
  [
    {
      ...limitOrder,
      timeInForce: 'GTC',
      icebergQuantity: lots(10_000_000),
      sessionNumber: 7 as SessionNumber,
    },
    '01830301ac0201a0dd8c0380a3c34780ade20407',
  ],
  [
    { kind: 'OpenSession', accountId, apiKey: 'k1', graceMs: 5_000, resumes: undefined },
    '33ac02026b31882700',
  ],
  [
    {
      kind: 'OpenSession',
      accountId,
      apiKey: 'k1',
      graceMs: 0,
      resumes: { sessionNumber: 7 as SessionNumber, sessionTime: timeMs(1_767_225_600_000) },
    },
    '33ac02026b3100010780d0eab6b733',
  ],
  [{ kind: 'DisconnectSession', sessionNumber: 7 as SessionNumber, attachment: 2 }, '340702'],
  [{ kind: 'DisconnectSessions' }, '3a'],
  [{ kind: 'SetPhase', operator, phase: 'CLOSED' }, '3c056179c59f65087469636b6574203702'],
  [
    {
      kind: 'PlanPhases',
      operator,
      steps: [
        { phase: 'CANCEL_ONLY', at: timeMs(1_767_225_600_000) },
        { phase: 'TRADING', at: timeMs(1_767_225_600_001) },
      ],
    },
    '3d056179c59f65087469636b65742037020180d0eab6b7330081d0eab6b733',
  ],
  [{ kind: 'EnterPhase' }, '3e'],
  [{ kind: 'BeginEpoch', epoch: 300 }, '5aac02'],
  ...GOLDEN_RIGHTS,
  [{ kind: 'EndSession', sessionNumber: 4_294_967_296 as SessionNumber }, '358080808010'],
  [{ kind: 'ExpireOrder', orderNumber: 4_294_967_296 as OrderNumber }, '2e8080808010'],
  [
    {
      kind: 'PlaceOrder',
      accountId,
      symbolId: 1 as SymbolId,
      side: 'BUY',
      type: 'MARKET',
      quantity: undefined,
      total: amount(12_345n),
      selfTradeMode: undefined,
      clientOrderId: undefined,
    },
    '010402ac0201f2c001',
  ],
  [
    {
      kind: 'PlaceOrder',
      accountId,
      symbolId: 1 as SymbolId,
      side: 'BUY',
      type: 'MARKET',
      quantity: lots(300),
      total: undefined,
      selfTradeMode: undefined,
      clientOrderId: undefined,
    },
    '010202ac0201ac02',
  ],
  [
    {
      kind: 'CancelOrder',
      accountId,
      orderNumber: 4_294_967_296 as OrderNumber,
      orderTime: timeMs(1_767_225_600_000),
    },
    '02ac02808080801080d0eab6b733',
  ],
  [
    { kind: 'Credit', ...transfer },
    '03056179c59f65087469636b65742037ac0203425443808080808080808080040474782d31',
  ],
  [
    { kind: 'Debit', ...transfer },
    '04056179c59f65087469636b65742037ac0203425443808080808080808080040474782d31',
  ],
  [
    { kind: 'MoveBetweenBuckets', ...transfer, from: 'free', to: 'freeze' },
    '05056179c59f65087469636b65742037ac02034254430001808080808080808080040474782d31',
  ],
  [
    { kind: 'MoveBetweenBuckets', ...transfer, from: 'savings', to: 'free' },
    '05056179c59f65087469636b65742037ac02034254430200808080808080808080040474782d31',
  ],
  [{ kind: 'SetRulesVersion', operator, version: 2 }, '0e056179c59f65087469636b6574203702'],
  [
    { kind: 'CancelOrders', operator, accountId, symbol: undefined },
    '12056179c59f65087469636b6574203701ac0200',
  ],
  [
    { kind: 'CancelOrders', operator, accountId: undefined, symbol: 'BTC/TRY' },
    '12056179c59f65087469636b657420370001074254432f545259',
  ],
  [
    { kind: 'HoldWithdrawal', ...transfer },
    '16056179c59f65087469636b65742037ac0203425443808080808080808080040474782d31',
  ],
  [{ kind: 'CompleteWithdrawal', operator, reference: 'tx-1' }, '17056179c59f65087469636b657420370474782d31'],
  [{ kind: 'CancelWithdrawal', operator, reference: 'tx-1' }, '18056179c59f65087469636b657420370474782d31'],
  [
    { kind: 'MoveSavings', ...transfer, isDeposit: true },
    '19056179c59f65087469636b6574203701ac0203425443808080808080808080040474782d31',
  ],
  [
    { kind: 'PayOutCommission', operator, asset: 'BTC', amount: amount(12_345n), reference: 'payout-1' },
    '1a056179c59f65087469636b6574203703425443f2c001087061796f75742d31',
  ],
  [
    { kind: 'AddAdminToken', operator, name: 'ayse', role: 'SUPPORT', digest: new Uint8Array(32).fill(7) },
    '1e056179c59f65087469636b65742037046179736501200707070707070707070707070707070707070707070707070707070707070707',
  ],
  [{ kind: 'RevokeAdminToken', operator, name: 'ayse' }, '1f056179c59f65087469636b657420370461797365'],
  [{ kind: 'Approve', operator, reference: 'tx-1' }, '20056179c59f65087469636b657420370474782d31'],
  [{ kind: 'Reject', operator, reference: 'tx-1' }, '21056179c59f65087469636b657420370474782d31'],
  [
    { kind: 'BanAddress', operator, address: '2001:db8::1', until: timeMs(1_767_225_600_000) },
    '22056179c59f65087469636b657420370b323030313a6462383a3a3180d0eab6b733',
  ],
  [{ kind: 'LiftBan', operator, address: '10.0.0.1' }, '23056179c59f65087469636b657420370831302e302e302e31'],
  [
    { kind: 'AcceptClock', operator, clock: timeMs(1_767_225_600_000) },
    '26056179c59f65087469636b6574203780d0eab6b733',
  ],
  [
    { kind: 'NoteChange', operator, subject: 'webhook books', change: 'paused' },
    '4f056179c59f65087469636b657420370d776562686f6f6b20626f6f6b7306706175736564',
  ],
  [{ kind: 'CancelClientOrder', accountId, clientOrderId: 'A-1' }, '27ac0203412d31'],
  [
    { kind: 'CancelClientOrder', accountId, clientOrderId: 'A-1', symbolId: 3 as SymbolId },
    '51ac0203412d3103',
  ],
  [
    {
      kind: 'CancelOrder',
      accountId,
      orderNumber: 4_294_967_296 as OrderNumber,
      orderTime: timeMs(1_767_225_600_000),
      symbolId: 3 as SymbolId,
    },
    '50ac02808080801080d0eab6b73303',
  ],
  [{ kind: 'MarkTime' }, '28'],
  [
    { kind: 'AmendOrder', accountId, target: { clientOrderId: 'A-1' }, quantity: amount(250n) },
    '2aac020103412d31f403',
  ],
  [
    {
      kind: 'AmendOrder',
      accountId,
      target: { orderNumber: 7 as OrderNumber, orderTime: timeMs(1_767_225_600_000) },
      quantity: amount(5n * 10n ** 17n),
    },
    '2aac02000780d0eab6b733808090bbbad6adf00d',
  ],
  [
    {
      kind: 'ReplaceOrder',
      target: { clientOrderId: 'A-1' },
      mode: 'ALLOW_FAILURE',
      restriction: 'ONLY_NEW',
      order: limitOrder,
    },
    '2b0103412d310101000311ac0201a0dd8c0380a3c347',
  ],
  [ocoList, '360003ac020104026c31030102a0dd8c0380a3c3473b0104000180a3c347a1dd8c030162'],
  [
    { ...ocoList, sessionNumber: 7 as SessionNumber },
    '360007ac020104026c3107030102a0dd8c0380a3c3473b0104000180a3c347a1dd8c030162',
  ],
  [otocoList, '360200ac020123010002a0dd8c0380a3c347080105a1dd8c030e000380a3c347f2c001a1dd8c03'],
  [
    { kind: 'CancelList', accountId, listNumber, listTime: timeMs(1_767_225_600_000) },
    '37ac02808080801080d0eab6b733',
  ],
  [{ kind: 'CancelClientList', accountId, listClientOrderId: 'A-1' }, '38ac0203412d31'],
  [{ kind: 'PlacePending', listNumber }, '398080808010'],
  [
    {
      kind: 'CancelAnyOrder',
      operator,
      orderNumber: 7 as OrderNumber,
      orderTime: timeMs(1_767_225_600_000),
    },
    '4a056179c59f65087469636b657420370780d0eab6b733',
  ],
  ...GOLDEN_WITHDRAWALS,
  ...GOLDEN_REGISTRATION,
]
