/**
 * Reports and proofs from the outside, of a node that runs and trades, and of its directory after it has
 * stopped.
 */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { copyFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BourseProcess, dataDirectory, readSandbox, sandbox, signed } from './support/bourse-process.ts'

const { path: root, remove } = dataDirectory()
const running: BourseProcess[] = []
afterEach(async () => {
  for (const each of running.splice(0)) await each.end('SIGKILL')
})
afterAll(remove)

async function bourse(...line: string[]): Promise<string> {
  const run = new BourseProcess(line)
  expect([line, await run.exited()]).toEqual([line, 0])
  return run.out
}

test('the reports of a running node, also by its admin server, are those of its directory after it has stopped, and its customers’ files verify', async () => {
  const data = path.join(root, 'data')
  const node = await sandbox(data)
  running.push(node)
  const { baseUrl, accounts } = readSandbox(data)
  const order = { symbol: 'BTC/USDT', type: 'LIMIT', quantity: '0.5', price: '50000.01' }
  for (const side of ['SELL', 'BUY']) {
    const credentials = accounts[side === 'SELL' ? 0 : 1] as (typeof accounts)[number]
    const answer = await signed(baseUrl, credentials, 'POST', 'order', { ...order, side })
    expect(answer.status).toBe(200)
  }
  const statements = await bourse('report', 'statements', '--data', data)
  expect(statements).toMatch(/,alice,USDT,TRADE,25000\.00500000,/)
  expect(statements.trimEnd().split('\n').at(-1)).toStartWith('# {"end":')

  const proof = path.join(root, 'proof')
  await bourse('liabilities', 'prove', '--data', data, '--seed', path.join(root, 'seed'), '--out', proof)
  const { rootHash } = JSON.parse(readFileSync(path.join(proof, 'root.json'), 'utf8')) as { rootHash: string }
  for (const row of readFileSync(path.join(proof, 'accounts.csv'), 'utf8').trimEnd().split('\r\n').slice(1)) {
    const file = path.join(proof, row.split(',')[1] ?? '')
    const line = [path.join(proof, 'check.mjs'), path.join(proof, 'root.json'), file, rootHash]
    const ran = Bun.spawnSync([Bun.which('node') ?? process.execPath, ...line])
    expect([row, ran.exitCode, ran.stdout.toString()]).toEqual([row, 0, expect.stringContaining('\nYes: ')])
  }
  copyFileSync(path.join(root, 'seed'), path.join(data, 'liabilities.seed'))
  const admin = (...line: string[]) => bourse('admin', '--data', data, ...line)
  expect(await admin('report', 'statements')).toBe(statements)
  const file = path.join(root, 'balances.json')
  const balances = ['balances', '--account', 'alice', '--format', 'json']
  await admin('report', ...balances, '--out', file)
  const { command } = JSON.parse(readFileSync(path.join(proof, 'root.json'), 'utf8')) as { command: number }
  expect(await admin('liabilities', '--at', String(command))).toBe(
    readFileSync(path.join(proof, 'root.json'), 'utf8'),
  )
  const [, its = ''] = /^alice,(.*)\r$/m.exec(readFileSync(path.join(proof, 'accounts.csv'), 'utf8')) ?? []
  expect(await admin('liabilities', '--at', String(command), '--account', 'alice')).toBe(
    readFileSync(path.join(proof, its), 'utf8'),
  )
  const refused = new BourseProcess(['admin', '--data', data, 'report', 'fees', '--account', 'alise'])
  expect(await refused.exited()).toBe(1)
  expect(refused.out + refused.err).toContain('--account: there is no account alise')

  await node.end('SIGTERM')
  running.splice(0)
  expect(await bourse('report', 'statements', '--data', data)).toBe(statements)
  expect(readFileSync(file, 'utf8')).toBe(await bourse('report', ...balances, '--data', data))
}, 300_000)
