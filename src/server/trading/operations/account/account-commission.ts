/**
 * The commission of an account in a symbol (docs/reference/extensions.md#commission-of-an-account), by the
 * same formula as for fills.
 */

import { accountCommissionJson, COMMISSION_READ } from '../../../../contract/api/account-commission.ts'
import { sharedRate } from '../../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../../core/registry/records.ts'
import { ratesInForce } from '../../../../core/registry/special-terms.ts'
import { invariant } from '../../../../units/invariant.ts'
import type { Answer, Call } from '../../call.ts'
import { operationOf } from '../../operation.ts'
import { symbolRowsAnswer } from '../market/symbol-list.ts'

const ALL_WEIGHT = 20

export const accountCommission = operationOf('accountCommission', accountCommissionAnswer)

function accountCommissionAnswer(call: Call): Answer {
  const { market, feeTierByName } = call.services
  const account = market.registry.account(call.accountId)
  const { feeTier } = account ?? {}
  const own = ratesInForce(account?.special, call.serverTime)
  const tier = feeTier === undefined ? undefined : feeTierByName.get(feeTier)
  invariant(feeTier === tier?.name, () => `fee tier ${feeTier} of account ${call.accountId} must exist`)
  const row = ({ name, makerRate, takerRate }: TradingSymbol) => {
    const standard = { maker: makerRate, taker: takerRate }
    const shared =
      tier === undefined
        ? standard
        : { maker: sharedRate(makerRate, tier.makerShare), taker: sharedRate(takerRate, tier.takerShare) }
    const paid = own === undefined ? shared : { maker: own.makerRate, taker: own.takerRate }
    const until = own?.until || undefined
    return accountCommissionJson({ symbol: name, paid, standard, feeTier, isOwn: own !== undefined, until })
  }
  return symbolRowsAnswer(call, {
    heads: COMMISSION_READ,
    weight: { one: accountCommission.weight, all: ALL_WEIGHT },
    row,
  })
}
