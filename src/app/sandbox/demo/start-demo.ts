/** Puts the demo market on a running sandbox: accounts, keys, clients, and the traders that use them. */
import { readFileSync } from 'node:fs'
import type { Logger } from '../../../server/common/logger.ts'
import { cannotFail, guarded } from '../../../units/guarded.ts'
import { invariant } from '../../../units/invariant.ts'
import type { Node } from '../../node/running-node.ts'
import type { Settings } from '../../settings/defaults.ts'
import { type Credentials, completed, credentialsText, readCredentials } from '../credentials.ts'
import { seedSandbox } from '../seed.ts'
import { DEMO_ACCOUNTS, DEMO_FILE, DEMO_MAKERS, DEMO_TAKERS } from './accounts.ts'
import { LivingMarket } from './living-market.ts'
import { clientOf, type DemoTrader } from './trader.ts'
import { openTreasury } from './treasury.ts'

export type DemoStart = {
  readonly node: Node
  readonly settings: Settings
  readonly log: Logger
  readonly seed: number
  readonly pace: number
}

/** Called when the node serves clients. Rejects if the accounts are not available. */
export async function startDemo({ node, settings, log, seed, pace }: DemoStart): Promise<LivingMarket> {
  const { accounts, added } = completed(readCredentials(settings.dataDirectory, DEMO_FILE), DEMO_ACCOUNTS)
  if (added.length > 0) await node.writeFile(DEMO_FILE, credentialsText({ accounts }))
  await seedSandbox(node, { accounts, ofBinance: [] })
  const trader = traderMaker(node, settings)
  const [maker, ...makers] = DEMO_MAKERS.map((name) => trader(named(accounts, name)))
  const [taker, ...takers] = DEMO_TAKERS.map((name) => trader(named(accounts, name)))
  invariant(maker !== undefined && taker !== undefined, 'a market has makers and takers')
  return new LivingMarket({
    seed,
    pace,
    makers: [maker, ...makers],
    takers: [taker, ...takers],
    treasury: openTreasury(node, () => Date.now()),
    monotonicMs: () => performance.now(),
    pause,
    log,
  })
}

function named(accounts: readonly Credentials[], name: string): Credentials {
  const found = accounts.find((credentials) => credentials.name === name)
  invariant(found !== undefined, () => `${name} has no credentials`)
  return found
}

/** If the node has a certificate, its traders expect exactly that one, whatever its name. */
function traderMaker({ baseUrl }: Node, { tls }: Settings): (credentials: Credentials) => DemoTrader {
  const trusting = tls === undefined ? {} : { fetch: fetchTrusting(readFileSync(tls.certFile, 'utf8')) }
  return (credentials) => ({
    name: credentials.name,
    client: clientOf({ baseUrl, credentials, ...trusting }),
  })
}

function fetchTrusting(ca: string): (url: string, init: RequestInit) => Promise<Response> {
  const tls = { ca, checkServerIdentity: () => undefined }
  return (url, init) => fetch(url, { ...init, redirect: 'error', tls })
}

async function pause(ms: number, until: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(guarded(over.resolve, cannotFail), ms)
  await Promise.race([over.promise, until])
  clearTimeout(timer)
}
