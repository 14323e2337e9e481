/** The stored journal and the files of its older part: what `bourse backup` and `bourse archive` ask for. */

import { TRIM_BATCHES_MAX } from '../../units/operator-words.ts'
import type { AdminArchive, AdminBatch } from '../admin-records.ts'
import { FILE_NAME_MAX, JOURNAL_BYTES_MAX } from './bounds.ts'
import { line, required, text, whole } from './field.ts'
import { answers, keeps, type OperationRows, reads } from './row.ts'

export const JOURNAL_OPERATIONS = {
  /** Stored batches that end after command `after`, oldest first. */
  'journal/read': reads({
    nature: 'SECRETS',
    summary: 'Stored batches of the journal that end after a command, oldest first.',
    rights: ['journal'],
    options: {
      after: required(whole(0, undefined, 'number of a command; 0: from the beginning')),
      bytesMax: whole(1, JOURNAL_BYTES_MAX, 'most bytes of batches, unless one alone is larger'),
    },
    examples: [],
    told: 'batches that end after command `after`, oldest first, as many as fit, each with 1 KiB beside its data: `position`, `epoch`, `kind`, `firstSeq`, `count`, `time`, and `previousHash`, `hash`, `data` as base64; empty at the end',
    /** Empty at the journal's end. */
    answer: answers<readonly AdminBatch[]>(),
  }),
  'journal/quarantined': reads({
    summary: 'Numbers of the commands that every replay passes over.',
    rights: ['journal.state'],
    examples: [],
    told: 'numbers of the commands that every replay passes over',
    /** Commands that every replay passes over. */
    answer: answers<readonly number[]>(),
  }),
  /** Files that have the older part of the journal, oldest first. */
  'journal/archives': reads({
    summary: 'The files that have the older part of the journal.',
    rights: ['journal.state'],
    examples: [],
    told: 'files that have the older part of the journal, oldest first: `afterPosition`, `afterSeq` (before its first batch), `position`, `epoch`, `seq`, `time` (of its last batch), `bytes`, `file`, and `hash`, `firstHash`, `digest` as base64',
    answer: answers<readonly AdminArchive[]>(),
  }),
  /** Records a complete file, which `bourse archive` has made. */
  'archive/record': keeps({
    summary: 'Record a complete file of the older part, which `bourse archive` has made.',
    // The file is the node's own machine's: these take its own token besides.
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
  /** Removes at most so many of the oldest batches that a recorded file holds. */
  'archive/trim': keeps({
    summary: 'Remove some of the oldest batches that a recorded file holds.',
    rights: ['journal'],
    options: { batchesMax: required(whole(1, TRIM_BATCHES_MAX, 'most batches to remove')) },
    examples: [],
    told: '`removed`, `left`: batches removed now, and archived ones that the journal still has',
    answer: answers<{ readonly removed: number; readonly left: number }>(),
  }),
} satisfies OperationRows
