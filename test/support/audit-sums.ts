/** The money of a complete sandbox, as its admin server reports it. */
import { askAdmin, readAdminAddress } from '../../src/cli/admin/client.ts'
import { units } from './exact.ts'

/** Each account's money at the start, in units of 10^-8. */
const FUNDING: Readonly<Record<string, bigint>> = {
  BTC: units('100'),
  ETH: units('1000'),
  USDT: units('5000000'),
  TRY: units('50000000'),
}
const FUNDED_ACCOUNTS = 2n

/**
 * Sums over all accounts, including the house's and the outside world's: each asset sums to zero, deposits
 * equal the funding, and no account is below zero. Throws at the first difference.
 */
export async function auditSums(data: string): Promise<void> {
  const admin = readAdminAddress(data)
  const sumByAsset = new Map(Object.keys(FUNDING).map((asset) => [asset, 0n]))
  for (const { name, role } of await askAdmin(admin, 'account/list', {})) {
    const balances = await askAdmin(admin, 'balance/list', { account: name })
    for (const { asset, free, locked, freeze, savings } of balances) {
      const all = units(free) + units(locked) + units(freeze) + units(savings)
      const expected = -FUNDED_ACCOUNTS * (FUNDING[asset] ?? 0n)
      if (role === 'outside' && all !== expected) {
        throw new Error(`${asset}: expected deposits of ${-expected}, found ${-all}`)
      }
      if (role !== 'outside' && (all < 0n || units(free) < 0n || units(locked) < 0n)) {
        throw new Error(`${name} has ${free} ${asset} free and ${locked} locked`)
      }
      sumByAsset.set(asset, (sumByAsset.get(asset) ?? 0n) + all)
    }
  }
  for (const [asset, sum] of sumByAsset) if (sum !== 0n) throw new Error(`${asset} sums to ${sum}`)
}
