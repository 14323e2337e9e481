/**
 * The lists of history against the ledger: where each of them must end, and that each step on the way is the trade that
 * the replay has put there.
 */
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { SYMBOLS_MAX } from '../../units/limits.ts'
import type { HistoryTrade, PartyRecord } from '../history.ts'
import type { Link, LinkedTrade, PartyLinks } from '../history-links.ts'
import type { Findings } from './findings.ts'
import type { ListName, StoredEnd, StoredHistory } from './history-source.ts'
import type { AuditNames } from './names.ts'

type End = { n: number; trade: number }

export class ListComparison {
  readonly #history: StoredHistory
  readonly #names: AuditNames
  readonly #findings: Findings
  readonly #endByList = new Map<number, End>()
  #steps = 0
  #endsCompared = false

  constructor(history: StoredHistory, names: AuditNames, findings: Findings) {
    this.#history = history
    this.#names = names
    this.#findings = findings
  }

  /** The places that this trade, the next one, must have. */
  link(trade: HistoryTrade): LinkedTrade {
    const { symbolId, maker, taker } = trade
    const { tradeNumber } = trade.trade
    if (tradeNumber > this.#history.endsTo) this.#compareEnds()
    const ofSymbol = this.#next({ accountId: undefined, symbolId }, tradeNumber)
    return { trade, ofSymbol, maker: this.#linkParty(maker), taker: this.#linkParty(taker) }
  }

  /** The replay has caused all that history may have. */
  finish(): void {
    this.#compareEnds()
    const { stepCount } = this.#history
    if (stepCount !== this.#steps) this.#add(`its lists have ${stepCount} steps, expected ${this.#steps}`)
  }

  #linkParty({ accountId, record: { symbolId, tradeNumber } }: PartyRecord): PartyLinks {
    return {
      ofAccount: this.#next({ accountId, symbolId: undefined }, tradeNumber),
      ofSymbol: this.#next({ accountId, symbolId }, tradeNumber),
    }
  }

  #next(list: ListName, trade: number): Link {
    const key = keyOf(list)
    let end = this.#endByList.get(key)
    if (end === undefined) {
      end = { n: 0, trade: 0 }
      this.#endByList.set(key, end)
    }
    const before = end.trade
    end.n++
    end.trade = trade
    if (end.n % this.#history.stepLength === 0) this.#compareStep(list, end)
    return { n: end.n, before }
  }

  #compareStep(list: ListName, { n, trade }: End): void {
    this.#steps++
    const step = this.#history.step(list, n)
    const what = `step ${n} of ${this.#nameOf(list)}`
    if (step === undefined) this.#add(`${what} is missing`)
    else if ('damage' in step) this.#add(`${what}: ${step.damage}`)
    else if (step.value !== trade) this.#add(`${what} is trade ${step.value}, the ledger has trade ${trade}`)
  }

  /** The replay stands where the stored ends do. */
  #compareEnds(): void {
    if (this.#endsCompared) return
    this.#endsCompared = true
    const missing = new Set(this.#endByList.keys())
    for (const { owner, ends } of this.#history.ends()) {
      if ('damage' in ends) this.#add(`the ends of the lists of ${owner}: ${ends.damage}`)
      else for (const end of ends.value) this.#compareEnd(end, missing)
    }
    for (const key of missing) this.#add(`the end of ${this.#nameOf(listOf(key))} is missing`)
  }

  #compareEnd({ list, n, trade }: StoredEnd, missing: Set<number>): void {
    const key = keyOf(list)
    missing.delete(key)
    const expected = this.#endByList.get(key) ?? { n: 0, trade: 0 }
    if (expected.n === n && expected.trade === trade) return
    const found = `${this.#nameOf(list)} ends with record ${n} (trade ${trade})`
    this.#add(`${found}, the journal caused ${expected.n} (trade ${expected.trade})`)
  }

  #nameOf({ accountId, symbolId }: ListName): string {
    const symbol = symbolId === undefined ? '' : this.#names.symbolName(symbolId)
    if (accountId === undefined) return `the list of ${symbol}`
    const account = this.#names.account(accountId)
    return symbolId === undefined ? `the list of ${account}` : `the list of ${account} in ${symbol}`
  }

  #add(message: string): void {
    this.#findings.add('HISTORY', message)
  }
}

/** Lists of an account: from 0, that of all symbols first; public lists of symbols are below 0. */
function keyOf({ accountId, symbolId }: ListName): number {
  if (accountId === undefined) return -1 - symbolId
  return accountId * (SYMBOLS_MAX + 1) + (symbolId === undefined ? 0 : symbolId + 1)
}

function listOf(key: number): ListName {
  if (key < 0) return { accountId: undefined, symbolId: (-1 - key) as SymbolId }
  const symbol = key % (SYMBOLS_MAX + 1)
  const accountId = Math.floor(key / (SYMBOLS_MAX + 1)) as AccountId
  return { accountId, symbolId: symbol === 0 ? undefined : ((symbol - 1) as SymbolId) }
}
