/**
 * `bourse restore`: a backup becomes a data directory again.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../../../cli/arguments.ts'
import { facts } from '../../../cli/table.ts'
import { JournalFault } from '../../../engine/port/journal.ts'
import { MASTER_KEY_FILE } from '../../node/load-master-key.ts'
import { StoredExchange } from '../../node/storage/stored-exchange.ts'
import { type AuditCommand, type AuditHost, EXIT_SOUND } from '../audit/host.ts'
import { count } from '../audit/progress.ts'
import { hex } from '../audit/verify.ts'
import { writePrivate } from './backup.ts'
import { type BackupManifest, readManifest } from './backup-manifest.ts'
import { copyExchange, requireEmpty } from './exchange-copy.ts'

const HELP = `bourse restore: make a data directory from a backup

Usage: bourse restore --from DIR2 --data DIR [--json]

Checks the backup against what it claims, copies it, and verifies the copy by reading and replaying it. The restored
exchange is a beginning of its own: its witness starts at its last command. What was acknowledged after the backup is
not in it: orders placed since then do not exist, credits and debits since then have not happened. Send credits and
debits again with their references: those that are in it are not done twice.

Options:
  --from DIR2  the backup
  --data DIR   data directory to make; absent or empty [DATA_DIR]
  --json       the result as JSON
  --help       show this help

Exit code: 0 restored and verified, 1 the backup is damaged (nothing is restored then), 2 it could not be done.`

export const RESTORE: AuditCommand = {
  name: 'restore',
  help: HELP,
  forms: { from: 'value', data: 'value', json: 'flag' },
  run: async ({ words, options }, host) => {
    if (words[0] !== undefined) throw new UsageError(`does not understand ${JSON.stringify(words[0])}`)
    const from = options.get('from')
    if (typeof from !== 'string') throw new UsageError('from where? Name the backup with --from DIR2')
    const data = options.get('data') ?? host.defaultData
    if (typeof data !== 'string') throw new UsageError('where to? Name a data directory with --data DIR')
    requireEmpty(data, '--data')
    const manifest = readManifest(from)
    await restore(from, data, manifest, host)
    host.print(options.has('json') ? JSON.stringify(manifest, undefined, 2) : textOf(manifest, data))
    return EXIT_SOUND
  },
}

async function restore(from: string, data: string, manifest: BackupManifest, host: AuditHost): Promise<void> {
  const source = new StoredExchange(from).openJournal()
  try {
    await copyExchange(source, [], data, host, ({ tail, stateHash }) => {
      const found = { seq: tail.seq as number, journalHash: hex(tail.hash), stateHash: hex(stateHash) }
      for (const key of ['seq', 'journalHash', 'stateHash'] as const) {
        if (found[key] === manifest[key]) continue
        const problem = `the backup says ${key} ${manifest[key]}, its journal leads to ${found[key]}`
        throw new JournalFault('DAMAGED', problem)
      }
      if (manifest.hasMasterKey) {
        writePrivate(
          path.join(data, MASTER_KEY_FILE),
          new Uint8Array(readFileSync(path.join(from, MASTER_KEY_FILE))),
        )
      }
    })
  } finally {
    await source.close()
  }
}

function textOf(manifest: BackupManifest, data: string): string {
  const { seq, time, stateHash, hasMasterKey } = manifest
  const key = hasMasterKey
    ? 'restored with the backup'
    : `not in the backup: put it at ${path.join(data, MASTER_KEY_FILE)} (mode 600), or set BOURSE_MASTER_KEY, before the first start`
  const done = facts([
    ['restored', data],
    ['up to command', `${count(seq)}, ${time}`],
    ['state hash', stateHash],
    ['master key', key],
    ['verified', 'read back, replayed, same state'],
  ])
  return `${done}

Start it: bourse serve --data ${data}
What was acknowledged after command ${count(seq)} is not in it: orders placed since then do not exist, credits and debits since
then have not happened. Send credits and debits again with their references: those that are in it are not done twice.`
}
