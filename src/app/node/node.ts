/**
 * One node, all in one process: this file is the diagram.
 *
 *   clients ──> HTTP, stream ─┐             ┌──> engine (worker) ──> journal
 *   operators ─> admin server ┴─ commands ──┘      │         │
 *               views <──────── events, replies ───┘         │ durable batches
 *               history questions ──> follower (worker) <────┘──> history, snapshots
 *   probes ───> monitoring ─ reads what all of them count
 *
 * A start is a row of stages. Each stage gets the results of the stages before it, and adds the resources
 * that it acquires to `taken`, so that a failed start, and a stop, release them.
 */
import { randomBytes } from 'node:crypto'
import type { ProgramVersion } from '../../contract/program-version.ts'
import type { RecoveryReport } from '../../engine/writer/recovery/recovery.ts'
import { KeyRing } from '../../server/access/auth/key-ring.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { TlsMaterial } from '../../server/listener/renewable-listener.ts'
import { ensureDirectory, fileFault } from '../../storage/files/directory.ts'
import { askForShortSlices } from '../../transport/thread/short-slices.ts'
import type { Customers, CustomersOptions } from '../customers/customers-process.ts'
import type { Settings } from '../settings/defaults.ts'
import { gatewayCount } from '../settings/gateway-count.ts'
import type { Replication } from '../standby/replication/replication.ts'
import { acceptClock } from './clock-watch.ts'
import { type EngineStage, startEngine } from './engine-stage.ts'
import { NodeExchange } from './exchange.ts'
import { requireOwn, wasPromoted } from './exchange-directory.ts'
import { nameJournal } from './journal-name.ts'
import { type LoadedMasterKey, loadMasterKey } from './load-master-key.ts'
import { historyDamageLogger, logRecovery, noteLogger } from './log-notes.ts'
import { settleSecrets } from './master-key-keeper.ts'
import { raceFailures } from './race-failures.ts'
import { settleRules } from './rules.ts'
import { Node, type NodeParts } from './running-node.ts'
import { type AdminServers, adminFileText, openAdminServers } from './serving/admin-servers.ts'
import type { NodeFront } from './serving/node-front.ts'
import { openPublicServer, type PublicServer } from './serving/public-server.ts'
import { readTls } from './serving/tls.ts'
import { Taken } from './taken.ts'
import { type FollowerThread, startFollowerThread } from './threads.ts'
import { TradingGuard } from './trading-guard.ts'
import { onceThereIsRoom, untilRetry } from './upkeep/wait-for-storage.ts'

export type NodeOptions = {
  readonly settings: Settings
  readonly version: ProgramVersion
  readonly log: Logger
  /** The layer between clients and the gateway, if that is in this process; undefined if there is none. */
  readonly front?: NodeFront
  /** The sandbox's part in the registration of people; undefined outside a sandbox. */
  readonly customers?: Pick<CustomersOptions, 'onOpened'>
}

/**
 * Recovers from the storage and starts every part; clients are served after `open`. While a part lacks the
 * space that it needs to start, the start is repeated. Rejects with the fault of the part that could not
 * start, after releasing ports, threads and storage.
 */
export function startNode(options: NodeOptions): Promise<Node> {
  return onceThereIsRoom(
    'start',
    async () => {
      const taken = new Taken(options.log)
      try {
        return await startStages(options, taken)
      } catch (cause) {
        await taken.releaseAll()
        throw cause
      }
    },
    { log: options.log, untilRetry },
  )
}

