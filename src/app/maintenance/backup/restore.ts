/**
 * `bourse restore`: a backup becomes a data directory again.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { refuseExtraWord, UsageError } from '../../../cli/arguments.ts'
import { facts } from '../../../cli/table.ts'
import type { Copied } from '../../../engine/audit/copy.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { type Batch, JournalFault } from '../../../engine/port/journal.ts'
import { takeSnapshot } from '../../../engine/port/snapshots.ts'
import { epochBatch } from '../../../engine/writer/epoch.ts'
import { sha256 } from '../../../storage/sha256.ts'
import type { Seq } from '../../../units/quantities.ts'
import { MASTER_KEY_FILE } from '../../node/load-master-key.ts'
import { StoredExchange } from '../../node/storage/stored-exchange.ts'
import { type AuditCommand, type AuditHost, EXIT_SOUND } from '../verification/host.ts'
import { count } from '../verification/progress.ts'
import { hex } from '../verification/verify.ts'
import { writePrivate } from './backup.ts'
import { type BackupManifest, readManifest } from './backup-manifest.ts'
import { copyExchange, requireEmpty } from './exchange-copy.ts'

const HELP = `bourse restore: create a data directory from a backup

Usage: bourse restore --from DIR2 --data DIR [--customers-keys FILE] [--restored-before N] [--json]

Checks the backup against its manifest, copies it, and verifies the copy by reading and replaying it. The witness of the
restored exchange starts at the last command of the backup. Everything acknowledged after the backup is missing: orders
placed since then do not exist, and credits and debits since then have not happened. Send credits and debits again with
their references: those that the backup contains are not carried out twice. A command after the backup's last one raises the
numbers of new orders and trades by 1,000,000,000, so that no lost id is assigned again.

Options:
  --from DIR2  the backup
  --data DIR   data directory to create; must be new or empty [DATA_DIR]
  --customers-keys FILE
               copy of customers.keys, which unseals the customers' data: the newest one, so that no customer is lost
  --restored-before N
               number of exchanges that were restored from this backup earlier and traded: the numbers of orders and
               trades are raised once more for each, so that no number is assigned again
  --json       print the result as JSON
  --help       show this help

Exit code: 0 restored and verified, 1 the backup is damaged (nothing was restored), 2 the backup could not be restored.`

/** Maximum of `--restored-before`. */
const RESTORED_BEFORE_MAX = 1_000

export const RESTORE: AuditCommand = {
  name: 'restore',
  help: HELP,
  forms: {
    from: 'value',
    data: 'value',
    'restored-before': 'value',
    'customers-keys': 'value',
    json: 'flag',
  },
  run: async ({ words, options }, host) => {
    refuseExtraWord(words[0])
    const from = options.get('from')
    if (typeof from !== 'string') throw new UsageError('expected a backup: --from DIR2')
    const data = options.get('data') ?? host.defaultData
    if (typeof data !== 'string') throw new UsageError('expected a data directory: --data DIR')
    requireEmpty(data, '--data')
    const manifest = readManifest(from)
    const jumps = 1 + restoredBefore(options.get('restored-before'))
    const given = options.get('customers-keys')
    const keysFile = typeof given === 'string' ? given : undefined
    if (keysFile !== undefined && manifest.customers === undefined)
      throw new UsageError('--customers-keys: the backup has no customers')
    const copies = manifest.customers === undefined ? undefined : await import('./customers-copy.ts')
    if (manifest.customers !== undefined) copies?.checkCustomersOf(from, manifest.customers, keysFile)
    const restoreMore = (): void => copies?.restoreCustomers(from, data, keysFile)
    await restore(from, data, { manifest, jumps, restoreMore }, host)
    const isWhole = keysFile !== undefined
    host.print(options.has('json') ? JSON.stringify(manifest, undefined, 2) : textOf(manifest, data, isWhole))
    return EXIT_SOUND
  },
}

/** Number of earlier restores of the same backup; absent means none. */
function restoredBefore(text: string | true | undefined): number {
  if (text === undefined) return 0
  const times = typeof text === 'string' && /^[0-9]{1,4}$/.test(text) ? Number(text) : RESTORED_BEFORE_MAX + 1
  if (times <= RESTORED_BEFORE_MAX) return times
  throw new UsageError(`--restored-before: expected a whole number from 0 to ${RESTORED_BEFORE_MAX}`)
}

type Restoring = {
  readonly manifest: BackupManifest
  readonly jumps: number
  /** Restores the customers' part of the backup. */
  readonly restoreMore: () => void
}

async function restore(
  from: string,
  data: string,
  { manifest, jumps, restoreMore }: Restoring,
  host: AuditHost,
): Promise<void> {
  const source = new StoredExchange(from).openJournal()
  try {
    const finish = (): void => {
      restoreMore()
      if (!manifest.hasMasterKey) return
      const key = new Uint8Array(readFileSync(path.join(from, MASTER_KEY_FILE)))
      writePrivate(path.join(data, MASTER_KEY_FILE), key)
    }
    await copyExchange(source, [], data, host, finish, async (copied) => {
      requireAsTold(copied, manifest)
      return jumpBehind(source, copied, jumps)
    })
  } finally {
    await source.close()
  }
}

/** Throws if the backup's journal leads to a result other than the one stated in its manifest. */
function requireAsTold({ tail, machine }: Copied, manifest: BackupManifest): void {
  const { stateHash } = takeSnapshot(machine, tail, sha256)
  const found = { seq: tail.seq as number, journalHash: hex(tail.hash), stateHash: hex(stateHash) }
  for (const key of ['seq', 'journalHash', 'stateHash'] as const) {
    if (found[key] === manifest[key]) continue
    const problem = `backup.json states ${key} ${manifest[key]}, but the backup's journal leads to ${found[key]}`
    throw new JournalFault('DAMAGED', problem)
  }
}

/**
 * Commands after the backup have assigned numbers: the numbers of the restored exchange skip them. An
 * exchange that continues elsewhere assigns none here.
 */
async function jumpBehind(
  source: JournalSource,
  { tail, machine }: Copied,
  jumps: number,
): Promise<Batch | undefined> {
  const [last] = tail.seq === 0 ? [] : await source.read((tail.seq - 1) as Seq, 1)
  return last?.kind === 'SEAL' ? undefined : epochBatch(sha256, tail, machine.rulesVersion, jumps)
}

function textOf(manifest: BackupManifest, data: string, hasCustomersKeys: boolean): string {
  const { seq, time, stateHash, hasMasterKey, customers } = manifest
  const keys = hasCustomersKeys
    ? 'restored'
    : `missing: put the newest copy of customers.keys at ${path.join(data, 'customers', 'customers.keys')} (mode 600) before the first start`
  const key = hasMasterKey
    ? 'restored with the backup'
    : `not in the backup: put it at ${path.join(data, MASTER_KEY_FILE)} (mode 600), or set BOURSE_MASTER_KEY, before the first start`
  const done = facts([
    ['restored', data],
    ['up to command', `${count(seq)}, ${time}`],
    ['state hash', stateHash],
    ['master key', key],
    ...(customers === undefined
      ? []
      : [
          ['customers', `${count(customers.persons)}customers, as of the backup`] as const,
          ['their keys', keys] as const,
        ]),
    ['verified', 'read back, replayed, same state'],
  ])
  return `${done}

Start it: bourse serve --data ${data}
Everything acknowledged after command ${count(seq)} is missing: orders placed since then do not exist, and credits and debits
since then have not happened. Send credits and debits again with their references: those that exist are not carried out twice.
New orders and trades get numbers 1,000,000,000 higher, so no lost id is assigned again.`
}
