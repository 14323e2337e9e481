/** `bourse sandbox`: a node with symbols, two funded accounts and their keys, ready to be tried. */

import type { ProgramVersion } from '../../contract/program-version.ts'
import type { FaultControl } from '../../server/admin/context.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { SelfTradeMode } from '../../units/order-enums.ts'
import { startNode } from '../node/node.ts'
import { raceFailures } from '../node/race-failures.ts'
import type { Node } from '../node/running-node.ts'
import { onceThereIsRoom, untilRetry } from '../node/upkeep/wait-for-storage.ts'
import type { NodeViews } from '../node/views.ts'
import type { RunningProcess } from '../process/run-node.ts'
import type { Settings } from '../settings/defaults.ts'
import {
  CREDENTIALS_FILE,
  type Credentials,
  completed,
  credentialsText,
  readBinanceCredentials,
  readCredentials,
  type SandboxFile,
} from './credentials.ts'
import type { DemoSwitch } from './demo/demo-switch.ts'
import type { DemoTerms } from './demo/terms.ts'
import type { Observer } from './faults/observer.ts'
import { greeting } from './greeting.ts'
import { SANDBOX_ACCOUNTS } from './market.ts'
import { newPageCode, pageUrl } from './page-code.ts'
import { seedSandbox } from './seed.ts'
import { welcome } from './welcome.ts'

export type SandboxOptions = {
  readonly settings: Settings
  readonly version: ProgramVersion
  readonly log: Logger
  readonly print: (text: string) => void
  /** The demo market runs from the start; if undefined, it can be switched on. */
  readonly demo?: Partial<DemoTerms>
  /**
   * The mode with which symbols that are not listed yet are listed; undefined means
   * `SANDBOX_SELF_TRADE_MODE`.
   */
  readonly selfTradeMode?: SelfTradeMode | undefined
  /** Called for every request; undefined if there is no observer. */
  readonly observe?: Observer
}

/**
 * Starts, completes the set-up, admits clients and prints the information for newcomers. Rejects as
 * `startNode` does.
 */
export async function startSandbox({
  print,
  demo,
  observe,
  selfTradeMode,
  ...options
}: SandboxOptions): Promise<Sandbox> {
  // None of this is loaded if a node is not a sandbox.
  const [{ DemoSwitch }, { SandboxFront }, { SandboxFaults }] = await Promise.all([
    import('./demo/demo-switch.ts'),
    import('./front.ts'),
    import('./faults/sandbox-faults.ts'),
  ])
  const { settings, log } = options
  const faults = new SandboxFaults({
    log,
    monotonicMs: () => performance.now(),
    now: () => Date.now(),
    sleep: (ms) => Bun.sleep(ms),
    observe,
  })
  const code = newPageCode()
  /** Resolves when the sandbox's assets exist. */
  const opened = Promise.withResolvers<Node>()
  const front = new SandboxFront(log, faults, code)
  const customers = { onOpened: async (account: string) => welcome(await opened.promise, account) }
  const node = await startNode({ ...options, front, customers })
  const market = new DemoSwitch({ node, settings, log })
  try {
    faults.begin(node.views)
    front.offer(market)
    front.offerKeys(await openSandbox(node, { settings, log, print, selfTradeMode }, code))
    opened.resolve(node)
    if (demo !== undefined) {
      const start = () => market.start(demo)
      const { seed, pace } = await raceFailures(
        onceThereIsRoom('start of the demo market', start, { log, untilRetry }),
        [node.failed],
      )
      print(`The demo market runs: seed ${seed}, ${pace} steps a second`)
    }
    print(`Bourse is ready at ${node.baseUrl}`)
    return new Sandbox(node, market, faults.control)
  } catch (cause) {
    await new Sandbox(node, market, faults.control).stop().catch(() => node.abandon())
    throw cause
  }
}

/** A running sandbox. */
export class Sandbox implements RunningProcess {
  readonly #node: Node
  readonly #market: DemoSwitch
  /** Faults between it and its clients. */
  readonly faults: FaultControl

  constructor(node: Node, market: DemoSwitch, faults: FaultControl) {
    this.#node = node
    this.#market = market
    this.faults = faults
  }

  get views(): NodeViews {
    return this.#node.views
  }

  get baseUrl(): string {
    return this.#node.baseUrl
  }

  get failed(): Promise<never> {
    return this.#node.failed
  }

  renewCertificate(): void {
    this.#node.renewCertificate()
  }

  /** Stops the demo's traders first, which cancel their orders. */
  async drain(): Promise<void> {
    await this.#market.end()
    await this.#node.drain()
  }

  /** The node stops even if the traders fail. */
  async stop(): Promise<void> {
    try {
      await this.#market.end()
    } finally {
      await this.#node.stop()
    }
  }

  async abandon(): Promise<void> {
    await Promise.all([this.#market.end(), this.#node.abandon()])
  }
}

async function openSandbox(
  node: Node,
  {
    settings,
    log,
    print,
    selfTradeMode,
  }: Pick<SandboxOptions, 'settings' | 'log' | 'print' | 'selfTradeMode'>,
  code: string,
): Promise<readonly Credentials[]> {
  const { dataDirectory } = settings
  const { accounts, added } = completed(readCredentials(dataDirectory), SANDBOX_ACCOUNTS)
  const ofBinance = completed(readBinanceCredentials(dataDirectory), SANDBOX_ACCOUNTS)
  const { baseUrl, adminUrl, binanceUrl } = node
  const sandbox: SandboxFile = {
    baseUrl,
    streamUrl: socketUrl(baseUrl),
    // With several gateways there is neither switch nor keys.
    pageUrl: node.gateways > 1 ? baseUrl : pageUrl(namedHere(baseUrl), code),
    accounts,
    binance: {
      url: binanceUrl,
      streamUrl: binanceUrl && socketUrl(binanceUrl),
      accounts: ofBinance.accounts,
    },
  }
  // The file is written before the keys: after a crash in between, a key whose secret is lost would be
  // useless.
  const text = credentialsText(sandbox)
  if (added.length + ofBinance.added.length > 0) await node.writeFile(CREDENTIALS_FILE, text)
  else await node.writeFileSoon(CREDENTIALS_FILE, text)
  const setUp = () => seedSandbox(node, { accounts, ofBinance: ofBinance.accounts, selfTradeMode })
  await raceFailures(onceThereIsRoom('set-up of the sandbox', setUp, { log, untilRetry }), [node.failed])
  await node.open()
  print(greeting({ sandbox, adminUrl, dataDirectory, newAccounts: added }))
  if (node.gateways > 1) print(`${node.gateways} gateways serve clients`)
  return accounts
}

function socketUrl(url: string): string {
  return url.replace(/^http/, 'ws')
}

/** Browsers bind passkeys to a name: `localhost` replaces the loopback address. */
function namedHere(baseUrl: string): string {
  return baseUrl.replace('//127.0.0.1:', '//localhost:')
}
