/**
 * Wallet balances (endpoints 8 and 9 on one path): with `code` the one asset's, without it all of them.
 */
import type { Balance } from '../../../core/exchange/view.ts'
import { invariant } from '../../../units/invariant.ts'
import type { RegistryView } from '../../../views/registry.ts'
import {
  type AssetAccount,
  assetAccountsJson,
  assetFreeBody,
  WALLET_END,
  walletBody,
  walletHead,
} from '../../../wire/wallet.ts'
import { readOptional } from '../../common/read.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import type { Answer, Call } from '../call.ts'
import { LongAnswer } from '../long-answer.ts'
import { type Operation, WALLET } from '../operation.ts'

const WALLET_WEIGHT = 20

/** Assets that one weight pays for, where that is more than the weight above. */
const ASSETS_PER_WEIGHT = 25

/** What one balance holds in memory, roughly. */
const BALANCE_BYTES = 200

/** Assets in one piece of a long answer. */
const ASSETS_PER_PIECE = 250

export const walletBalance: Operation = {
  security: WALLET,
  weight: WALLET_WEIGHT,
  answer: walletBalanceAnswer,
}

async function walletBalanceAnswer(call: Call): Promise<Answer> {
  const { engine, market } = call.services
  const code = readOptional(call.parameters, 'code')
  if (code instanceof Refusal) return code
  const asset = code === undefined ? undefined : market.registry.assetByCode(code)
  if (code !== undefined && asset === undefined) return refuse('UNKNOWN_ASSET', {})
  const assets = Math.ceil(market.registry.assets().length / ASSETS_PER_WEIGHT)
  const rowsRefusal = assets > WALLET_WEIGHT ? call.chargeRows(assets - WALLET_WEIGHT) : undefined
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
  if (balances.length > ASSETS_PER_PIECE) {
    return LongAnswer.ofSlices(slicesOf(call, balances, mayTransfer), balances.length * BALANCE_BYTES)
  }
  const accounts = balances.map((balance) => assetAccount(balance, registry))
  return walletBody(accounts, mayTransfer, call.language)
}

/** The same text as `walletBody`, a piece at a time. */
async function* slicesOf(
  { lane, language, services }: Call,
  balances: readonly Balance[],
  mayTransfer: boolean,
): AsyncGenerator<string, void> {
  const { registry } = services.market
  const wordsAt = (at: number) => () => {
    const piece = balances.slice(at, at + ASSETS_PER_PIECE)
    return assetAccountsJson(
      piece.map((balance) => assetAccount(balance, registry)),
      mayTransfer,
    )
  }
  yield walletHead(mayTransfer, language) + (await lane.first(wordsAt(0)))
  for (let at = ASSETS_PER_PIECE; at < balances.length; at += ASSETS_PER_PIECE) {
    yield `,${await lane.further(wordsAt(at))}`
  }
  yield WALLET_END
}

function assetAccount(balance: Balance, registry: RegistryView): AssetAccount {
  const asset = registry.asset(balance.assetId)
  invariant(asset !== undefined, () => `balance of asset ${balance.assetId} that is not listed`)
  return { ...asset, ...balance }
}
