/**
 * A data directory as a stopped node leaves it, created by the production drivers, for the tests of the
 * auditor's commands.
 */
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startMemoryEngine } from '../../../../sim/memory/engine.ts'
import type { Command } from '../../../core/commands/command.ts'
import { RULES_MIN } from '../../../core/exchange/rules.ts'
import { Follower } from '../../../engine/follower/follower.ts'
import { DEFAULT_FOLLOWER_LIMITS } from '../../../engine/follower/limits.ts'
import { ANY_EXCHANGES } from '../../../engine/port/machines.fixture.ts'
import { account, asset, credit, limit, market, symbol } from '../../../engine/writer/commands.fixture.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { SqliteHistory } from '../../../storage/sqlite/history/store.ts'
import { openStorage } from '../../../storage/sqlite/storage.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../../units/ids.ts'
import type { Side } from '../../../units/order-enums.ts'
import { type Seq, type TimeMs, timeMs } from '../../../units/quantities.ts'
import type { AuditHost } from './host.ts'
import { auditCommand, runAudit } from './run.ts'

/** The form of a sealed secret in the fixture's journal: it must never be printed. */
export const SEALED_SECRET = new TextEncoder().encode('sealed, and still nobody may see it')

/** Time of the first command, and interval between commands. */
export const START_MS = 1_700_000_000_000
export const STEP_MS = 1_000

/** A directory for the data of one test run; the caller removes it. */
export function newRoot(): string {
  return mkdtempSync(path.join(tmpdir(), 'bourse-audit-'))
}

/**
 * Directories of a test file: `sound` is for `writeDirectory`, `copy()` is another one like it, `fresh()`
 * does not exist yet.
 */
export function soundDirectories() {
  const root = newRoot()
  const sound = path.join(root, 'sound')
  let count = 0
  const fresh = (): string => path.join(root, `directory-${++count}`)
  const copy = (): string => {
    const directory = fresh()
    cpSync(sound, directory, { recursive: true })
    return directory
  }
  return { root, sound, fresh, copy }
}

/**
 * Writes a data directory: two markets, two traders who match with each other and themselves in both,
 * cancels, a key, a withdrawal, and a snapshot every 40 commands.
 */
export async function writeDirectory(directory: string): Promise<void> {
  const storage = openStorage({ directory })
  let now = START_MS - STEP_MS
  const clock = (): TimeMs => timeMs(now)
  const engine = await startMemoryEngine({ ...storage, clock })
  const history = SqliteHistory.open(path.join(directory, 'history.sqlite'), () => {})
  const follower = await Follower.open({
    feed: engine.feed,
    history,
    snapshots: storage.snapshots,
    factory: ANY_EXCHANGES,
    digest: sha256,
    limits: { ...DEFAULT_FOLLOWER_LIMITS, snapshotCommands: 40, pullBytesMax: 1 },
    journalEnd: 0 as Seq,
    acceptJournalTail: false,
    untilRetry: async () => {},
    onAdvance: () => {},
    onNote: () => {},
  })
  const running = follower.run()
  let last = 0
  for (const commands of await fixtureCommands()) {
    last += commands.length
    now += STEP_MS
    await Promise.all(commands.map((command) => engine.port.submit(command)))
  }
  follower.finish(last as Seq)
  await running
  await history.close()
  await engine.stop()
}

/** In batches: more than 100 trades, in which rounding and commission matter. */
async function fixtureCommands(): Promise<Command[][]> {
  const operator = { actor: 'test', note: 'for the auditor' }
  const key: Command = {
    kind: 'CreateApiKey',
    operator,
    accountId: 3 as AccountId,
    apiKey: 'key-of-alice',
    sealedSecret: SEALED_SECRET,
    permissions: ['TRADE'],
    addresses: [],
    label: 'first',
  }
  const out: Command = { ...credit(4, 'USDT', 12_345n, 'out-1'), kind: 'Debit' } as Command
  const rules: Command = { kind: 'SetRulesVersion', operator, version: RULES_MIN }
  const batches: Command[][] = [[rules], ...market().map((command) => [command])]
  batches.push(
    [asset('ETH')],
    [symbol('ETH', 'BTC')],
    [account('carol')],
    [credit(4, 'ETH', 10n ** 10n, 'eth')],
    [key],
    [out],
  )
  let random = 42
  const pick = (below: number): number => {
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((random / 2 ** 31) * below)
  }
  for (let i = 0; i < 60; i++) {
    const order = (): Command => {
      const who = 3 + pick(2)
      const side: Side = pick(2) === 0 ? 'BUY' : 'SELL'
      const place = limit(who, side, 9_990 + pick(20), 1_000_003 + pick(9_000_000))
      // Only bob has ETH, so alice's sale of ETH is refused.
      return pick(4) === 0 ? { ...place, symbolId: 1 as SymbolId, price: (2 + pick(3)) as never } : place
    }
    const batch = Array.from({ length: 1 + pick(4) }, order)
    if (pick(5) === 0) batch.push(cancel(3 + pick(2), 1 + pick(60), i))
    batches.push(batch)
  }
  return batches
}

/** Mostly for an order that does not exist: refused, but still a command. */
function cancel(who: number, orderNumber: number, step: number): Command {
  return {
    kind: 'CancelOrder',
    accountId: who as AccountId,
    orderNumber: orderNumber as OrderNumber,
    orderTime: timeMs(START_MS + step * STEP_MS),
  }
}

type Ran = { readonly code: number; readonly out: string; readonly err: string }

/** Runs an auditor's command in this process. */
export async function audit(name: string, ...line: string[]): Promise<Ran> {
  const command = auditCommand(name)
  if (command === undefined) throw new Error(`there is no command ${name}`)
  let out = ''
  let err = ''
  const host: AuditHost = {
    print: (text) => {
      out += `${text}\n`
    },
    printError: (text) => {
      err += `${text}\n`
    },
    terminal: undefined,
    defaultData: undefined,
    version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    monotonicMs: () => 0,
    nowMs: () => START_MS,
  }
  const code = await runAudit(command, line, host)
  return { code, out, err }
}
