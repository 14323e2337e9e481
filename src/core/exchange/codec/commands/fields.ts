/**
 * The fields of an operator's command as bytes: all but its code and who gave it, which every one begins with. Each subject has a
 * table of them in a file of its own.
 */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import type { CommandOf, OperatorCommand } from '../../command.ts'

type Kind = OperatorCommand['kind']

export type Fields<K extends Kind> = {
  readonly [One in K]: Omit<CommandOf<One>, 'kind' | 'operator'>
}[K]

export type FieldCodec<K extends Kind> = {
  readonly write: (w: ByteWriter, command: CommandOf<K>) => void
  readonly read: (r: ByteReader) => Fields<K>
}

/** One for each kind: a new command does not compile before its bytes are said. */
export type FieldCodecs<K extends Kind> = { readonly [One in K]: FieldCodec<One> }
