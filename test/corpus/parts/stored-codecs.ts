/** A, stored: commands as the journal stores them. */
import { decodeWith, encodeWith } from '../../../src/core/commands/codec.contract.ts'
import { arbitraryCommandByKind } from '../../../src/core/commands/command.arbitraries.ts'
import { GOLDEN_COMMANDS } from '../../../src/core/commands/command.golden.ts'
import { COMMAND_CODES, type Command } from '../../../src/core/commands/command.ts'
import { readCommand, writeCommand } from '../../../src/core/commands/command-codec.ts'
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

/** The kinds are those of the table of codes: a kind without random values is an error. */
function inOrderOf<T>(kinds: readonly string[], byKind: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    kinds.map((kind) => {
      const value = byKind[kind]
      if (value === undefined) throw new Error(`expected random values of ${kind}`)
      return [kind, value]
    }),
  )
}
