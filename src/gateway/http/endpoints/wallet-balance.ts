/**
 * Wallet balances (endpoints 8 and 9 on one path): with `code` the one asset's, without it all of them.
 */
import type { Balance } from '../../../core/exchange/view.ts'
import { invariant } from '../../../units/invariant.ts'
import type { RegistryView } from '../../../views/registry.ts'
import { type AssetAccount, assetFreeBody, walletBody } from '../../../wire/wallet.ts'
import type { Answer, Call } from '../call.ts'
import { type Endpoint, WALLET } from '../endpoint.ts'
import { readOptional } from '../read.ts'
import { Refusal, refuse } from '../refusal.ts'

export const walletBalance: Endpoint = { security: WALLET, weight: 20, answer: walletBalanceAnswer }

async function walletBalanceAnswer(call: Call): Promise<Answer> {
  const { engine, market } = call.services
  const code = readOptional(call.parameters, 'code')
  if (code instanceof Refusal) return code
  const asset = code === undefined ? undefined : market.registry.assetByCode(code)
  if (code !== undefined && asset === undefined) return refuse('UNKNOWN_ASSET', {})
  const balances = await engine.balances(call.accountId)
  const accounts = balances
    .filter((balance) => asset === undefined || balance.assetId === asset.id)
    .map((balance) => assetAccount(balance, market.registry))
  if (asset === undefined) {
    const restrictions = market.registry.account(call.accountId)?.restrictions
    return walletBody(accounts, restrictions?.includes('WITHDRAW') !== true, call.language)
  }
  const [account] = accounts
  invariant(account !== undefined, () => `no balance of the listed asset ${asset.code}`)
  return assetFreeBody(account, call.language)
}

function assetAccount(balance: Balance, registry: RegistryView): AssetAccount {
  const asset = registry.asset(balance.assetId)
  invariant(asset !== undefined, () => `balance of asset ${balance.assetId} that is not listed`)
  return { ...asset, ...balance }
}
