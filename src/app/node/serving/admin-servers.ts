/** The stage of a start that has the operators' servers. */
import { randomBytes } from 'node:crypto'
import type { AdminAddress } from '../../../contract/admin/admin.ts'
import type { ProgramVersion } from '../../../contract/program-version.ts'
import type { KeyRing } from '../../../server/access/auth/key-ring.ts'
import {
  type AdminServer,
  type AdminServerOptions,
  openAdminServer,
} from '../../../server/admin/admin-server.ts'
import type { AdminContext } from '../../../server/admin/context.ts'
import { ReferenceTurns } from '../../../server/admin/reference-turns.ts'
import { TokenUse } from '../../../server/admin/roles/token-use.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { isLoopback } from '../../../server/listener/loopback.ts'
import type { TlsMaterial } from '../../../server/listener/renewable-listener.ts'
import { invariant } from '../../../units/invariant.ts'
import type { Customers } from '../../customers/customers-process.ts'
import { reportRunner } from '../../maintenance/reports/report-maker.ts'
import type { Settings } from '../../settings/defaults.ts'
import type { EngineStage } from '../engine-stage.ts'
import type { NodeExchange } from '../exchange.ts'
import { createOperatorPage } from '../page/create-page.ts'
import type { Taken } from '../taken.ts'
import { NodeWebhooks } from '../webhook-place.ts'
import type { NodeFront } from './node-front.ts'
import { bindPort } from './port.ts'
import type { PublicServer } from './public-server.ts'

/** Number of random bytes in the token that the node itself issues. */
const TOKEN_BYTES = 32

export type AdminServersParts = {
  readonly settings: Settings
  readonly version: ProgramVersion
  readonly log: Logger
  readonly tls: TlsMaterial | undefined
  readonly engine: Pick<EngineStage, 'feed' | 'times'>
  readonly server: Pick<PublicServer, 'clients' | 'monitoring'>
  readonly exchange: NodeExchange
  /** Identifies the journal. */
  readonly journal: string
  readonly secretBox: KeyRing
  /** The layer in front of the node; undefined if there is none. */
  readonly front?: NodeFront | undefined
  /** Undefined if there are no customers. */
  readonly customers?: Pick<Customers, 'control' | 'token'> | undefined
  readonly sealing: Pick<AdminContext, 'masterKeys' | 'sealSecret'>
}

export type AdminServers = {
  /** Operator-configured services that send data elsewhere. */
  readonly webhooks: NodeWebhooks
  /** The address of the server for this machine. */
  readonly admin: AdminServer
  /** The second server, if the settings specify an address that others can reach; otherwise undefined. */
  readonly remoteAdmin: AdminServer | undefined
  /** The token of the server for this machine. */
  readonly token: string
}

/** Throws `PortFault`. */
export function openAdminServers(parts: AdminServersParts, taken: Taken): AdminServers {
  const { settings, log, tls } = parts
  const { adminHost, adminPort } = settings
  const token = randomBytes(TOKEN_BYTES).toString('hex')
  const context = contextOf(parts)
  const webhooks = new NodeWebhooks({ settings, context, secretBox: parts.secretBox, log })
  taken.add('webhooks', () => webhooks.stop())
  const reports = reportRunner({
    dataDirectory: settings.dataDirectory,
    address: () => ({ url: admin.url, token }),
  })
  // Other processes cannot use the layer in front of this one.
  const faults = parts.server.clients.gateways === 1 ? parts.front?.faults : undefined
  const given = {
    context: { ...context, webhooks, reports, faults, customers: parts.customers?.control },
    token,
    page: createOperatorPage(),
    log,
  }
  const open = (hostname: string, port: number, more: Partial<AdminServerOptions> = {}): AdminServer => {
    const listen = (): AdminServer => openAdminServer({ ...given, ...more, hostname, port })
    const server = bindPort(hostname, port, '--admin-port', listen)
    taken.add('a port for operators', () => server.stop())
    return server
  }
  const isOwn = isLoopback(adminHost)
  const customersToken = parts.customers?.token
  const admin = isOwn
    ? open(adminHost, adminPort, { customersToken })
    : open('127.0.0.1', 0, { customersToken })
  if (isOwn) return { admin, remoteAdmin: undefined, token, webhooks }
  invariant(tls !== undefined, 'settings with an admin server for others have a certificate')
  const remoteAdmin = open(adminHost, adminPort, { token: undefined, tls })
  log.info({ url: remoteAdmin.url }, 'the admin server accepts other machines, with named tokens')
  return { admin, remoteAdmin, token, webhooks }
}

/** The settings that both servers share. */
function contextOf({
  engine: { feed, times },
  server: { clients, monitoring },
  exchange: { engine, history, views },
  sealing,
  journal,
  version,
}: AdminServersParts): Omit<AdminServerOptions['context'], 'webhooks' | 'reports'> {
  const { market, accounts, backOffice } = views
  return {
    registry: market.registry,
    accounts,
    backOffice,
    seq: () => market.seq,
    tokenUse: new TokenUse(),
    referenceTurns: new ReferenceTurns(),
    lastUsed: (apiKey) => clients.lastUsed(apiKey),
    engine,
    feed,
    history,
    measures: monitoring,
    limitBans: clients.limitBans,
    ...times,
    ...sealing,
    journal,
    version,
  }
}

/** Only those who may read the data directory's private files may use the server for this machine. */
export function adminFileText({ admin, token }: AdminServers, monitoringUrl: string): string {
  const address: AdminAddress = { url: admin.url, token, monitoringUrl, pid: process.pid }
  return `${JSON.stringify(address)}\n`
}
