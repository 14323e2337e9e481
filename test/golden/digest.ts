/**
 * The permanent result of replaying a golden journal: the state's bytes under each layout of snapshots, and,
 * for every layout, all readable data of the state and every trade of the replay.
 */
import { createHash } from 'node:crypto'
import { MemorySnapshots } from '../../sim/memory/snapshots.ts'
import { MemoryWitness } from '../../sim/memory/witness.ts'
import type { OrdersMatched } from '../../src/core/events/event.ts'
import { Exchange } from '../../src/core/exchange/exchange.ts'
import type { OpenOrder } from '../../src/core/questions/view.ts'
import { EMPTY_TAIL } from '../../src/engine/port/journal.ts'
import { ANY_EXCHANGES } from '../../src/engine/port/machines.fixture.ts'
import type { SnapshotStore } from '../../src/engine/port/snapshots.ts'
import { recover } from '../../src/engine/writer/recovery/recovery.ts'
import { replayCommands } from '../../src/engine/writer/recovery/replay.ts'
import { verifiedBatches } from '../../src/engine/writer/recovery/verified-batches.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { SqliteJournal } from '../../src/storage/sqlite/journal.ts'
import type { Seq } from '../../src/units/quantities.ts'

export type Replayed = {
  readonly seq: number
  /** Hash of the last batch. */
  readonly journalHash: string
  readonly stateHash: string
  /** Registry, books, balances and open orders of every account, as text. */
  readonly viewHash: string
  /** Price, quantity, parties, totals and commissions of every trade, as text. */
  readonly tradesHash: string
  readonly trades: number
  readonly quarantined: readonly number[]
  /** The number of commands of each kind. */
  readonly commands: Readonly<Record<string, number>>
}

/** Replays the journal in `directory` from its first command. */
export async function replayJournal(directory: string): Promise<Replayed> {
  const journal = SqliteJournal.open({ directory })
  const quarantined = new Set((await journal.quarantined()).map(({ seq }) => seq))
  const exchange = new Exchange()
  const trades: string[] = []
  const commands: Record<string, number> = {}
  for await (const { batches } of verifiedBatches(journal, sha256, EMPTY_TAIL)) {
    for (const batch of batches) {
      const replay = replayCommands(exchange, batch, quarantined, (event) => {
        if (event.kind === 'OrdersMatched') trades.push(tradeText(event))
      })
      for (const { command } of replay) {
        const kind = command?.kind ?? 'quarantined'
        commands[kind] = (commands[kind] ?? 0) + 1
      }
    }
  }
  const { hash } = journal.tail
  await journal.close()
  return {
    journalHash: Buffer.from(hash).toString('hex'),
    stateHash: stateHashOf(exchange),
    ...outcomeOf(exchange, trades),
    quarantined: [...quarantined],
    commands,
  }
}

/** The result of a replay, for every layout of snapshots; each of `trades` is formatted by `tradeText`. */
function outcomeOf(exchange: Exchange, trades: readonly string[]) {
  return {
    seq: exchange.seq,
    viewHash: hashOfText(viewText(exchange)),
    tradesHash: hashOfText(trades.join('\n')),
    trades: trades.length,
  }
}

/** The state hash after a start, from the given snapshots or from the journal alone. */
export async function recoveredHash(
  directory: string,
  snapshots: SnapshotStore = new MemorySnapshots(),
): Promise<{ readonly stateHash: string; readonly snapshotSeq: Seq }> {
  const journal = SqliteJournal.open({ directory })
  const witness = new MemoryWitness()
  witness.reset(journal.tail)
  const parts = { witness, digest: sha256, machines: ANY_EXCHANGES }
  const { machine, report } = await recover({ journal, snapshots, ...parts, acceptJournalTail: false })
  await journal.close()
  return { stateHash: stateHashOf(machine), snapshotSeq: report.snapshotSeq }
}

function stateHashOf(machine: { encodeSnapshot(): Uint8Array }): string {
  return Buffer.from(sha256([machine.encodeSnapshot()])).toString('hex')
}

function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function tradeText({ maker, taker, ...trade }: OrdersMatched): string {
  const head = [trade.symbolId, trade.tradeNumber, trade.time, trade.price, trade.quantity, trade.takerSide]
  const parties = [maker, taker].flatMap((party) => [
    party.accountId,
    party.orderNumber,
    party.orderTime,
    party.total,
    party.commission,
  ])
  return [...head, ...parties].join(' ')
}

const MONEY: ReadonlySet<string> = new Set([
  ...['amount', 'approvalAbove', 'creditMax', 'executedNotional', 'minTotal', 'supplyCap'],
  ...['free', 'locked', 'freeze', 'savings'],
])

/** Omits the fields of open orders that views did not have when journals were first hashed. */
function asHashed({ commission: _, clientOrderId: __, isPending, ...order }: OpenOrder) {
  return isPending ? { ...order, isPending } : order
}

/**
 * Members are sorted by name, so that their order in the code does not count, and have the names that were
 * hashed first; the rules are left out.
 */
function viewText(exchange: Exchange): string {
  const { backOffice: operations, rulesVersion: _, ...bootstrap } = exchange.bootstrap()
  const accounts = bootstrap.accounts.map(({ id }) => ({
    balances: exchange.balances(id),
    openOrders: exchange.openOrders(id, undefined).map(asHashed),
  }))
  return JSON.stringify({ ...bootstrap, operations, holdings: accounts }, (name, value: unknown) => {
    // Money was a bigint when views were first hashed, so it is written as text, whatever its type is now.
    if (typeof value === 'bigint' || MONEY.has(name)) return `${value}`
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
