/** The node for a benchmark of the page: a sandbox without limits, with additional markets. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AdminAddress, AdminAnswer, AdminOperation } from '../../src/contract/admin/admin.ts'
import { readSandbox } from '../../test/support/bourse-process.ts'
import type { SocketKey } from './order-socket.ts'
import { ServerProcess } from './server-process.ts'

export type PageNode = {
  readonly server: ServerProcess
  /** The page's URL, with the fragment that opens the offered keys. */
  readonly pageUrl: string
  /** The user whose key the page has. */
  readonly alice: SocketKey
  /** The market maker. */
  readonly bob: SocketKey
  /** Besides those of every sandbox: `M00/USDT` and so on. */
  readonly markets: readonly string[]
}

const USDT_FOR_MARKETS = '1000000000'

export async function startPageNode(directory: string, marketCount: number): Promise<PageNode> {
  const args = ['sandbox', '--port', '0', '--data', directory, '--limits', 'off', '--self-trade', 'NONE']
  const server = await ServerProcess.start('src/app/main.ts', args, ['gateway', 'engine', 'follower'])
  const admin = JSON.parse(readFileSync(path.join(directory, 'admin.json'), 'utf8')) as AdminAddress
  const { accounts, pageUrl } = readSandbox(directory)
  const key = (wanted: string): SocketKey => {
    const found = accounts.find(({ name }) => name === wanted)
    if (found === undefined) throw new Error(`the sandbox has no account '${wanted}'`)
    return found
  }
  const markets = await addMarkets(admin, marketCount)
  return { server, pageUrl, alice: key('alice'), bob: key('bob'), markets }
}

async function addMarkets(admin: AdminAddress, count: number): Promise<readonly string[]> {
  const codes = Array.from({ length: count }, (_, index) => `M${String(index).padStart(2, '0')}`)
  const credit = (asset: string, amount: string) =>
    operate(admin, 'money/credit', { account: 'bob', asset, amount, reference: `bench-${asset}` })
  await credit('USDT', USDT_FOR_MARKETS)
  for (const code of codes) {
    await operate(admin, 'asset/add', { code, fraction: 8 })
    await operate(admin, 'symbol/add', { symbol: `${code}/USDT`, baseFraction: 4, quoteFraction: 4 })
    await credit(code, '1000000')
  }
  return codes.map((code) => `${code}/USDT`)
}

async function operate({ url, token }: AdminAddress, operation: AdminOperation, body: object): Promise<void> {
  const response = await fetch(`${url}/admin/v1/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as AdminAnswer
  if (!answer.ok) throw new Error(`${operation}: ${answer.error.message}`)
}
