/**
 * `bourse verify --archive`: checks archive files on their own, without the journal that their commands come
 * from: every part by its digest, every batch by the chain, and each file's final state by a replay from the
 * final state of the previous file.
 */

import { statSync } from 'node:fs'
import { facts } from '../../../cli/table.ts'
import { isoTime } from '../../../contract/time.ts'
import { NO_EVENTS } from '../../../core/events/event.ts'
import { hexOf, JournalFault } from '../../../engine/port/journal.ts'
import { EXCHANGE_FACTORY, type StateMachine } from '../../../engine/port/state-machine.ts'
import { ReplayFault, replayBatch } from '../../../engine/writer/recovery/replay.ts'
import { ArchiveFile } from '../../../storage/files/archive-file.ts'
import { isReadable } from '../../../storage/files/readable.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { printable } from '../../../units/printable.ts'
import type { Seq } from '../../../units/quantities.ts'
import { sameBytes } from '../../../units/typed-arrays.ts'
import { archivesIn } from '../../node/storage/archived-exchange.ts'
import { type AuditHost, CannotRunError, EXIT_FINDING, EXIT_SOUND } from './host.ts'
import { count, Progress } from './progress.ts'

type CheckedFile = {
  readonly file: string
  readonly fromSeq: number
  readonly toSeq: number
  readonly toTime: string
  readonly batches: number
  readonly bytes: number
  readonly journalHash: string
  readonly stateHash: string
  /** False if its state could not be compared, since the file before it is not among those checked. */
  readonly replayed: boolean
}

/** The end of the previous file, and a state machine at that position. */
type Before = { readonly file: ArchiveFile; readonly machine: StateMachine }

/**
 * Checks one file, or all of a directory; resolves with the exit code. Rejects with `JournalFault` if a file
 * is damaged.
 */
export async function verifyArchives(place: string, isJson: boolean, host: AuditHost): Promise<number> {
  const files = filesOf(place)
  const checked: CheckedFile[] = []
  const problems: string[] = []
  let before: Before | undefined
  for (const path of files) {
    const file = ArchiveFile.open(path)
    try {
      const isNext =
        before !== undefined && sameBytes(before.file.contents.end.hash, file.contents.begin.hash)
      if (!isNext && file.contents.begin.seq > 0) problems.push(gapOf(file))
      const base = isNext || file.contents.begin.seq === 0
      const machine = replay(file, base ? (before?.machine ?? EXCHANGE_FACTORY.empty()) : undefined, host)
      checked.push(summaryOf(file, base))
      before = { file, machine }
    } finally {
      file.close()
    }
  }
  const isSound = problems.length === 0
  const json = { sound: isSound, files: checked, findings: problems }
  host.print(isJson ? JSON.stringify(json, undefined, 2) : textOf(checked, problems))
  return isSound ? EXIT_SOUND : EXIT_FINDING
}

function filesOf(place: string): readonly string[] {
  if (!isReadable(place)) throw new CannotRunError(`there is no archive ${place}`)
  if (!statSync(place).isDirectory()) return [place]
  const files = archivesIn(place)
  if (files.length === 0) throw new CannotRunError(`${place} has no archives (journal-....archive)`)
  return files
}

function gapOf({ path, contents: { begin } }: ArchiveFile): string {
  return `${path} begins after command ${begin.seq}: the file that ends there is missing, so its state was not replayed`
}

/**
 * Replays the file, from its own first command or from the end of the previous one. Throws `DAMAGED` if it
 * does not reach the recorded state.
 */
function replay(file: ArchiveFile, machine: StateMachine | undefined, host: AuditHost): StateMachine {
  const { blocks, end, quarantined, stateHash, begin } = file.contents
  const passedOver = new Set<Seq>(quarantined.map(({ seq }) => seq))
  const progress = new Progress(host, 'verifying')
  for (const index of blocks.keys()) {
    for (const batch of file.block(index)) {
      if (machine === undefined) continue
      try {
        replayBatch(machine, batch, passedOver, NO_EVENTS)
      } catch (cause) {
        if (!(cause instanceof ReplayFault)) throw cause
        throw new JournalFault('DAMAGED', `the archive ${file.path}: ${cause.message}`, { cause })
      }
    }
    progress.at({ seq: (blocks[index]?.end.seq ?? 0) - begin.seq, endSeq: end.seq - begin.seq })
  }
  progress.end()
  const state = file.state()
  if (machine === undefined) return EXCHANGE_FACTORY.fromSnapshot(state)
  const found = sha256([machine.encodeSnapshot()])
  // Another version may have written the same state in another layout.
  const expected = sha256([EXCHANGE_FACTORY.fromSnapshot(state).encodeSnapshot()])
  if (sameBytes(found, expected)) return machine
  throw new JournalFault(
    'DAMAGED',
    `the archive ${file.path}: its commands lead to state ${hexOf(found)}, but it records ${hexOf(stateHash)}`,
  )
}

function summaryOf({ path, contents, bytes }: ArchiveFile, replayed: boolean): CheckedFile {
  const { begin, end, stateHash } = contents
  return {
    file: path,
    fromSeq: begin.seq + 1,
    toSeq: end.seq,
    toTime: isoTime(end.time),
    batches: end.position - begin.position,
    bytes,
    journalHash: hexOf(end.hash),
    stateHash: hexOf(stateHash),
    replayed,
  }
}

function textOf(checked: readonly CheckedFile[], problems: readonly string[]): string {
  const parts = checked.map((file) =>
    facts([
      ['archive', file.file],
      ['commands', `${count(file.fromSeq)} to ${count(file.toSeq)}, up to ${file.toTime}`],
      ['batches', `${count(file.batches)} in ${count(file.bytes)} bytes`],
      ['state hash', `${file.stateHash}${file.replayed ? ', reached by a replay' : ', not replayed'}`],
    ]),
  )
  const verdict = problems.length === 0 ? ['Sound.'] : [...problems.map(printable), 'Not sound.']
  return [...parts, verdict.join('\n')].join('\n\n')
}
