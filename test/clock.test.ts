/** A node that starts on a journal whose end is far behind its clock. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import path from 'node:path'
import { startMemoryEngine } from '../sim/memory/engine.ts'
import { market, oldestRules } from '../src/engine/writer/commands.fixture.ts'
import { openStorage } from '../src/storage/sqlite/storage.ts'
import type { TimeMs } from '../src/units/quantities.ts'
import { BourseProcess, type Credentials, dataDirectory, signed } from './support/bourse-process.ts'
import { until } from './support/until.ts'

setDefaultTimeout(300_000)

const MONTH_MS = 30 * 86_400_000
const data = dataDirectory()
const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' }

beforeAll(async () => {
  const engine = await startMemoryEngine({
    ...openStorage({ directory: data.path }),
    clock: () => (Date.now() - MONTH_MS) as TimeMs,
  })
  for (const command of [oldestRules(), ...market()]) await engine.port.submit(command)
  await engine.stop()
})
afterAll(() => data.remove())

async function serve(...options: readonly string[]): Promise<[BourseProcess, string]> {
  const node = new BourseProcess(['serve', '--data', data.path, '--port', '0', ...options])
  return [node, await node.ready]
}

async function admin(...words: readonly string[]) {
  const node = new BourseProcess(['admin', '--data', data.path, ...words, '--json'])
  node.ready.catch(() => {})
  const code = await node.exited()
  return { code, result: JSON.parse(node.out) }
}

async function health(): Promise<object> {
  const { monitoringUrl } = await Bun.file(path.join(data.path, 'admin.json')).json()
  return (await fetch(`${monitoringUrl}/health/ready`)).json() as Promise<object>
}

async function place(baseUrl: string, key: Credentials): Promise<string> {
  const answer = await signed(baseUrl, key, 'POST', 'order', ORDER)
  return ((await answer.json()) as { reason?: string }).reason ?? 'done'
}

test('a node accepts no order before its operator has accepted the clock, and remembers the acceptance', async () => {
  const [node, baseUrl] = await serve()
  await until('the log says what to do', () =>
    ['CLOCK_NOT_TRUSTED', `bourse admin --data ${data.path} clock accept`].every((text) =>
      node.err.includes(text),
    ),
  )
  expect(await health()).toMatchObject({ status: 'ready', degraded: ['CLOCK_NOT_TRUSTED'] })
  const { result: key } = await admin('key', 'add', 'alice')
  expect(await place(baseUrl, key)).toBe('CLOCK_NOT_TRUSTED')
  expect((await signed(baseUrl, key, 'GET', 'wallet/balance')).status).toBe(200)

  const { code, result } = await admin('clock', 'accept', '--note', 'a long stop', '--yes')
  expect([code, result]).toEqual([0, expect.objectContaining({ trusted: true })])
  expect(await place(baseUrl, key)).toBe('done')
  expect(await health()).toMatchObject({ degraded: [] })
  expect(await node.end('SIGKILL')).not.toBe(0)

  const [again, newUrl] = await serve()
  expect(await place(newUrl, key)).toBe('done')
  expect(await again.end('SIGTERM')).toBe(0)
  expect(again.err).not.toContain('CLOCK_NOT_TRUSTED')
})

test('a node accepts the clock by itself where the start asked for it, and the audit trail records it', async () => {
  const old = dataDirectory()
  const engine = await startMemoryEngine({
    ...openStorage({ directory: old.path }),
    clock: () => (Date.now() - MONTH_MS) as TimeMs,
  })
  for (const command of [oldestRules(), ...market()]) await engine.port.submit(command)
  await engine.stop()
  const node = new BourseProcess(['serve', '--data', old.path, '--port', '0', '--accept-clock'])
  await node.ready
  await until('the log says so', () => node.err.includes('the clock is trusted again'))
  const trail = new BourseProcess(['admin', '--data', old.path, 'audit', '--kind', 'AcceptClock', '--json'])
  trail.ready.catch(() => {})
  await trail.exited()
  expect(JSON.parse(trail.out)).toMatchObject([{ actor: 'start', note: '--accept-clock', outcome: 'done' }])
  await node.end('SIGTERM')
  old.remove()
})
