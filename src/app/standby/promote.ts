/**
 * Turns a standby into a node by a claim in its journal, which begins the next epoch, as for the leader of a
 * cluster. A peer that later contacts both nodes can determine which one took over. A node that cannot be
 * reached may still be running, so an operator must confirm that it is off.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isoTime } from '../../contract/time.ts'
import { standbyCopy } from '../../customers/store/store-copies.ts'
import { endOf, JournalFault } from '../../engine/port/journal.ts'
import { markText } from '../../engine/standby/journal-relation.ts'
import { CLAIM_NONCE_BYTES, CLAIMANT_CHARACTERS_MAX, claimBatch } from '../../engine/writer/own-batches.ts'
import { checkWitnesses } from '../../engine/writer/recovery/journal-check.ts'
import { sha256 } from '../../storage/sha256.ts'
import { openReplicaLink } from '../../transport/link/asking/replica-link.ts'
import { takesConnections } from '../../transport/link/protocol/link-address.ts'
import { LinkFault } from '../../transport/link/protocol/link-fault.ts'
import { printable } from '../../units/printable.ts'
import { timeMs } from '../../units/quantities.ts'
import { DataDirectoryFault } from '../node/exchange-directory.ts'
import { loadMasterKey, MASTER_KEY_FILE, MasterKeyFault } from '../node/load-master-key.ts'
import { openStandbyStorage, type StandbyStorage } from '../node/storage/standby-storage.ts'
import { runNode } from '../process/run-node.ts'
import { startServe } from '../serve.ts'
import type { Settings } from '../settings/defaults.ts'
import type { StandbyHost } from './host.ts'
import { nodeName } from './replication/node-name.ts'
import { addressOf, secretsOf } from './replication/places.ts'
import { readPromotedMark, readStandbyMark, type StandbyMark, writePromotedMark } from './standby-file.ts'

export type PromoteRequest = {
  readonly settings: Settings
  /** The operator has confirmed that the old node is off. */
  readonly isConfirmed: boolean
  /** Whether the process continues as the node. */
  readonly isServed: boolean
}

const EXIT_DONE = 0
const OPEN_MS_MAX = 2_000
/** Time limit for the end of a standby that runs on the directory. */
const RELEASE_MS_MAX = 60_000
const RELEASE_CHECK_MS = 50
/** In a data directory. */
const CUSTOMERS_DIRECTORY = 'customers'

/**
 * Resolves with the exit code. Throws `DataDirectoryFault` and other errors that state why nothing was done.
 */
export async function promote(request: PromoteRequest, host: StandbyHost): Promise<number> {
  const { settings, isServed } = request
  const { dataDirectory } = settings
  const mark = readStandbyMark(dataDirectory)
  if (mark === undefined) requirePromoted(dataDirectory, host)
  else await makeNode(request, mark, host)
  if (!isServed) {
    host.print(`Start the node: bourse serve --data ${dataDirectory}`)
    return EXIT_DONE
  }
  const log = host.openLog(settings.logLevel)
  const { version, print } = host
  return runNode(() => startServe({ settings, version, log, print }), log)
}

function requirePromoted(dataDirectory: string, { print }: StandbyHost): void {
  const promoted = readPromotedMark(dataDirectory)
  if (promoted === undefined) {
    throw new DataDirectoryFault(
      `${dataDirectory} does not belong to a standby: no standby has followed a node there`,
    )
  }
  const { atMs, epoch } = promoted
  print(`${dataDirectory} was promoted before, at ${isoTime(atMs)}, to epoch ${epoch}`)
}

async function makeNode(request: PromoteRequest, mark: StandbyMark, host: StandbyHost): Promise<void> {
  const { settings } = request
  const { dataDirectory } = settings
  requireMasterKey(settings)
  requireCustomersKeys(settings)
  await requireSilent(settings, mark)
  await requireConfirmed(request, mark, host)
  const storage = await takeHold(dataDirectory)
  try {
    const { store, witness } = storage
    await requireWhole(dataDirectory, storage)
    const before = store.tail
    const claim = claimBatch(sha256, before, {
      name: [...host.operator].slice(0, CLAIMANT_CHARACTERS_MAX).join(''),
      nonce: randomBytes(CLAIM_NONCE_BYTES),
    })
    await store.append(claim)
    witness.record(endOf(claim))
    writePromotedMark(dataDirectory, { ...mark, atMs: timeMs(Date.now()), epoch: claim.epoch })
    host.print(`The journal of ${printable(mark.node)} ${markText(before)}`)
    for (const line of customersLines(settings)) host.print(line)
    host.print(
      `${dataDirectory} now belongs to the node, in epoch ${claim.epoch}. Later commands of ${printable(mark.node)} are lost`,
    )
  } finally {
    storage.witness.close()
    await storage.store.close()
  }
}

/** A node with a new master key could decrypt none of the exchange's secrets. */
function requireMasterKey(settings: Settings): void {
  const { dataDirectory } = settings
  if (loadMasterKey(dataDirectory, settings).source !== 'NEW') return
  const file = path.join(dataDirectory, MASTER_KEY_FILE)
  throw new MasterKeyFault(
    `${file} is missing: put the node's master key there (the journal does not contain it), or set BOURSE_MASTER_KEY. Nothing was changed`,
  )
}

