/**
 * The ledger of every account in history equals the account's balances in the core: entry by entry, for any
 * trades, credits, withdrawals and savings (docs/reference/orders.md#ledger).
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { followedHistory } from '../../../sim/memory/followed-history.fixture.ts'
import type { Command } from '../../core/commands/command.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { amount } from '../../units/quantities.ts'
import { untilMet } from '../../units/random-rounds.fixture.ts'
import { bigintOf } from '../../units/whole.ts'
import {
  anyBatches,
  JournaledExchange,
  openMarkets,
  TRADERS,
} from '../follower/journaled-exchange.fixture.ts'
import type { HistoryPort } from '../port/history-questions.ts'
import type { LedgerQuery } from '../port/ports.ts'
import { credit } from '../writer/commands.fixture.ts'
import { type LedgerEntry, ledgerEntries } from './ledger-entries.ts'

const operator = { actor: 'test', note: '' }
const ASSETS = ['BTC', 'USDT'] as const

/** A withdrawal that is held and completed: two matching random moves are rare. */
const WITHDRAWN: readonly Command[] = [
  {
    kind: 'HoldWithdrawal',
    operator,
    accountId: TRADERS[0] as AccountId,
    asset: 'USDT',
    amount: amount(1n),
    reference: 'withdrawn',
  },
  { kind: 'CompleteWithdrawal', operator, reference: 'withdrawn' },
]

const moving = fc
  .record({
    what: fc.constantFrom('credit', 'debit', 'save', 'take', 'freeze', 'into', 'hold', 'complete', 'cancel'),
    accountId: fc.constantFrom(...TRADERS),
    asset: fc.constantFrom(...ASSETS),
    units: fc.bigInt({ min: 1n, max: 10n ** 10n }),
    /** Few references, so that some are used again. */
    reference: fc.nat(20).map((n) => `reference ${n}`),
  })
  .map(({ what, accountId: account, asset, units, reference }): Command => {
    const accountId = account as AccountId
    const common = { operator, accountId, asset, amount: amount(units), reference }
    switch (what) {
      case 'credit':
        return credit(account, asset, units, reference)
      case 'debit':
        return { kind: 'Debit', ...common }
      case 'save':
        return { kind: 'MoveSavings', isDeposit: true, ...common }
      case 'take':
        return { kind: 'MoveSavings', isDeposit: false, ...common }
      case 'freeze':
        return { kind: 'MoveBetweenBuckets', from: 'free', to: 'freeze', ...common }
      case 'into':
        return { kind: 'MoveBetweenBuckets', from: 'savings', to: 'freeze', ...common }
      case 'hold':
        return { kind: 'HoldWithdrawal', ...common }
      case 'complete':
        return { kind: 'CompleteWithdrawal', operator, reference }
      default:
        return { kind: 'CancelWithdrawal', operator, reference }
    }
  })

const days = fc.array(fc.record({ trading: anyBatches, moves: fc.array(moving, { maxLength: 12 }) }), {
  minLength: 1,
  maxLength: 3,
})

async function ledgerOf(
  history: HistoryPort,
  source: JournaledExchange,
  query: Omit<LedgerQuery, 'atLeast' | 'before' | 'from' | 'to'>,
): Promise<LedgerEntry[]> {
  const found: LedgerEntry[] = []
  const atLeast = source.journal.tail.seq
  for (let before: LedgerQuery['before']; ; ) {
    const page = await history.ledger({ ...query, before, from: undefined, to: undefined, atLeast })
    const symbols = source.exchange.symbols()
    for (const record of page.records) {
      found.push(...ledgerEntries(record, (id) => symbols[id] as (typeof symbols)[number]))
    }
    if (page.next === undefined) return found
    before = page.next
  }
}

const CAUSES = [
  'COMMISSION',
  'CREDIT',
  'DEBIT',
  'SAVINGS_DEPOSIT',
  'SAVINGS_WITHDRAWAL',
  'TRADE',
  'WITHDRAWAL',
]

test("an account's ledger sums up to its balances, each entry with the balance at that time", async () => {
  const met: Record<string, number> = Object.fromEntries(CAUSES.map((cause) => [cause, 0]))
  const property = fc.asyncProperty(days, fc.integer({ min: 1, max: 9 }), async (rounds, limit) => {
    const source = new JournaledExchange()
    await source.write([{ kind: 'SetRulesVersion', operator, version: RULES_VERSION }, ...openMarkets()])
    for (const { trading, moves } of rounds) {
      for (const batch of trading) await source.write(batch)
      if (moves.length > 0) await source.write(moves)
    }
    await source.write(WITHDRAWN)
    const history = followedHistory(source.feed())
    for (const account of TRADERS) {
      const accountId = account as AccountId
      const entries = await ledgerOf(history, source, { accountId, assetId: undefined, limit })
      const sums = new Map<string, bigint>()
      for (const { assetId, wallet, amount: change, balance, cause } of entries.toReversed()) {
        const sum = (sums.get(`${assetId} ${wallet}`) ?? 0n) + bigintOf(change)
        sums.set(`${assetId} ${wallet}`, sum)
        expect(sum).toBe(bigintOf(balance))
        met[cause] = (met[cause] ?? 0) + 1
      }
      for (const { assetId, free, locked, freeze, savings } of source.exchange.balances(accountId)) {
        const spot = bigintOf(free) + bigintOf(locked) + bigintOf(freeze)
        expect(sums.get(`${assetId} SPOT`) ?? 0n).toBe(spot)
        expect(sums.get(`${assetId} SAVINGS`) ?? 0n).toBe(bigintOf(savings))
      }
      const assetId = 0 as AssetId
      const ofAsset = await ledgerOf(history, source, { accountId, assetId, limit })
      expect(ofAsset.filter((entry) => entry.assetId === assetId)).toEqual(
        entries.filter((entry) => entry.assetId === assetId),
      )
    }
  })
  await untilMet(met, () => fc.assert(property, { numRuns: 60 }))
  expect(Object.keys(met)).toEqual(CAUSES)
})
