/**
 * One command of each kind on assets, symbols, accounts and keys with its bytes in journals. The bytes are
 * never edited: if they no longer match, old journals can no longer be read.
 */
import type { AccountId } from '../../units/ids.ts'
import { amount, decimals, lots, price, rate, timeMs } from '../../units/quantities.ts'
import type { AccountCommand } from './accounts.ts'
import type { KeyCommand } from './keys.ts'
import type { ListingCommand } from './listings.ts'

const accountId = 300 as AccountId
const operator = { actor: 'ayşe', note: 'ticket 7' }
const flags = { isDeposit: true, isWithdraw: false, isTrade: true, isSaving: false }
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

export const GOLDEN_REGISTRATION: readonly (readonly [
  command: ListingCommand | AccountCommand | KeyCommand,
  hex: string,
])[] = [
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
    { kind: 'ListSymbol', operator, base: 'BTC', quote: 'TRY', terms, binanceName: 'BTCLIRA' },
    '54056179c59f65087469636b657420370342544303545259080200a08d06d00f0a01904e8827074254434c495241',
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
    {
      kind: 'AddApiKey',
      operator,
      accountId,
      apiKey: 'k-2',
      keyKind: 'ED25519',
      material: Uint8Array.of(0, 127, 128, 255),
      wire: 'BINANCE',
      permissions: ['READ', 'TRADE'],
      addresses: ['::1'],
      label: 'bot',
      expiresAt: timeMs(1_767_225_600_000),
      strictSignature: false,
    },
    '52056179c59f65087469636b65742037ac02036b2d320104007f80ff0102040001033a3a3103626f7480d0eab6b73300',
  ],
  [
    { kind: 'SetApiKeyEnabled', operator, apiKey: 'k-1', enabled: false },
    '0d056179c59f65087469636b65742037036b2d3100',
  ],
  [
    { kind: 'SetAccountRestrictions', operator, accountId, restrictions: ['TRADE', 'LOGIN'] },
    '0f056179c59f65087469636b65742037ac0205',
  ],
  [
    {
      kind: 'ChangeRestrictions',
      operator,
      accountId,
      source: 'CUSTOMER',
      added: ['TRADE', 'LOGIN'],
      removed: ['WITHDRAW'],
    },
    '53056179c59f65087469636b65742037ac02010502',
  ],
  [{ kind: 'OpenCustomer', operator, name: 'alice' }, '55056179c59f65087469636b6574203705616c696365'],
  [{ kind: 'RaiseCustomerEpoch', operator, accountId }, '56056179c59f65087469636b65742037ac02'],
  [{ kind: 'ForgetCustomer', operator, accountId }, '57056179c59f65087469636b65742037ac02'],
  [{ kind: 'CloseAccount', operator, accountId }, '10056179c59f65087469636b65742037ac02'],
  [
    { kind: 'SetAccountTerms', operator, accountId, feeTier: 'vip-1', openOrdersMax: 200 },
    '11056179c59f65087469636b65742037ac02057669702d31c801',
  ],
  [
    {
      kind: 'SetAccountProfile',
      operator,
      accountId,
      customerId: 'CRM-7',
      labels: ['mm', 'vip'],
      fields: [{ name: 'desk', value: 'Zürich' }],
      remark: '',
    },
    '4b056179c59f65087469636b65742037ac020543524d2d3702026d6d0376697001046465736b075ac3bc7269636800',
  ],
  [
    {
      kind: 'SetSpecialTerms',
      operator,
      accountId,
      rates: { makerRate: rate(0), takerRate: rate(40_000), until: timeMs(1_767_225_600_000) },
      openOrders: { max: 200, until: timeMs(0) },
    },
    '4c056179c59f65087469636b65742037ac020100c0b80280d0eab6b73301c80100',
  ],
  [{ kind: 'SetSpecialTerms', operator, accountId }, '4c056179c59f65087469636b65742037ac020000'],
  [
    { kind: 'SetSpecialTerms', operator, accountId, orderRate: { times: 20, until: timeMs(0) } },
    '4c056179c59f65087469636b65742037ac0200021400',
  ],
  [
    {
      kind: 'SetAssetTerms',
      operator,
      code: 'BTC',
      name: 'Bitcoin',
      supplyCap: amount(2_100_000_000_000_000n),
      creditMax: amount(100_000_000n),
      approvalAbove: amount(10_000_000n),
    },
    '13056179c59f65087469636b657420370342544307426974636f696e8080baa08bfcba078084af5f80dac409',
  ],
  [
    {
      kind: 'SetSymbolTerms',
      operator,
      symbol: 'BTC/TRY',
      minTotal: amount(1_000n),
      minQuantity: lots(10),
      selfTradeMode: 'DECREMENT',
      openOrdersMax: 10_000,
      levelsMax: 5_000,
      minPrice: price(100),
      maxPrice: price(2 ** 53 - 1),
    },
    '14056179c59f65087469636b65742037074254432f545259d00f0a04904e882764ffffffffffffff0f',
  ],
  [
    {
      kind: 'SetSymbolIncrements',
      operator,
      symbol: 'BTC/TRY',
      tickSize: price(5),
      stepSize: lots(2_500),
    },
    '3b056179c59f65087469636b65742037074254432f54525905c413',
  ],
  [
    { kind: 'SetFeeTier', operator, name: 'vip-1', makerShare: rate(0), takerShare: rate(50_000_000) },
    '15056179c59f65087469636b65742037057669702d310080e1eb17',
  ],
  [
    {
      kind: 'SetApiKeyTerms',
      operator,
      apiKey: 'k-1',
      permissions: ['USER_DATA', 'TRADE'],
      addresses: ['10.0.0.0/8'],
      label: 'desk',
      expiresAt: timeMs(1_767_225_600_000),
    },
    '1b056179c59f65087469636b65742037036b2d31020200010a31302e302e302e302f38046465736b80d0eab6b733',
  ],
  [
    {
      kind: 'RotateApiKey',
      operator,
      apiKey: 'k-1',
      sealedSecret: Uint8Array.of(0, 127, 128, 255),
      previousUntil: timeMs(1_767_225_600_000),
    },
    '1c056179c59f65087469636b65742037036b2d3104007f80ff80d0eab6b733',
  ],
  [{ kind: 'RevokeApiKey', operator, apiKey: 'k-1' }, '1d056179c59f65087469636b65742037036b2d31'],
  [
    {
      kind: 'ResealSecret',
      operator,
      apiKey: 'k-1',
      from: Uint8Array.of(0, 127, 128, 255),
      to: Uint8Array.of(1),
    },
    '24056179c59f65087469636b65742037036b2d3104007f80ff0101',
  ],
  [
    { kind: 'SetApiKeyStrict', operator, apiKey: 'k-1', strictSignature: true },
    '25056179c59f65087469636b65742037036b2d3101',
  ],
]