async function startStages(options: NodeOptions, taken: Taken): Promise<Node> {
  // 1. Settings and keys.
  const keys = readKeys(options)
  const customers = await prepareCustomers(options)
  const replication = await prepareReplication(options, customers)
  // 2. The engine's thread, which locks the storage: only its holder may bind ports.
  const engine = startEngine({ ...options, positionBoard: replication?.positionBoard }, taken)
  await engine.untilHeld
  customers?.bind()
  // 3. The ports for clients and for probes; until `open` every answer to a client is STARTING.
  const server = await openPublicServer({ ...options, ...keys, engine, customers }, taken)
  // 4. Recovery: the newest good snapshot, then the journal's tail.
  const recovery = await recovered(options, engine)
  // If another node has taken over, this one adds nothing to its journal.
  await replication?.look(engine, recovery.seq)
  // 5. The follower's thread.
  const follower = startFollower(options, { engine, server, recovery }, taken)
  // 6. The views of the recovered state.
  const exchange = await NodeExchange.start({ engine: engine.engine, ...follower.thread })
  // 7. Clients and metrics, which get every batch from here on. Every request waits for this thread.
  askForShortSlices()
  startServing({ server, follower, exchange })
  // 8. Tasks that the node runs on its own.
  const sealing = settleSecrets({ ...options, ...keys, accounts: exchange.views.accounts })
  await settle(options, { engine, exchange, follower })
  if (replication !== undefined) {
    await replication.begin(engine, taken)
    server.monitoring.serveReplication({
      standbys: () => replication.standbys,
      peers: () => replication.peers,
    })
  }
  // 9. The operators' servers.
  const { dataDirectory, acceptJournalTail } = options.settings
  const journal = nameJournal(dataDirectory, acceptJournalTail || exchange.recovery.seq === 0)
  const admin = openAdminServers(
    { ...options, ...keys, engine, server, exchange, sealing, journal, customers },
    taken,
  )
  await admin.webhooks.begin()
  if (customers !== undefined) {
    taken.add('the customers process', () => customers.stop())
    server.monitoring.watchCustomers(() => customers.use())
    customers.start({ url: admin.admin.url, token: customers.token }, server.clients.url)
  }
  server.monitoring.watchWebhooks(() => admin.webhooks.use())
  const { front } = options
  if (front !== undefined) server.monitoring.health.watchFaults(() => front.faults.list().length > 0)
  // 10. The node, and its addresses.
  return announce(options, { keys, server, follower, exchange, admin, journal, replication, taken })
}

/** Undefined if people cannot register themselves: then none of that code is loaded. */
async function prepareCustomers({ settings, log, customers }: NodeOptions): Promise<Customers | undefined> {
  if (!settings.customers.isEnabled) return undefined
  const { Customers } = await import('../customers/customers-process.ts')
  const { dataDirectory, logLevel, customers: terms } = settings
  const isShared = gatewayCount(settings.gateways) > 1
  return new Customers({ dataDirectory, logLevel, log, terms, isShared, onOpened: customers?.onOpened })
}

/** Undefined if the node has no standbys and checks for no other node. Loaded where it is used. */
async function prepareReplication(
  { settings, log }: NodeOptions,
  customers: Customers | undefined,
): Promise<Replication | undefined> {
  const { dataDirectory, replication } = settings
  if (replication.secretFile === undefined) {
    if (wasPromoted(dataDirectory))
      log.warn({}, 'without replication.secretFile the replaced node is not notified')
    return undefined
  }
  const { Replication } = await import('../standby/replication/replication.ts')
  return new Replication({ settings, log, customers })
}

type Keys = {
  readonly tls: TlsMaterial | undefined
  readonly masterKey: LoadedMasterKey
  readonly secretBox: KeyRing
}

function readKeys({ settings }: NodeOptions): Keys {
  const { dataDirectory } = settings
  requireOwn(dataDirectory)
  const tls = settings.tls === undefined ? undefined : readTls(settings.tls)
  try {
    ensureDirectory(dataDirectory)
  } catch (cause) {
    throw fileFault(cause, `cannot create the data directory ${dataDirectory}`)
  }
  const masterKey = loadMasterKey(dataDirectory, settings)
  return { tls, masterKey, secretBox: new KeyRing(masterKey, (size) => randomBytes(size)) }
}

async function recovered({ log }: NodeOptions, { engine }: EngineStage): Promise<RecoveryReport> {
  const recovery = await engine.ready
  logRecovery(log, recovery)
  return recovery
}

