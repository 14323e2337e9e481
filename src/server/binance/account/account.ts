/** Balances of the account, and how many orders it has placed. */
import { add, type Whole } from '../../../units/whole.ts'
import { Refusal } from '../../common/refusal.ts'
import { rateLimitsOf } from '../market/exchange-info.ts'
import { padded, paddedText } from '../wire/padded.ts'
import type { WireAnswer, WireCall } from '../wire-call.ts'
import { ratesOf } from './commission.ts'

/** Rates as whole numbers of basis points: 10,000 is 100 %. */
const BASIS_POINTS = 10_000

export async function account(wireCall: WireCall): Promise<WireAnswer> {
  const { call, symbols, parameters } = wireCall
  const { engine, market } = call.services
  const [first] = symbols.all()
  const rates = first === undefined ? undefined : await ratesOf(wireCall, first)
  if (rates instanceof Refusal) return rates
  const balances = await engine.ask('balances', { accountId: call.accountId })
  const isShort = parameters.get('omitZeroBalances') === 'true'
  const { maker = '0', taker = '0' } = rates ?? {}
  const restrictions = market.registry.account(call.accountId)?.restrictions ?? []
  return JSON.stringify({
    makerCommission: Math.round(Number(maker) * BASIS_POINTS),
    takerCommission: Math.round(Number(taker) * BASIS_POINTS),
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: {
      maker: paddedText(maker),
      taker: paddedText(taker),
      buyer: paddedText('0'),
      seller: paddedText('0'),
    },
    canTrade: !restrictions.includes('TRADE'),
    canWithdraw: false,
    canDeposit: true,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: market.time,
    accountType: 'SPOT',
    balances: balances.flatMap(({ assetId, free, locked, freeze }) => {
      const asset = market.registry.asset(assetId)
      const held = add(locked, freeze)
      if (asset === undefined || (isShort && isZero(free) && isZero(held))) return []
      const { code, fraction } = asset
      return [{ asset: code, free: padded(free, fraction), locked: padded(held, fraction) }]
    }),
    permissions: ['SPOT'],
    uid: call.accountId,
  })
}

function isZero(units: Whole): boolean {
  return units === 0 || units === 0n
}

/** The number of orders placed in each window, and its limit. */
export function rateLimitOrder(wireCall: WireCall): WireAnswer {
  return JSON.stringify(ordersUsed(wireCall))
}

export function ordersUsed({ call, limits }: WireCall) {
  const { rateLimits } = call.limitUses()
  const ofOrders = rateLimitsOf(limits).filter(({ rateLimitType }) => rateLimitType === 'ORDERS')
  const uses = rateLimits.filter(({ type }) => type === 'ORDERS')
  return ofOrders.map((limit, at) => ({
    ...limit,
    limit: uses[at]?.max ?? limit.limit,
    count: uses[at]?.used ?? 0,
  }))
}
