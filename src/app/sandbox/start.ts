/** `bourse sandbox`: a node with symbols, two funded accounts and their keys, ready to be tried. */
import type { Logger } from '../../gateway/common/logger.ts'
import { startNode } from '../node/node.ts'
import type { Node } from '../node/running-node.ts'
import { unlessDead } from '../node/unless-dead.ts'
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

/** Starts, completes the set-up, lets clients in and prints what a newcomer needs. */
export async function startSandbox({ settings, version, log, print }: SandboxOptions): Promise<Node> {
  const node = await startNode({ settings, version, log })
  const { dataDirectory } = settings
  const { accounts, added } = completed(readCredentials(dataDirectory))
  const { baseUrl, adminUrl } = node
  const sandbox: SandboxFile = { baseUrl, streamUrl: baseUrl.replace(/^http/, 'ws'), accounts }
  // The file comes before the keys: a key whose secret nobody has would be of no use after a crash in between.
  await node.writeFile(CREDENTIALS_FILE, sandboxFileText(sandbox))
  await unlessDead(seedSandbox(node, accounts), [node.failed])
  node.open()
  print(greeting({ sandbox, adminUrl, dataDirectory, newAccounts: added }))
  print(`Bourse is ready at ${baseUrl}`)
  return node
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
