/**
 * One of each operator's order about what is there already, with its bytes as journals hold them. The bytes are never
 * edited: where they no longer match, old journals can no longer be read.
 */
import type { AccountId } from '../../../units/ids.ts'
import { amount, lots, price, rate, timeMs } from '../../../units/quantities.ts'
import type { Administration } from '../operators/administration.ts'

const accountId = 300 as AccountId
const operator = { actor: 'ayşe', note: 'ticket 7' }
const transfer = { operator, accountId, asset: 'BTC', amount: amount(2n ** 64n), reference: 'tx-1' }

export const GOLDEN_ADMINISTRATION: readonly (readonly [Administration, string])[] = [
  [
    { kind: 'SetAccountRestrictions', operator, accountId, restrictions: ['TRADE', 'LOGIN'] },
    '0f056179c59f65087469636b65742037ac0205',
  ],
  [{ kind: 'CloseAccount', operator, accountId }, '10056179c59f65087469636b65742037ac02'],
  [
    { kind: 'SetAccountTerms', operator, accountId, feeTier: 'vip-1', openOrdersMax: 200 },
    '11056179c59f65087469636b65742037ac02057669702d31c801',
  ],
  [
    { kind: 'CancelOrders', operator, accountId, symbol: undefined },
    '12056179c59f65087469636b6574203701ac0200',
  ],
  [
    { kind: 'CancelOrders', operator, accountId: undefined, symbol: 'BTC/TRY' },
    '12056179c59f65087469636b657420370001074254432f545259',
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
    { kind: 'SetFeeTier', operator, name: 'vip-1', makerShare: rate(0), takerShare: rate(50_000_000) },
    '15056179c59f65087469636b65742037057669702d310080e1eb17',
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
    {
      kind: 'ResealSecret',
      operator,
      apiKey: 'k-1',
      from: Uint8Array.of(0, 127, 128, 255),
      to: Uint8Array.of(1),
    },
    '24056179c59f65087469636b65742037036b2d3104007f80ff0101',
  ],
]
