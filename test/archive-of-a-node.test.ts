/**
 * A running node trades while its older commands move to an archive: it continues, is killed, and restarts.
 */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { readdirSync, renameSync } from 'node:fs'
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
  expect([line, await run.exited(), run.err]).toEqual([line, 0, expect.any(String)])
  return run.out
}

async function trade(data: string): Promise<void> {
  const { baseUrl, accounts } = readSandbox(data)
  const order = { symbol: 'BTC/USDT', type: 'LIMIT', quantity: '0.01', price: '50000' }
  for (const [side, credentials] of [
    ['SELL', accounts[0]],
    ['BUY', accounts[1]],
  ] as const) {
    const answer = await signed(baseUrl, credentials as (typeof accounts)[number], 'POST', 'order', {
      ...order,
      side,
    })
    expect(answer.status).toBe(200)
  }
}

test('a running node moves its older commands to an archive, keeps trading, is killed, and starts without the archive', async () => {
  const data = path.join(root, 'data')
  const to = path.join(root, 'archive')
  const first = await sandbox(data)
  running.push(first)
  for (let i = 0; i < 5; i++) await trade(data)
  // A stop makes the snapshot up to which commands can be archived.
  await first.end('SIGTERM')
  const second = await sandbox(data)
  running.push(second)
  await trade(data)
  const journal = await bourse('journal', '--data', data)
  const archived = JSON.parse(
    await bourse('archive', '--data', data, '--before', '2100-01-01', '--to', to, '--json'),
  )
  expect(archived).toMatchObject({
    archived: true,
    fromSeq: 1,
    file: path.join(to, readdirSync(to)[0] ?? ''),
  })
  expect(archived.removedBatches).toBe(archived.batches - 1)
  expect(await bourse('journal', '--data', data)).toBe(journal)
  expect(await bourse('archive', '--data', data, '--before', '2100-01-01', '--to', to)).toContain(
    'nothing: there is no usable snapshot after command',
  )
  await trade(data)
  expect(await bourse('verify', '--data', data)).toContain('Sound.')
  expect(await bourse('verify', '--archive', to)).toContain('Sound.')
  await second.end('SIGKILL')
  renameSync(to, `${to}-away`)
  const third = await sandbox(data)
  running.push(third)
  await trade(data)
  await third.end('SIGTERM')
  renameSync(`${to}-away`, to)
  running.splice(0)
  expect(await bourse('verify', '--data', data)).toContain('Sound.')
}, 300_000)
