/** `bourse sandbox`: a node with symbols, two funded accounts and their keys, ready to be tried. */
import type { Logger } from '../../gateway/common/logger.ts'
import { startNode } from '../node/node.ts'
import { raceFailures } from '../node/race-failures.ts'
import type { Node } from '../node/running-node.ts'
import type { Settings } from '../settings/defaults.ts'
import {
  CREDENTIALS_FILE,
  type Credentials,
  newCredentials,
  readCredentials,
  type SandboxFile,
  sandboxFileText,
} from './credentials.ts'
import { greeting } from './greeting.ts'
import { SANDBOX_ACCOUNTS } from './market.ts'
import { seedSandbox } from './seed.ts'

export type SandboxOptions = {
  readonly settings: Settings
  readonly version: string
  readonly log: Logger
  readonly print: (text: string) => void
}

/** Starts, completes the set-up, lets clients in and prints what a newcomer needs. Rejects as `startNode` does. */
export async function startSandbox({ print, ...options }: SandboxOptions): Promise<Node> {
  const node = await startNode(options)
  try {
    await openSandbox(node, options.settings, print)
    return node
  } catch (cause) {
    await node.stop().catch(() => node.abandon())
    throw cause
  }
}

async function openSandbox(
  node: Node,
  { dataDirectory }: Settings,
  print: (text: string) => void,
): Promise<void> {
  const { accounts, added } = completed(readCredentials(dataDirectory))
  const { baseUrl, adminUrl } = node
  const sandbox: SandboxFile = { baseUrl, streamUrl: baseUrl.replace(/^http/, 'ws'), accounts }
  // The file comes before the keys: a key whose secret nobody has would be of no use after a crash in between.
  await node.writeFile(CREDENTIALS_FILE, sandboxFileText(sandbox))
  await raceFailures(seedSandbox(node, accounts), [node.failed])
  await node.open()
  print(greeting({ sandbox, adminUrl, dataDirectory, newAccounts: added }))
  if (node.gateways > 1) print(`${node.gateways} gateways serve clients`)
  print(`Bourse is ready at ${baseUrl}`)
}

/** The credentials kept by an earlier run, and new ones for accounts without. */
function completed(kept: readonly Credentials[]): {
  readonly accounts: readonly Credentials[]
  readonly added: readonly Credentials[]
} {
  const added: Credentials[] = []
  const accounts = SANDBOX_ACCOUNTS.map((name) => {
    const known = kept.find((credentials) => credentials.name === name)
    if (known !== undefined) return known
    const made = newCredentials(name)
    added.push(made)
    return made
  })
  return { accounts, added }
}
