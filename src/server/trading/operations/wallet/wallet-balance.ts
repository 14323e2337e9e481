/**
 * Wallet balances (endpoints 8 and 9 on one path): with `code` the balance of one asset, without it all of
 * them.
 */

import {
  type AssetAccount,
  assetAccountsJson,
  assetFreeBody,
  WALLET_END,
  walletHead,
} from '../../../../contract/api/wallet.ts'
import type { Balance } from '../../../../core/questions/view.ts'
import { invariant } from '../../../../units/invariant.ts'
import type { RegistryView } from '../../../../views/registry.ts'
import { readOptional } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { listAnswer } from '../../list-answer.ts'
import { operationOf } from '../../operation.ts'

/** Number of assets covered by one unit of weight, if that exceeds the weight above. */
const ASSETS_PER_WEIGHT = 25

/** Approximate memory of one balance. */
const BALANCE_BYTES = 200

export const walletBalance = operationOf('walletBalance', walletBalanceAnswer)

async function walletBalanceAnswer(call: Call): Promise<Answer> {
  const { engine, market } = call.services
  const code = readOptional(call.parameters, 'code')
  if (code instanceof Refusal) return code
  const asset = code === undefined ? undefined : market.registry.assetByCode(code)
  if (code !== undefined && asset === undefined) return refuse('UNKNOWN_ASSET', {})
  const assets = Math.ceil(market.registry.assets().length / ASSETS_PER_WEIGHT)
  const rowsRefusal =
    assets > walletBalance.weight ? call.chargeRows(assets - walletBalance.weight) : undefined
  if (rowsRefusal !== undefined) return rowsRefusal
  const balances = await engine.ask('balances', { accountId: call.accountId })
  if (asset === undefined) return wholeWallet(call, balances)
  const balance = balances[asset.id]
  invariant(balance?.assetId === asset.id, () => `no balance of the listed asset ${asset.code}`)
  return assetFreeBody(assetAccount(balance, market.registry), call.language)
}

function wholeWallet(call: Call, balances: readonly Balance[]): Answer {
  const { registry } = call.services.market
  const mayTransfer = registry.account(call.accountId)?.restrictions?.includes('WITHDRAW') !== true
  const words = (piece: readonly Balance[]) =>
    assetAccountsJson(
      piece.map((balance) => assetAccount(balance, registry)),
      mayTransfer,
    )
  const head = walletHead(mayTransfer, call.language)
  return listAnswer({ head, rows: balances, words, end: WALLET_END, rowBytes: BALANCE_BYTES }, call.lane)
}

function assetAccount(balance: Balance, registry: RegistryView): AssetAccount {
  const asset = registry.asset(balance.assetId)
  invariant(asset !== undefined, () => `balance of asset ${balance.assetId} that is not listed`)
  return { ...asset, ...balance }
}
