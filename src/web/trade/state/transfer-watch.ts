/**
 * Detects incoming and outgoing money: the private feed reports balances without the cause, so if a balance
 * changes without a fill of the same command, the ledger is queried for the cause.
 */
import { Decimal } from '../../../client/decimal.ts'
import type { LedgerEntry } from '../../../client/interface/answers.ts'
import type { Balance } from '../../../client/interface/messages.ts'
import type { FeedUpdate } from '../../../client/stream/feed-subscription.ts'

/**
 * The time within which fills of the same command may arrive after the balances, and the shortest interval
 * between queries of the ledger.
 */
const ASK_AFTER_MS = 1_500
/** Maximum number of commands queried together; more of them at once are trades, not transfers. */
const COMMANDS_MAX = 200
const ENTRIES_MAX = 50
const REPORTED_MAX = 1_000

const TRANSFERS: readonly LedgerEntry['cause'][] = [
  'CREDIT',
  'DEBIT',
  'WITHDRAWAL',
  'SAVINGS_DEPOSIT',
  'SAVINGS_WITHDRAWAL',
]

export type TransferPorts = {
  /** The newest entries of the ledger since a time, newest first. */
  readonly ledger: (from: number, limit: number) => Promise<readonly LedgerEntry[]>
  readonly schedule: (delayMs: number, callback: () => void) => void
  readonly onTransfer: (entry: LedgerEntry) => void
}

export class TransferWatch {
  readonly #ports: TransferPorts
  readonly #totals = new Map<string, Decimal>()
  /** The time at which a command changed a sum, by the command's number. */
  readonly #unexplained = new Map<number, number>()
  readonly #reported = new Set<string>()
  #isDue = false

  constructor(ports: TransferPorts) {
    this.#ports = ports
  }

  takeBalances(update: FeedUpdate<'balances'>): void {
    let isMoved = false
    for (const balance of update.rows) {
      const total = totalOf(balance)
      const before = this.#totals.get(balance.asset) ?? Decimal.from('0')
      isMoved ||= before.compare(total) !== 0
      this.#totals.set(balance.asset, total)
    }
    if (!isMoved || update.kind === 'state' || update.time === undefined) return
    if (this.#unexplained.size < COMMANDS_MAX) this.#unexplained.set(update.seq, update.time)
    if (this.#isDue) return
    this.#isDue = true
    this.#ports.schedule(ASK_AFTER_MS, () => void this.#ask())
  }

  takeFills({ seq }: FeedUpdate<'fills'>): void {
    this.#filled.add(seq)
    const [oldest] = this.#filled
    if (this.#filled.size > COMMANDS_MAX && oldest !== undefined) this.#filled.delete(oldest)
  }

  readonly #filled = new Set<number>()

  async #ask(): Promise<void> {
    this.#isDue = false
    const times = [...this.#unexplained].flatMap(([seq, time]) => (this.#filled.has(seq) ? [] : [time]))
    this.#unexplained.clear()
    if (times.length === 0) return
    try {
      const entries = await this.#ports.ledger(Math.min(...times), ENTRIES_MAX)
      for (const entry of entries.toReversed()) this.#report(entry)
    } catch {
      // Without an answer there is no notice, but the balances are still right.
    }
  }

  #report(entry: LedgerEntry): void {
    if (!TRANSFERS.includes(entry.cause) || this.#reported.has(entry.id)) return
    this.#reported.add(entry.id)
    const [oldest] = this.#reported
    if (this.#reported.size > REPORTED_MAX && oldest !== undefined) this.#reported.delete(oldest)
    this.#ports.onTransfer(entry)
  }
}

/** The amount of an asset in the trading wallet. */
function totalOf({ free, locked, freeze }: Balance): Decimal {
  return Decimal.from(free).plus(locked).plus(freeze)
}
