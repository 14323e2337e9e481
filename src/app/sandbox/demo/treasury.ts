/**
 * Keeps the demo's traders supplied with money: losses are replaced, and large gains are taken away. It acts
 * as the sandbox's operator, in the node's process; the traders are not involved.
 */
import type { Command } from '../../../core/commands/command.ts'
import { parseDecimal } from '../../../units/decimal.ts'
import { invariant } from '../../../units/invariant.ts'
import { amount as amountOf } from '../../../units/quantities.ts'
import { bigintOf } from '../../../units/whole.ts'
import type { Node } from '../../node/running-node.ts'
import { SANDBOX_FUNDING } from '../market.ts'

const OPERATOR = { actor: 'sandbox', note: 'demo market' }

export type Treasury = {
  /**
   * Restores the initial balance of each account in assets of which it has less than half or more than twice
   * that balance.
   */
  level(names: readonly string[]): Promise<void>
}

type Treasurer = Pick<Node, 'engine' | 'views'>

/** `now`: makes the reference of each transfer unique; in milliseconds. */
export function openTreasury(node: Treasurer, now: () => number): Treasury {
  return {
    async level(names) {
      for (const name of names) {
        for (const command of await transfersFor(node, name, now())) {
          // A refusal leaves the account unchanged; the next round tries again.
          await node.engine.submit(command)
        }
      }
    },
  }
}

async function transfersFor({ engine, views }: Treasurer, name: string, nowMs: number): Promise<Command[]> {
  const account = views.accounts.accountByName(name)
  invariant(account !== undefined, () => `account ${name} trades in the demo market and is not in the view`)
  const accountId = account.id
  const balances = await engine.ask('balances', { accountId })
  return SANDBOX_FUNDING.flatMap(({ asset: code, amount }): Command[] => {
    const asset = views.market.registry.assetByCode(code)
    invariant(asset !== undefined, () => `asset ${code} was listed and is not in the view`)
    const balance = balances[asset.id]
    invariant(balance !== undefined, () => `no balance of the listed asset ${code}`)
    const start = parseDecimal(amount, asset.fraction)
    invariant(typeof start === 'bigint', () => `${amount} is not a decimal: ${start}`)
    const free = bigintOf(balance.free)
    const has = free + bigintOf(balance.locked)
    const transfer = {
      operator: OPERATOR,
      accountId,
      asset: code,
      reference: `demo:${name}:${code}:${nowMs}`,
    }
    if (has < start / 2n) return [{ kind: 'Credit', ...transfer, amount: amountOf(start - has) }]
    const excess = has - start < free ? has - start : free
    return has > start * 2n && excess > 0n ? [{ kind: 'Debit', ...transfer, amount: amountOf(excess) }] : []
  })
}
