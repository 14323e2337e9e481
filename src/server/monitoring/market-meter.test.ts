import { expect, test } from 'bun:test'
import type { Command } from '../../core/commands/command.ts'
import { ExchangeHarness, OPERATOR } from '../../core/exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import type { AssetId } from '../../units/ids.ts'
import { amount } from '../../units/quantities.ts'
import { MarketMeter } from './market-meter.ts'

const BTC = 0 as AssetId

test('a transfer counts once, when it takes effect: also one that waited for approval, and no repeat', () => {
  const it = new ExchangeHarness()
  const meter = new MarketMeter()
  const give = (command: Command): string => {
    const reply = it.give(command)
    meter.count({ seq: it.exchange.seq, events: it.events } as never)
    return reply.kind
  }
  const counts = () => {
    const { in: came, out } = meter.transfersOf(BTC)
    return [came.count, came.amount, out.count, out.amount]
  }
  const accountId = it.trader('alice', {})
  give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  for (const [place, name] of ['ann', 'ben'].entries()) {
    const digest = new Uint8Array(32).fill(place)
    give({ kind: 'AddAdminToken', operator: OPERATOR, name, role: 'OPERATOR', digest })
  }
  const limits = { supplyCap: amount(0n), creditMax: amount(0n), approvalAbove: amount(10n) }
  give({ kind: 'SetAssetTerms', operator: OPERATOR, code: 'BTC', name: 'BTC', ...limits })
  const money = (kind: 'Credit' | 'Debit', units: bigint, reference: string) =>
    give({
      kind,
      operator: { actor: 'ann', note: '' },
      accountId,
      asset: 'BTC',
      amount: amount(units),
      reference,
    })
  expect(money('Credit', 50n, 'large')).toBe('ApprovalNeeded')
  expect(counts()).toEqual([0, 0, 0, 0])
  give({ kind: 'Approve', operator: { actor: 'ben', note: '' }, reference: 'large' })
  expect(counts()).toEqual([1, 50, 0, 0])
  money('Credit', 50n, 'large')
  money('Credit', 3n, 'small')
  money('Debit', 2n, 'out')
  expect(counts()).toEqual([2, 53, 1, 2])
})
