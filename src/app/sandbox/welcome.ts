/** A customer who registers receives test money at once, like the sandbox's own accounts. */
import { parseDecimal } from '../../units/decimal.ts'
import { invariant } from '../../units/invariant.ts'
import { amount } from '../../units/quantities.ts'
import type { Node } from '../node/running-node.ts'
import { SANDBOX_FUNDING } from './market.ts'

/** A repeat credits nothing: each reference is valid once. */
export async function welcome(
  { engine, views }: Pick<Node, 'engine' | 'views'>,
  account: string,
): Promise<void> {
  const accountId = views.accounts.accountByName(account)?.id
  invariant(accountId !== undefined, () => `account ${account} was opened and is not in the view`)
  for (const { asset: code, amount: text } of SANDBOX_FUNDING) {
    const asset = views.market.registry.assetByCode(code)
    // Operators of a sandbox may have delisted the asset, or never listed it.
    const units = asset === undefined ? undefined : parseDecimal(text, asset.fraction)
    if (typeof units !== 'bigint') continue
    const operator = { actor: 'sandbox', note: 'welcome' }
    const reference = `sandbox:${account}:${code}`
    await engine.submit({
      kind: 'Credit',
      operator,
      accountId,
      asset: code,
      amount: amount(units),
      reference,
    })
  }
}
