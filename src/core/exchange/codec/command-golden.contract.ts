/**
 * One command of every kind with its bytes as journals hold them. The bytes are never edited: where they no longer
 * match, old journals can no longer be read.
 */
import type { AccountId, OrderNumber, SymbolId } from '../../../units/ids.ts'
import { amount, decimals, lots, price, rate, timeMs } from '../../../units/quantities.ts'
import type { Command, PlaceOrder } from '../command.ts'
import { GOLDEN_ADMINISTRATION } from './administration-golden.contract.ts'

const accountId = 300 as AccountId
const operator = { actor: 'ayşe', note: 'ticket 7' }
const flags = { isDeposit: true, isWithdraw: false, isTrade: true, isSaving: false }
const transfer = { operator, accountId, asset: 'BTC', amount: amount(2n ** 64n), reference: 'tx-1' }
const terms = {
  baseFraction: decimals(8),
  quoteFraction: decimals(2),
  makerRate: rate(0),
  takerRate: rate(100_000),
  minTotal: amount(1_000n),
  minQuantity: lots(10),
  selfTradeMode: 'EXPIRE_TAKER',
  openOrdersMax: 10_000,
  levelsMax: 5_000,
} as const
export const limitOrder: PlaceOrder = {
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
  clientReference: undefined,
}
const fullOrder: PlaceOrder = {
  ...limitOrder,
  side: 'BUY',
  type: 'MARKET',
  timeInForce: 'GTC',
  price: price(2 ** 53 - 1),
  total: amount(-1n),
  selfTradeMode: 'DECREMENT',
  clientReference: 'r1',
}

export const GOLDEN_COMMANDS: readonly (readonly [command: Command, hex: string])[] = [
  [limitOrder, '010311ac0201a0dd8c0380a3c347'],
  [fullOrder, '011f02ac0201ffffffffffffff0f80a3c3470104027231'],
  [
    {
      ...limitOrder,
      side: 'BUY',
      type: 'MARKET',
      timeInForce: 'GTC',
      price: undefined,
      quantity: undefined,
      total: amount(12_345n),
    },
    '010402ac0201f2c001',
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
  [
    {
      kind: 'ListAsset',
      operator,
      code: 'BTC',
      name: 'Bitcoin',
      fraction: decimals(8),
      flags,
      supplyCap: amount(2_100_000_000_000_000n),
    },
    '06056179c59f65087469636b657420370342544307426974636f696e08010001008080baa08bfcba07',
  ],
  [
    { kind: 'SetAssetFlags', operator, code: 'BTC', flags },
    '07056179c59f65087469636b657420370342544301000100',
  ],
  [
    { kind: 'ListSymbol', operator, base: 'BTC', quote: 'TRY', terms },
    '08056179c59f65087469636b657420370342544303545259080200a08d06d00f0a01904e8827',
  ],
  [
    { kind: 'SetSymbolState', operator, symbol: 'BTC/TRY', state: 'HALTED' },
    '09056179c59f65087469636b65742037074254432f54525901',
  ],
  [
    {
      kind: 'SetSymbolRates',
      operator,
      symbol: 'BTC/TRY',
      makerRate: rate(50_000),
      takerRate: rate(99_999_999),
    },
    '0a056179c59f65087469636b65742037074254432f545259d08603ffc1d72f',
  ],
  [{ kind: 'CreateAccount', operator, name: 'alice' }, '0b056179c59f65087469636b6574203705616c696365'],
  [
    {
      kind: 'CreateApiKey',
      operator,
      accountId,
      apiKey: 'k-1',
      sealedSecret: Uint8Array.of(0, 127, 128, 255),
      permissions: ['USER_DATA', 'TRADE'],
      addresses: ['10.0.0.0/8', '::1'],
      label: 'desk',
    },
    '0c056179c59f65087469636b65742037ac02036b2d3104007f80ff020200020a31302e302e302e302f38033a3a31046465736b',
  ],
  [
    { kind: 'SetApiKeyEnabled', operator, apiKey: 'k-1', enabled: false },
    '0d056179c59f65087469636b65742037036b2d3100',
  ],
  [{ kind: 'SetRulesVersion', operator, version: 2 }, '0e056179c59f65087469636b6574203702'],
  ...GOLDEN_ADMINISTRATION,
]
