/** Checks that all books add up: one asset at a time, from scratch, with messages that name the asset. */
import type { AssetAudit } from '../../core/exchange/audit.ts'
import { fixedDecimal } from '../../units/decimal.ts'
import type { AssetId } from '../../units/ids.ts'
import type { StateMachine } from '../port/state-machine.ts'

/** The problem of an asset, as one sentence; undefined if there is none. */
export function balanceProblem({ asset, sum, negatives, wrongHolds }: AssetAudit): string | undefined {
  const problems: string[] = []
  if (sum !== 0) problems.push(`all accounts add up to ${fixedDecimal(sum, asset.fraction)}, expected 0`)
  if (negatives > 0) problems.push(`${negatives} balances are below 0`)
  if (wrongHolds > 0)
    problems.push(
      `${wrongHolds} accounts have locked amounts that differ from the holds of their open orders`,
    )
  return problems.length === 0 ? undefined : `${asset.code}: ${problems.join('; ')}`
}

/** Audits every listed asset. */
export function auditAssets(machine: StateMachine): AssetAudit[] {
  const audits: AssetAudit[] = []
  for (let id = 0; id < machine.assetCount; id++) audits.push(machine.auditAsset(id as AssetId))
  return audits
}
