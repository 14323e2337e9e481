/**
 * A start like a node's, in this process and without servers: all stored data is read, replayed and brought
 * up to date, and the answers to clients are combined into one text.
 */
import path from 'node:path'
import { loadMasterKey, settleMasterKey } from '../../../src/app/node/load-master-key.ts'
import { Follower } from '../../../src/engine/follower/follower.ts'
import { DEFAULT_FOLLOWER_LIMITS } from '../../../src/engine/follower/limits.ts'
import { hexOf } from '../../../src/engine/port/journal.ts'
import { EXCHANGE_FACTORY, type StateMachine } from '../../../src/engine/port/state-machine.ts'
import type { EngineStorage } from '../../../src/engine/port/storage.ts'
import { recover } from '../../../src/engine/writer/recovery/recovery.ts'
import { KeyRing } from '../../../src/server/access/auth/key-ring.ts'
import { sha256 } from '../../../src/storage/sha256.ts'
import { SqliteHistory } from '../../../src/storage/sqlite/history/store.ts'
import { openStorage } from '../../../src/storage/sqlite/storage.ts'

const PAGE_SIZE = 1_000

/** The answers to clients, or why the start failed. */
export type Started = { readonly state: string } | { readonly fault: string }

export async function start(directory: string): Promise<Started> {
  let storage: EngineStorage | undefined
  let history: SqliteHistory | undefined
  try {
    const given = { masterKey: undefined, masterKeyPrevious: undefined }
    const masterKey = loadMasterKey(directory, given)
    storage = openStorage({ directory })
    const parts = { digest: sha256, machines: EXCHANGE_FACTORY, acceptJournalTail: false }
    const { machine, report } = await recover({ ...storage, ...parts })
    history = SqliteHistory.open(path.join(directory, 'history.sqlite'), () => {})
    await catchUp(storage, history, report.quarantined)
    const { apiKeys } = machine.bootstrap()
    const box = new KeyRing(masterKey, (size) => new Uint8Array(size))
    settleMasterKey(directory, masterKey, box, apiKeys)
    return { state: await answersOf(machine, history) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { fault: `${error.name}: ${error.message}` }
  } finally {
    await history?.close().catch(() => {})
    storage?.witness.close()
    await storage?.journal.close().catch(() => {})
  }
}

async function catchUp(
  { journal, snapshots }: EngineStorage,
  history: SqliteHistory,
  quarantined: ReadonlySet<number>,
): Promise<void> {
  const follower = await Follower.open({
    feed: {
      next: (afterSeq, maxBytes) => journal.read(afterSeq, maxBytes),
      stateHash: async () => undefined,
      quarantined: async () => quarantined as never,
    },
    history,
    snapshots,
    factory: EXCHANGE_FACTORY,
    digest: sha256,
    limits: DEFAULT_FOLLOWER_LIMITS,
    journalEnd: journal.tail.seq,
    acceptJournalTail: false,
    untilRetry: async () => {},
    onAdvance: () => {},
    onNote: () => {},
  })
  follower.finish(journal.tail.seq)
  await follower.run()
}

/** The hash of the complete state, and every account's trade history. */
async function answersOf(machine: StateMachine, history: SqliteHistory): Promise<string> {
  const lines = [hexOf(sha256([machine.encodeSnapshot()]))]
  for (const { id } of machine.bootstrap().accounts) {
    const query = { accountId: id, symbolId: undefined, page: 0, size: PAGE_SIZE, before: undefined }
    const page = await history.trades(query)
    lines.push(JSON.stringify(page, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
  }
  return lines.join('\n')
}
