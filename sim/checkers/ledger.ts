/**
 * Every account's ledger compared with the second bookkeeper: the sum of the entries equals the balance after
 * each entry, and the final balance at the end.
 */
import { ledgerEntries } from '../../src/engine/history/ledger-entries.ts'
import type { HistoryPort } from '../../src/engine/port/history-questions.ts'
import type { LedgerPlace } from '../../src/engine/port/ports.ts'
import type { AccountId } from '../../src/units/ids.ts'
import type { Seq } from '../../src/units/quantities.ts'
import { demand, type ShadowState } from './shadow-state.ts'

const PAGE_SIZE = 100

/** Must be called while nothing is in progress: `state` is the state after command `seq`. */
export async function checkLedger(
  state: ShadowState,
  history: Pick<HistoryPort, 'ledger'>,
  account: number,
  seq: Seq,
): Promise<void> {
  // The house has no statements.
  if (state.accounts[account]?.role !== 'trader') return
  const entries = await entriesOf(state, history, account as AccountId, seq)
  const sums = new Map<string, bigint>()
  for (const { assetId, wallet, amount, balance, place } of entries.toReversed()) {
    const key = `${assetId} ${wallet}`
    const sum = (sums.get(key) ?? 0n) + BigInt(amount)
    sums.set(key, sum)
    demand(
      sum === BigInt(balance),
      () =>
        `account ${account}: its ledger says that there were ${balance} of asset ${assetId} in ${wallet} after command ${place.seq}, its amounts come to ${sum}`,
    )
  }
  for (const { id } of state.assets) {
    const { free, locked, freeze, savings } = state.buckets(id, account)
    for (const [wallet, has] of [['SPOT', free + locked + freeze] as const, ['SAVINGS', savings] as const]) {
      const sum = sums.get(`${id} ${wallet}`) ?? 0n
      demand(
        sum === has,
        () => `account ${account} has ${has} of asset ${id} in ${wallet}, its ledger comes to ${sum}`,
      )
    }
  }
}

async function entriesOf(
  state: ShadowState,
  history: Pick<HistoryPort, 'ledger'>,
  accountId: AccountId,
  atLeast: Seq,
) {
  const found = []
  const whole = { accountId, assetId: undefined, from: undefined, to: undefined, limit: PAGE_SIZE, atLeast }
  for (let before: LedgerPlace | undefined; ; ) {
    const { records, next } = await history.ledger({ ...whole, before })
    for (const record of records) {
      const entries = ledgerEntries(record, (id) => {
        const symbol = state.symbols[id]
        demand(symbol !== undefined, () => `the ledger of account ${accountId} names symbol ${id}`)
        return symbol
      })
      found.push(...entries)
    }
    if (next === undefined) return found
    before = next
  }
}
