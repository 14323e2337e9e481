/**
 * The commands of a journal of format 1, as they are in its file. Only a new order had another form: it could
 * contain combinations that no type of order has, which the core of that time refused.
 */
import { Database } from 'bun:sqlite'
import type { Command } from '../../../src/core/commands/command.ts'
import { readCommand } from '../../../src/core/commands/command-codec.ts'
import { figuresOrNone } from '../../../src/core/exchange/order-figures.fixture.ts'
import { ByteReader } from '../../../src/units/bytes.ts'
import { readWord, wordAt } from '../../../src/units/field-codec.ts'
import type { AccountId, SymbolId } from '../../../src/units/ids.ts'
import { ORDER_TYPES, SELF_TRADE_MODES, SIDES, TIMES_IN_FORCE } from '../../../src/units/order-enums.ts'
import type { Amount, Lots, Price, TimeMs } from '../../../src/units/quantities.ts'

export type OldCommand = {
  readonly time: TimeMs
  /**
   * Undefined: the core refuses it without further checks. It was quarantined, or no order can express it.
   */
  readonly command: Command | undefined
}

const PLACE_ORDER = 1

/** All commands of the journal at `path`, in order. */
export function* commandsOfFormat1(path: string): Generator<OldCommand> {
  using db = new Database(path, { readonly: true, strict: true })
  const quarantined = new Set(
    db
      .query<{ seq: number }, []>('SELECT seq FROM quarantine')
      .all()
      .map(({ seq }) => seq),
  )
  const batches = db.query<{ seq: number; count: number; time: number; data: Uint8Array }, []>(
    'SELECT seq, count, time, data FROM batch ORDER BY seq',
  )
  for (const { seq, count, time, data } of batches.iterate()) {
    const reader = new ByteReader(data)
    for (let number = seq - count + 1; number <= seq; number++) {
      const frame = reader.raw(reader.u32())
      const command = quarantined.has(number) ? undefined : commandOf(frame)
      yield { time: time as TimeMs, command }
    }
    reader.end()
  }
}

function commandOf(frame: Uint8Array): Command | undefined {
  const reader = new ByteReader(frame)
  const command = frame[0] === PLACE_ORDER ? placeOrder(reader) : readCommand(reader)
  reader.end()
  return command
}

function placeOrder(r: ByteReader): Command | undefined {
  r.u8()
  const presence = r.uint()
  const words = r.uint()
  const side = wordAt(r, SIDES, words & 1)
  const type = wordAt(r, ORDER_TYPES, (words >>> 1) & 7)
  const timeInForce = wordAt(r, TIMES_IN_FORCE, words >>> 4)
  const accountId = r.uint() as AccountId
  const symbolId = r.uint() as SymbolId
  const price = presence & 1 ? (r.uint() as Price) : undefined
  const quantity = presence & 2 ? (r.uint() as Lots) : undefined
  const total = presence & 4 ? (r.whole() as Amount) : undefined
  const selfTradeMode = presence & 8 ? readWord(r, SELF_TRADE_MODES) : undefined
  const clientOrderId = presence & 16 ? r.text() : undefined
  const figures = figuresOrNone({ type, side, timeInForce, price, quantity, total })
  if (figures === undefined) return undefined
  return { kind: 'PlaceOrder', accountId, symbolId, selfTradeMode, clientOrderId, ...figures }
}