type FollowerStage = {
  readonly thread: FollowerThread
  /** Keeps the alarms raised before it can halt anything. */
  readonly guard: TradingGuard
}

type FollowerNeeds = {
  readonly engine: EngineStage
  readonly server: PublicServer
  readonly recovery: RecoveryReport
}

/** Starts the follower; its notes are delivered to their receivers, beginning with the first. */
function startFollower(
  { settings, log }: NodeOptions,
  { engine, server, recovery }: FollowerNeeds,
  taken: Taken,
): FollowerStage {
  const { acceptJournalTail, follower: limits } = settings
  const { batches, storage, storageWatch } = engine
  const feeding = { journalEnd: recovery.seq, batches }
  const thread = startFollowerThread({ storage, acceptJournalTail, limits, ...feeding })
  taken.add('the follower thread', () => thread.end())
  const guard = new TradingGuard(log)
  thread.notes.subscribe(noteLogger(log, storageWatch))
  thread.notes.subscribe((note) => server.monitoring.note(note))
  thread.notes.subscribe((note) => {
    if (note.kind === 'AuditFailed') guard.alarm(note)
  })
  return { thread, guard }
}

type ServingNeeds = {
  readonly server: PublicServer
  readonly follower: FollowerStage
  readonly exchange: NodeExchange
}

function startServing({ server: { clients, monitoring }, follower, exchange }: ServingNeeds): void {
  const { market, accounts, backOffice, batches } = exchange.views
  monitoring.start({
    engine: exchange.engine,
    market,
    accounts,
    backOffice,
    stream: clients.start(exchange),
    followerMeter: follower.thread.meter,
  })
  batches.subscribe((batch) => monitoring.market.count(batch))
}

type SettleNeeds = {
  readonly engine: EngineStage
  readonly exchange: NodeExchange
  readonly follower: FollowerStage
}

/**
 * From here on alarms halt trading, a new exchange has its rules, and the clock is accepted if a start option
 * requests that.
 */
async function settle(
  { settings, log }: NodeOptions,
  { engine: { times }, exchange, follower }: SettleNeeds,
): Promise<void> {
  const { engine, recovery, views, failed } = exchange
  follower.guard.start({ engine, registry: views.market.registry, untilRetry })
  await raceFailures(settleRules({ engine, recovery, log, untilRetry }), [failed])
  if (settings.acceptClock) await raceFailures(acceptClock(engine, times.clock, log), [failed])
}

type NodeNeeds = {
  readonly keys: Keys
  readonly server: PublicServer
  readonly follower: FollowerStage
  readonly exchange: NodeExchange
  readonly admin: AdminServers
  readonly replication: Replication | undefined
  /** Identifies the journal. */
  readonly journal: string
  readonly taken: Taken
}

async function announce(
  { settings, log }: NodeOptions,
  { keys, server, follower, exchange, admin, journal, replication, taken }: NodeNeeds,
): Promise<Node> {
  const { secretBox } = keys
  // Until this call, damage of the history ends the start, and its cause is the final message.
  follower.thread.notes.subscribe(historyDamageLogger(log))
  const archiveRule = await startArchiving(settings, log)
  if (archiveRule !== undefined) server.monitoring.watchArchive(() => archiveRule.hasFailed)
  const parts = { settings, log, secretBox, exchange, journal, replication, archiveRule, taken }
  const node = new Node({ ...parts, ...server, ...admin })
  await node.writeAdminFile(adminFileText(admin, server.monitoring.url))
  return node
}

/** Undefined if the node has no automatic archiving. Loaded where it is used. */
async function startArchiving(settings: Settings, log: Logger): Promise<NodeParts['archiveRule']> {
  const { keepDays } = settings.archive
  if (keepDays === undefined) return undefined
  const { startArchiveRule } = await import('./upkeep/start-rule.ts')
  return startArchiveRule(settings, keepDays, log)
}
