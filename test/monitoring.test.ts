/**
 * Health and metrics of a running node, and their use in the documentation, the dashboard and the alert
 * rules.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AdminAddress } from '../src/contract/admin/admin.ts'
import { BourseProcess, dataDirectory, ROOT, readSandbox, sandbox, signed } from './support/bourse-process.ts'
import { scrape } from './support/prometheus.ts'
import { until, WAIT_MS_MAX } from './support/until.ts'

const LIMIT = { symbol: 'BTC/USDT', type: 'LIMIT', quantity: '1', price: '100' }

function monitoringUrl(data: string): string {
  const { monitoringUrl: url } = JSON.parse(
    readFileSync(path.join(data, 'admin.json'), 'utf8'),
  ) as AdminAddress
  return url as string
}

describe('a running node', () => {
  const data = dataDirectory()
  let node: BourseProcess
  let url: string

  beforeAll(async () => {
    node = await sandbox(data.path)
    url = monitoringUrl(data.path)
  })
  afterAll(async () => {
    await node.end('SIGKILL')
    data.remove()
  })

  test('it is live and ready, on both ports', async () => {
    const { baseUrl } = readSandbox(data.path)
    for (const origin of [url, baseUrl]) {
      for (const word of ['live', 'ready']) {
        const answer = await fetch(`${origin}/health/${word}`)
        expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ status: word })])
      }
    }
    expect((await fetch(`${baseUrl}/metrics`)).status).toBe(404)
  })

  test('on the loopback address it answers to that address alone, whatever host name resolves to it', async () => {
    const { port } = new URL(url)
    for (const [host, status] of [
      [`127.0.0.1:${port}`, 200],
      [`localhost:${port}`, 200],
      ['evil.example', 421],
    ] as const) {
      expect([host, (await fetch(`${url}/metrics`, { headers: { host } })).status]).toEqual([host, status])
    }
  })

  test('events are counted: orders, a trade, a refusal, answers by endpoint, batches', async () => {
    const { baseUrl, accounts } = readSandbox(data.path)
    const before = await scrape(url)
    const place = (trader: number, fields: Record<string, string>) =>
      signed(baseUrl, accounts[trader] as never, 'POST', 'order', { ...LIMIT, ...fields })
    await place(0, { side: 'SELL' })
    await place(1, { side: 'BUY' })
    await place(1, { side: 'BUY', quantity: '10000000' })
    let after = before
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    const counted = () => ({
      placed: grown('bourse_orders_placed_total{symbol="BTC/USDT"}'),
      trades: grown('bourse_trades_total{symbol="BTC/USDT"}'),
      refused: grown('bourse_refusals_total{reason="INSUFFICIENT_FUNDS"}'),
      answers: grown('bourse_http_request_seconds_count{endpoint="POST /api/v3/order"}'),
      requests: grown('bourse_http_requests_total'),
      commands: grown('bourse_engine_batch_commands_sum'),
      seq: grown('bourse_journal_seq'),
    })
    const wanted = { placed: 2, trades: 1, refused: 1, answers: 3, requests: 3, commands: 3, seq: 3 }
    // An answer may arrive before it is counted.
    await untilAsync(async () => {
      after = await scrape(url)
      return Object.entries(wanted).every(([name, count]) => counted()[name as keyof typeof wanted] >= count)
    })
    expect(counted()).toEqual(wanted)
    expect(after.get('bourse_asset_supply{asset="BTC"}')).toBe(200)
    expect(after.get('bourse_asset_fees{asset="BTC"}')).toBe(0.001)
    expect(after.get('bourse_ready')).toBe(1)
  })

  test('the start of the process is one moment: every scrape has it in the same bytes', async () => {
    const startTime = async () => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return text.split('\n').find((line) => line.startsWith('process_start_time_seconds '))
    }
    const first = await startTime()
    expect(first).toMatch(/ \d{10}(\.\d{1,3})?$/)
    for (let scrapes = 0; scrapes < 20; scrapes++) expect(await startTime()).toBe(first)
  })

  test('the reference lists exactly the metrics that are exported, each with its type', async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const exported = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type])
    const reference = readFileSync(path.join(ROOT, 'docs/reference/monitoring.md'), 'utf8')
    // The following sections are about engines of a cluster.
    const [ofNode = ''] = reference.split('\n### Engines of a cluster\n')
    expect(ofNode.length).toBeLessThan(reference.length)
    const documented = [...ofNode.matchAll(/^\| `(\w+)` \| (gauge|counter|histogram) \|/gm)].map(
      ([, name, type]) => [name, type],
    )
    expect(documented.toSorted()).toEqual(exported.toSorted())
  })

  const packaging = path.join(ROOT, 'packaging')
  const files = ['prometheus/alerts.yml', 'grafana/bourse.json']
  test.each(files)('%s names no metric and no reason that is not exported', async (file) => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const exported = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))
    const content = readFileSync(path.join(packaging, file), 'utf8')
    for (const [, reasons = ''] of content.matchAll(/reason=~?"([A-Z_|]+)"/g)) {
      for (const reason of reasons.split('|')) expect(text).toContain(`{reason="${reason}"}`)
    }
    const used = content.match(/\b(?:bourse|process)_\w+/g) ?? []
    expect(used.length).toBeGreaterThan(0)
    for (const name of used) {
      const base = name.replace(/_(?:bucket|sum|count)$/, '')
      expect([name, exported.has(name) || exported.has(base)]).toEqual([name, true])
    }
  })
})

test('a node that is to stop first reports that it is not ready and keeps serving, then ends cleanly', async () => {
  const data = dataDirectory()
  const node = await sandbox(data.path, '--drain-delay-ms', '600000', '--log-level', 'info')
  const { baseUrl, accounts } = readSandbox(data.path)
  const url = monitoringUrl(data.path)
  try {
    node.child.kill('SIGTERM')
    await until('the signal was taken', () => node.err.includes('"msg":"stopping"'))
    const statuses = async () => [
      (await fetch(`${url}/health/ready`)).status,
      (await fetch(`${baseUrl}/health/ready`)).status,
      (await fetch(`${url}/health/live`)).status,
    ]
    expect(await statuses()).toEqual([503, 503, 200])
    const order = await signed(baseUrl, accounts[0] as never, 'POST', 'order', { ...LIMIT, side: 'BUY' })
    expect(order.status).toBe(200)
  } finally {
    await node.end('SIGKILL')
    data.remove()
  }
})

test('a node that drains for a moment exits with 0', async () => {
  const data = dataDirectory()
  const node = await sandbox(data.path, '--drain-delay-ms', '1')
  expect(await node.end('SIGTERM')).toBe(0)
  data.remove()
})

test('a monitoring port that is in use is named with its option', async () => {
  const taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const data = dataDirectory()
  const port = String(taken.port)
  const node = new BourseProcess(['sandbox', '--data', data.path, '--port', '0', '--monitoring-port', port])
  try {
    expect(await node.exited()).toBe(1)
    expect(node.err).toContain(`port ${port} on 127.0.0.1 is in use; choose another with --monitoring-port`)
  } finally {
    await taken.stop(true)
    data.remove()
  }
})

test.each([
  ['a time that is another', 'SET time = time + 1'],
  ['numbers that no batch has', 'SET first_seq = last_seq + 1'],
])(
  'damage to the journal before the snapshot is shown by metric, health and log while the node serves, and repaired from a backup: %s',
  async (_, damage) => {
    const data = dataDirectory()
    const run = async (...words: string[]): Promise<string> => {
      const command = new BourseProcess(words)
      expect([words, await command.exited(), command.err]).toEqual([words, 0, ''])
      return command.out
    }
    const damagedAt = async (): Promise<number | undefined> =>
      (await scrape(monitoringUrl(data.path))).get('bourse_journal_damaged')
    const healthOf = async () =>
      (await (await fetch(`${monitoringUrl(data.path)}/health/ready`)).json()) as {
        status: string
        journal: string
      }
    try {
      // The stop saves a snapshot of everything, so the next start does not read earlier commands.
      expect(await (await sandbox(data.path)).end('SIGTERM')).toBe(0)
      const backup = `${data.path}-backup`
      await run('backup', '--data', data.path, '--to', backup)
      {
        using db = new Database(path.join(data.path, 'journal.sqlite'))
        db.run(`UPDATE batch ${damage} WHERE last_seq = 3`)
      }
      const node = await sandbox(data.path)
      await untilAsync(async () => (await damagedAt()) === 1)
      expect(await healthOf()).toMatchObject({ status: 'ready', journal: 'DAMAGED' })
      await until('the log says so', () =>
        node.err.includes('the journal is damaged: repair it from a backup'),
      )
      const verify = new BourseProcess(['verify', '--data', data.path])
      expect([await verify.exited(), verify.out]).toEqual([1, expect.stringContaining('JOURNAL')])
      expect(await node.end('SIGTERM')).toBe(0)

      await run('repair', '--data', data.path, '--from', backup, '--yes')
      expect(await run('verify', '--data', data.path)).toEndWith('Sound.\n')
      const again = await sandbox(data.path)
      await untilAsync(async () => (await healthOf()).journal === 'WHOLE')
      expect(await damagedAt()).toBe(0)
      await again.end('SIGKILL')
    } finally {
      data.remove()
    }
  },
)

/**
 * Repeats the request until its result is true; each answer comes from the node, so no extra pause is needed.
 */
async function untilAsync(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it was not so within ${WAIT_MS_MAX} ms`)
  }
}
