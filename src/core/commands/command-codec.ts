/**
 * Commands as bytes: the journal's format forever. A command is its code and its fields, in the order of its
 * row.
 *
 * Only form is checked here, not the rules: whatever was journaled must be readable, so that the core can
 * refuse it the same way again. Unknown codes, bits and words are a `BytesFault`, never a guess.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { invariant } from '../../units/invariant.ts'
import type { ByteCodec } from '../../units/shapes/shape.ts'
import type { Command } from './command.ts'
import { COMMAND_ROWS } from './command-table.ts'
import { readPlaceOrder, writePlaceOrder } from './place-order-codec.ts'
import type { CommandRow } from './row.ts'

/** The compiler cannot infer that a kind's row fits that kind's commands. */
const ROWS = COMMAND_ROWS as object as Readonly<Record<string, CommandRow<Command> | undefined>>

const CODEC_BY_CODE: readonly (ByteCodec<Command> | undefined)[] = Object.values(ROWS).reduce<
  ByteCodec<Command>[]
>((codecs, row) => {
  if (row !== undefined) {
    invariant(codecs[row.code] === undefined && row.code > 0, () => `code ${row.code} appears twice or is 0`)
    codecs[row.code] = row.codec
    if (row.later !== undefined) {
      const { code, codec } = row.later
      invariant(codecs[code] === undefined, () => `code ${code} appears twice`)
      codecs[code] = codec
    }
  }
  return codecs
}, [])

const PLACE_ORDER = COMMAND_ROWS.PlaceOrder.code

/** Appends `command`. A value without a form (a fraction, an unknown word) is an `InvariantError`. */
export function writeCommand(w: ByteWriter, command: Command): void {
  // Most commands of every journal, written without the table (`npm run bench -- core`).
  if (command.kind === 'PlaceOrder') {
    w.u8(PLACE_ORDER)
    writePlaceOrder(w, command)
    return
  }
  const row = ROWS[command.kind]
  invariant(row !== undefined, () => `unknown kind of command ${command.kind}`)
  const { code, codec } = row.later?.isOf(command) ? row.later : row
  w.u8(code)
  codec.write(w, command)
}

/** Reads the command at `r`; throws a `BytesFault` that names the position if there is no valid one. */
export function readCommand(r: ByteReader): Command {
  const code = r.u8()
  if (code === PLACE_ORDER) return readPlaceOrder(r)
  const codec = CODEC_BY_CODE[code]
  if (codec === undefined) throw new BytesFault(`unknown command code ${code} at byte ${r.at - 1}`)
  return codec.read(r)
}
