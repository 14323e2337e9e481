/** A, stored: commands as the journal has them. */
import { decodeWith, encodeWith } from '../../../src/core/exchange/codec/codec.contract.ts'
import { arbitraryCommandByKind } from '../../../src/core/exchange/codec/command.arbitraries.ts'
import { GOLDEN_COMMANDS } from '../../../src/core/exchange/codec/command.golden.ts'
import { COMMAND_CODES, readCommand, writeCommand } from '../../../src/core/exchange/codec/command-codec.ts'
import type { Command } from '../../../src/core/exchange/command.ts'
import { codecPart } from '../codec-part.ts'
import type { Part } from '../part.ts'

const CODEC = { write: writeCommand, read: readCommand }

export const STORED_CODECS: readonly Part[] = [
  codecPart<Command>({
    class: 'A',
    name: 'stored/commands',
    arbitraries: inOrderOf(Object.keys(COMMAND_CODES), arbitraryCommandByKind),
    write: (command) => encodeWith(CODEC, command),
    read: (bytes) => decodeWith(CODEC, bytes),
    elsewhere: GOLDEN_COMMANDS.map(([command, bytes]) => [command.kind, command, bytes] as const),
  }),
]

/** The kinds are those of the table of codes: one of which there are no random values is an error. */
function inOrderOf<T>(kinds: readonly string[], byKind: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    kinds.map((kind) => {
      const value = byKind[kind]
      if (value === undefined) throw new Error(`expected random values of ${kind}`)
      return [kind, value]
    }),
  )
}