/** Without these keys no customer could sign in, and the node would not start. */
function requireCustomersKeys({ dataDirectory, customers }: Settings): void {
  const [store, keys] = ['customers.sqlite', 'customers.keys'].map((name) =>
    customersFile(dataDirectory, name),
  )
  if (store === undefined || keys === undefined || !existsSync(store) || existsSync(keys)) return
  if (!customers.isEnabled) return
  throw new DataDirectoryFault(
    `${keys} is missing: put a copy of the node's file there, or promote with --customers off. Nothing was changed`,
  )
}

/** Lines with the time of the copied store. Throws `StoreFault`. */
function customersLines({ dataDirectory, customers }: Settings): readonly string[] {
  const copy = standbyCopy(path.join(dataDirectory, CUSTOMERS_DIRECTORY))
  if (copy === undefined) {
    if (!customers.isEnabled) return []
    return [
      `There is no customer store in ${dataDirectory}: if there were customers, they can no longer sign in`,
    ]
  }
  const { atMs, persons } = copy
  const count = persons === 1 ? '1 person' : `${persons} persons`
  if (atMs === undefined)
    return [`The customer store (${count}) is not a complete copy of the node's, and its time is not known`]
  return [
    `The customer store (${count}) is as of ${isoTime(timeMs(atMs))}. Credentials changed, sessions ended and accounts erased since then are taken from the journal at the start`,
  ]
}

function customersFile(dataDirectory: string, name: string): string {
  return path.join(dataDirectory, CUSTOMERS_DIRECTORY, name)
}

/**
 * A node that accepts connections is not off, whatever it answers: it may be flooded, hang, or have an
 * expired certificate.
 */
async function requireSilent({ replication }: Settings, { from, node }: StandbyMark): Promise<void> {
  const [secret = ''] = secretsOf(replication)
  const address = addressOf(from, replication)
  const opening = {
    address,
    secret,
    name: nodeName(),
    openTimeoutMs: OPEN_MS_MAX,
  }
  const fault = await openReplicaLink(opening, 'standby').then(
    (link) => {
      link.close()
      return undefined
    },
    (cause: unknown) => {
      if (cause instanceof LinkFault) return cause
      throw cause
    },
  )
  if (fault?.kind === 'UNREACHABLE') return
  const isHere = fault?.kind !== 'SILENT' || (await takesConnections(address, OPEN_MS_MAX))
  if (!isHere) return
  const found = fault === undefined ? 'answers' : foundBy(fault)
  throw new DataDirectoryFault(`the node ${node} at ${from} ${found}. Stop it first. Nothing was changed`)
}

function foundBy({ kind, message }: LinkFault): string {
  const who = 'is not off: a process at its address'
  if (kind === 'SILENT') return `${who} accepts connections and does not answer (${message})`
  if (kind === 'REFUSED') return `${who} refuses connections (${message})`
  return `answers with ${kind}: ${message}`
}

async function requireConfirmed(
  { settings, isConfirmed }: PromoteRequest,
  { from, node }: StandbyMark,
  { confirm }: StandbyHost,
): Promise<void> {
  if (isConfirmed) return
  const question = `The node ${node} (${from}) does not answer. Is it off, and will it stay off? Otherwise two nodes would accept orders independently.`
  if (await confirm?.(question)) return
  throw new DataDirectoryFault(
    `${settings.dataDirectory} was not promoted: confirm that ${node} is off with --yes-the-old-node-is-off. Nothing was changed`,
  )
}

/** Ends the standby that runs on the directory, if there is one. Throws `JournalFault`. */
async function takeHold(directory: string): Promise<StandbyStorage> {
  const untilMs = performance.now() + RELEASE_MS_MAX
  let isAsked = false
  for (;;) {
    try {
      return openStandbyStorage(directory)
    } catch (cause) {
      const isInUse = cause instanceof JournalFault && cause.kind === 'IN_USE'
      if (!isInUse || performance.now() > untilMs) throw cause
      if (!isAsked) isAsked = askToEnd(directory)
      await Bun.sleep(RELEASE_CHECK_MS)
    }
  }
}

/** Only a standby, a backup or a check can lock a directory with a standby's mark. */
function askToEnd(directory: string): boolean {
  try {
    const pid = Number(readFileSync(path.join(directory, 'journal.pid'), 'utf8'))
    if (!Number.isSafeInteger(pid) || pid <= 1) return false
    process.kill(pid, 'SIGTERM')
    return true
  } catch {
    // The standby has just ended, or belongs to another user: the next attempt shows which.
    return false
  }
}

/**
 * Checks that the copy has everything that is recorded in the directory: a copy whose first transfer was
 * interrupted, or that lost its end, cannot become a node.
 */
async function requireWhole(directory: string, { store, witness, snapshots }: StandbyStorage): Promise<void> {
  if (store.tail.position === 0)
    throw new DataDirectoryFault(`${directory} has no journal yet: it has received nothing from a node`)
  const { heads } = await snapshots.list()
  await checkWitnesses({ journal: store, witness, snapshots, heads, acceptJournalTail: false })
}
