/** A state of many accounts and resting orders, as commands; and a data directory with a journal of them. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Command } from '../../src/core/commands/command.ts'
import { writeFrame } from '../../src/engine/port/frames.ts'
import { type Batch, EMPTY_TAIL, endOf, following, sealed, type Tail } from '../../src/engine/port/journal.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { openStorage } from '../../src/storage/sqlite/storage.ts'
import { ByteWriter } from '../../src/units/bytes.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { amount, type Lots, type Price, type Seq, type TimeMs } from '../../src/units/quantities.ts'
import { FIRST_COMMAND, FIRST_TRADER, listing, OPERATOR, restingOrder } from './core-load.ts'

/** Commands per batch, as in a busy engine. */
const BATCH_COMMANDS = 1_000
/** Number of ticks on either side over which the resting orders are spread. */
const LEVELS = 10_000
const MIDDLE = 5_000_000

export type RestingLoad = {
  readonly accounts: number
  /** Number of resting orders, account after account. */
  readonly orders: number
}

/** Chooses the rules, lists a symbol, opens and funds the accounts, and places resting orders. */
export function* restingCommands({ accounts, orders }: RestingLoad): Generator<Command> {
  yield FIRST_COMMAND
  yield* listing(8)
  for (let i = 0; i < accounts; i++) {
    const accountId = (FIRST_TRADER + i) as AccountId
    yield { kind: 'CreateAccount', operator: OPERATOR, name: `trader-${i}` }
    const asset = i % 2 === 0 ? 'BTC' : 'USDT'
    const sum = amount(10n ** 15n)
    yield { kind: 'Credit', operator: OPERATOR, accountId, asset, amount: sum, reference: `first-${i}` }
  }
  for (let i = 0; i < orders; i++) {
    const isBuy = (i % accounts) % 2 === 1
    const distance = 1 + ((i >>> 1) % LEVELS)
    yield restingOrder({
      accountId: (FIRST_TRADER + (i % accounts)) as AccountId,
      side: isBuy ? 'BUY' : 'SELL',
      price: (isBuy ? MIDDLE - distance : MIDDLE + distance) as Price,
      quantity: (100_000 + (i % 1_000)) as Lots,
    })
  }
}

/** The commands of the load as batches of a journal. */
export function* restingBatches(load: RestingLoad): Generator<Batch> {
  let tail: Tail = EMPTY_TAIL
  const writer = new ByteWriter(1 << 16)
  let count = 0
  const seal = (): Batch => {
    const firstSeq = (tail.seq + 1) as Seq
    const time = (1_700_000_000_000 + firstSeq) as TimeMs
    const batch = sealed(sha256, { ...following(tail), kind: 'COMMANDS', count, time, data: writer.take() })
    tail = endOf(batch)
    writer.reset()
    count = 0
    return batch
  }
  for (const command of restingCommands(load)) {
    writeFrame(writer, command)
    if (++count === BATCH_COMMANDS) yield seal()
  }
  if (count > 0) yield seal()
}

/** Writes a data directory like that of an engine that never saved a snapshot. The caller removes it. */
export async function makeDirectory(load: RestingLoad): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const { journal, witness } = openStorage({ directory })
  let last: Batch | undefined
  for (const batch of restingBatches(load)) {
    await journal.append(batch)
    last = batch
  }
  if (last !== undefined) witness.reset(endOf(last))
  witness.close()
  await journal.close()
  return directory
}
