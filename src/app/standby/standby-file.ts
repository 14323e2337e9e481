/**
 * Files in which a data directory describes its role: it belongs to a standby, which must be promoted before
 * it can serve; it was promoted; or another node has taken over from it (docs/reference/data-directory.md).
 */

import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { hexOf, type JournalPosition } from '../../engine/port/journal.ts'
import { syncDirectory, writeWhole } from '../../storage/files/directory.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import {
  DataDirectoryFault,
  PROMOTED_FILE,
  STANDBY_FILE,
  SUPERSEDED_FILE,
} from '../node/exchange-directory.ts'

export type StandbyMark = {
  /** The address of its node. */
  readonly from: string
  /** The node's name for itself. */
  readonly node: string
}

export type PromotedMark = StandbyMark & {
  /** The time at which the directory became that of a node, in milliseconds since 1970. */
  readonly atMs: TimeMs
  readonly epoch: number
}

/** Undefined if the directory does not belong to a standby. Throws `DataDirectoryFault`. */
export function readStandbyMark(directory: string): StandbyMark | undefined {
  const fields = read(directory, STANDBY_FILE)
  return fields === undefined ? undefined : standbyOf(directory, STANDBY_FILE, fields)
}

/** Undefined if the directory was never promoted. Throws `DataDirectoryFault`. */
export function readPromotedMark(directory: string): PromotedMark | undefined {
  const fields = read(directory, PROMOTED_FILE)
  if (fields === undefined) return undefined
  const { atMs, epoch } = fields
  if (typeof atMs !== 'number' || typeof epoch !== 'number') throw unreadable(directory, PROMOTED_FILE)
  return { ...standbyOf(directory, PROMOTED_FILE, fields), atMs: timeMs(atMs), epoch }
}

/** Marks the directory, durably, as that of a standby: nothing is served from it. */
export function writeStandbyMark(directory: string, mark: StandbyMark): void {
  write(directory, STANDBY_FILE, mark)
}

/** Marks the directory, durably, as that of a node. */
export function writePromotedMark(directory: string, mark: PromotedMark): void {
  write(directory, PROMOTED_FILE, mark)
  rmSync(path.join(directory, STANDBY_FILE), { force: true })
  rmSync(path.join(directory, SUPERSEDED_FILE), { force: true })
  syncDirectory(directory)
}

/** Records durably that the node was superseded: `by` has `position`, which is in a later epoch. */
export function writeSupersededMark(
  directory: string,
  { position, by, atMs }: { readonly position: JournalPosition; readonly by: string; readonly atMs: number },
): void {
  const { epoch, seq, hash } = position
  write(directory, SUPERSEDED_FILE, { epoch, position: position.position, seq, hash: hexOf(hash), by, atMs })
}

type Fields = Readonly<Record<string, unknown>>

function standbyOf(directory: string, name: string, { from, node }: Fields): StandbyMark {
  if (typeof from !== 'string' || typeof node !== 'string') throw unreadable(directory, name)
  return { from, node }
}

function read(directory: string, name: string): Fields | undefined {
  const file = path.join(directory, name)
  if (!existsSync(file)) return undefined
  try {
    return parseJson(readFileSync(file, 'utf8'), DOCUMENT_JSON) as Fields
  } catch (cause) {
    throw unreadable(directory, name, cause)
  }
}

function unreadable(directory: string, name: string, cause?: unknown): DataDirectoryFault {
  return new DataDirectoryFault(
    `${path.join(directory, name)} cannot be read: it is not a file written by a standby`,
    {
      cause,
    },
  )
}

function write(directory: string, name: string, fields: object): void {
  const file = path.join(directory, name)
  writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(`${JSON.stringify(fields, null, 2)}\n`)])
}
