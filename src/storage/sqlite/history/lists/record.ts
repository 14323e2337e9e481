/**
 * The properties of records that append-only lists need: a rising number, the command that caused them, and
 * their lists. Everything else belongs to the kind of record.
 */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import type { Seq, TimeMs } from '../../../../units/quantities.ts'

/**
 * Common fields of records. None of the three decreases from one record to the next; the number rises, from
 * 1.
 */
export type Head = { readonly number: number; readonly seq: Seq; readonly time: TimeMs }

/** The list of all records of an owner, which is any integer; with `part`, from 0, one part of that list. */
export type ListKey = { readonly owner: number; readonly part: number | undefined }

/**
 * A record's number in a list, from 1, and the number of the record before it in that list; 0 for the first.
 */
export type Link = { readonly n: number; readonly before: number }

/** A record's place in the list of an owner, and in a part of that list if it belongs to one. */
export type Place = ListKey & { readonly inAll: Link; readonly inPart: Link | undefined }

export type Linked<Value> = { readonly record: Value; readonly places: readonly Place[] }

/** A kind of record: its bytes and its lists. */
export interface RecordKind<Value> {
  /** One lower-case word, used in the names of the tables and for a record in reports of damage. */
  readonly word: string

  headOf(record: Value): Head

  /**
   * The owners whose lists the record enters, each with the part of that list that it also enters. An owner
   * that occurs twice gets two records. A record that is read back must have the same lists, in the same
   * order.
   */
  listsOf(record: Value): readonly ListKey[]

  /** Writes everything except the head. */
  write(writer: ByteWriter, record: Value): void

  read(reader: ByteReader, head: Head): Value
}
