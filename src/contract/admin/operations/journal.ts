/**
 * The stored journal and the files of its older part: the operations for `bourse backup` and `bourse
 * archive`.
 */

import { TRIM_BATCHES_MAX } from '../../../units/operator-enums.ts'
import type { AdminArchive, AdminBatch } from '../records.ts'
import { FILE_NAME_MAX, JOURNAL_BYTES_MAX } from './bounds.ts'
import { line, required, text, whole } from './field.ts'
import { answers, keeps, type OperationRows, reads } from './row.ts'

export const JOURNAL_OPERATIONS = {
  /** Stored batches that end after command `after`, oldest first. */
  'journal/read': reads({
    nature: 'SECRETS',
    summary: 'Read the stored batches of the journal that end after a command, oldest first.',
    rights: ['journal'],
    options: {
      after: required(whole(0, undefined, 'number of a command; 0 for the beginning')),
      bytesMax: whole(1, JOURNAL_BYTES_MAX, 'largest size of the answer, unless a single batch is larger'),
    },
    examples: [],
    told: 'batches that end after command `after`, oldest first, as many as fit (each counts 1 KiB in addition to its data): `position`, `epoch`, `kind`, `firstSeq`, `count`, `time`, and `previousHash`, `hash`, `data` as base64; empty at the end',
    /** Empty at the journal's end. */
    answer: answers<readonly AdminBatch[]>(),
  }),
  'journal/quarantined': reads({
    summary: 'List the quarantined commands, which every replay skips.',
    rights: ['journal.state'],
    examples: [],
    told: 'numbers of the commands that every replay skips',
    /** Commands that every replay skips. */
    answer: answers<readonly number[]>(),
  }),
  /** Files with the older part of the journal, oldest first. */
  'journal/archives': reads({
    summary: 'List the archive files of the journal.',
    rights: ['journal.state'],
    examples: [],
    told: 'archive files of the journal, oldest first: `afterPosition`, `afterSeq` (before its first batch), `position`, `epoch`, `seq`, `time` (of its last batch), `bytes`, `file`, and `hash`, `firstHash`, `digest` as base64',
    answer: answers<readonly AdminArchive[]>(),
  }),
  /** Records a complete file made by `bourse archive`. */
  'archive/record': keeps({
    summary: 'Record a complete archive file made by `bourse archive`.',
    // The file is on the node's own machine: these operations also need the node's own token.
    rights: ['journal'],
    options: {
      afterPosition: required(whole(0, undefined, 'position before the first batch')),
      afterSeq: required(whole(0, undefined, 'last command before the first batch')),
      position: required(whole(0, undefined, 'position of the last batch')),
      epoch: required(whole(0, undefined, 'epoch of the last batch')),
      seq: required(whole(0, undefined, 'last command')),
      time: required(whole(0, undefined, 'time of the last batch, in milliseconds since 1970')),
      hash: required(text('hash of the last batch, base64')),
      firstHash: required(text('hash of the first batch, base64')),
      digest: required(text('SHA-256 of the file, base64')),
      bytes: required(whole(0, undefined, 'size of the file')),
      file: required(line(FILE_NAME_MAX, 'path of the file on the node’s machine')),
    },
    examples: [],
    told: '`recorded`',
    answer: answers<{ readonly recorded: true }>(),
  }),
  /** Removes a number of the oldest batches that are in a recorded file. */
  'archive/trim': keeps({
    summary: 'Remove some of the oldest batches that a recorded archive file holds.',
    rights: ['journal'],
    options: { batchesMax: required(whole(1, TRIM_BATCHES_MAX, 'largest number of batches to remove')) },
    examples: [],
    told: '`removed`, `left`: batches removed now, and archived batches that the journal still has',
    answer: answers<{ readonly removed: number; readonly left: number }>(),
  }),
} satisfies OperationRows
