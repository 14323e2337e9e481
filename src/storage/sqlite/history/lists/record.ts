/**
 * What append-only lists know of their records, whatever these are: a number that rises, the command that caused them,
 * and the lists that they belong to. All else is the record kind's.
 */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import type { Seq, TimeMs } from '../../../../units/quantities.ts'

/** What every record has. All three never fall from one record to the next; the number rises, from 1. */
export type Head = { readonly number: number; readonly seq: Seq; readonly time: TimeMs }

/** The list of all records of an owner, any whole number; with `part`, from 0, one part of it. */
export type ListKey = { readonly owner: number; readonly part: number | undefined }

/** The number in a list, from 1, and the number of the record before it there; 0: it is the first. */
export type Link = { readonly n: number; readonly before: number }

/** A record's place in the list of an owner and, where it belongs to a part of it, in that. */
export type Place = ListKey & { readonly inAll: Link; readonly inPart: Link | undefined }

export type Linked<Value> = { readonly record: Value; readonly places: readonly Place[] }

/** A kind of record, as bytes and in its lists. */
export interface RecordKind<Value> {
  /** One lower-case word: it names the tables, and a record in what is said of damage. */
  readonly word: string

  headOf(record: Value): Head

  /**
   * The owners whose lists the record enters, each with the part of it that it enters too. An owner named twice gets two
   * records. What is read back must give the same, in the same order.
   */
  listsOf(record: Value): readonly ListKey[]

  /** Everything but the head. */
  write(writer: ByteWriter, record: Value): void

  read(reader: ByteReader, head: Head): Value
}
