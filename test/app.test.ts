/** The program from the outside: starts, stops, refusals to start, and what the sandbox promises a newcomer. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
  signed,
} from './support/bourse-process.ts'

/** Processes start slowly on a busy machine. */
setDefaultTimeout(60_000)

const directories: (() => void)[] = []
const running: BourseProcess[] = []

function newData(): string {
  const { path: data, remove } = dataDirectory()
  directories.push(remove)
  return data
}

function run(args: readonly string[], environment: Record<string, string> = {}): BourseProcess {
  const started = new BourseProcess(args, environment)
  running.push(started)
  return started
}

async function startSandbox(data: string, ...options: string[]): Promise<BourseProcess> {
  const started = await sandbox(data, ...options)
  running.push(started)
  return started
}

afterEach(async () => {
  for (const each of running.splice(0)) await each.end('SIGKILL')
})
afterAll(() => {
  for (const remove of directories) remove()
})

function alice(data: string): Credentials {
  const [first] = readSandbox(data).accounts
  if (first === undefined) throw new Error('expected an account')
  return first
}

async function openOrders(data: string): Promise<readonly { id: string }[]> {
  const { baseUrl } = readSandbox(data)
  const response = await signed(baseUrl, alice(data), 'GET', 'order/active')
  return (await response.json()) as { id: string }[]
}

async function freeOf(data: string, account: number, code: string): Promise<string> {
  const { baseUrl, accounts } = readSandbox(data)
  const response = await signed(baseUrl, accounts[account] as Credentials, 'GET', 'wallet/balance', { code })
  return ((await response.json()) as { data: { free: string } }).data.free
}

/** What the printed lines say when pasted into a POSIX shell. */
function paste(output: string): { status: boolean; code: string } {
  const snippet = /^CREDENTIALS=[\s\S]*?\ncurl .*$/m.exec(output)?.[0]
  expect(snippet).toBeDefined()
  const { stdout, stderr } = Bun.spawnSync(['sh', '-c', snippet ?? 'false'])
  expect(stderr.toString()).toBe('')
  return JSON.parse(stdout.toString())
}

describe('the sandbox', () => {
  test('is ready with funded accounts, keys printed once, and an order to paste; a restart keeps everything', async () => {
    const data = newData()
    const first = await startSandbox(data)
    const { baseUrl, streamUrl, accounts } = readSandbox(data)
    expect(first.out.trimEnd().split('\n').at(-1)).toBe(`Bourse is ready at ${baseUrl}`)
    expect(streamUrl).toBe(baseUrl.replace('http:', 'ws:'))
    expect(accounts.map(({ name }) => name)).toEqual(['alice', 'bob'])
    for (const { apiKey, secret } of accounts) {
      expect(first.out).toContain(apiKey)
      expect(first.out).toContain(secret)
    }
    for (const name of ['sandbox.json', 'master.key', 'admin.json']) {
      expect(statSync(path.join(data, name)).mode & 0o777).toBe(0o600)
    }
    expect(statSync(data).mode & 0o777).toBe(0o700)
    expect([await freeOf(data, 0, 'TRY'), await freeOf(data, 1, 'BTC')]).toEqual(['50000000', '100'])
    expect(await freeOf(data, 1, 'ETH')).toBe('1000')
    expect(paste(first.out)).toMatchObject({ status: true, code: '0000' })
    const before = await openOrders(data)
    expect(before).toHaveLength(1)
    expect(await freeOf(data, 0, 'USDT')).toBe('4999500')
    expect(await first.end('SIGTERM')).toBe(0)
    expect(first.err).toBe('')

    const second = await startSandbox(data)
    expect(readSandbox(data).accounts).toEqual(accounts)
    for (const { secret } of accounts) expect(second.out).not.toContain(secret)
    expect(await openOrders(data)).toEqual(before)
    expect(await freeOf(data, 0, 'USDT')).toBe('4999500')
    expect(paste(second.out)).toMatchObject({ status: true })
    expect(await second.end('SIGINT')).toBe(0)
  })

  test('a set-up cut short at any moment is completed by the next start, and money comes once', async () => {
    const data = newData()
    for (let afterMs = 0; afterMs < 5; afterMs++) {
      const cut = run(['sandbox', '--port', '0', '--data', data])
      // The journal's file says that the set-up has begun; a killed start leaves any part of it.
      while (!(await Bun.file(path.join(data, 'journal.sqlite')).exists())) await Bun.sleep(1)
      await Bun.sleep(afterMs * 40)
      await cut.end('SIGKILL')
    }
    await startSandbox(data)
    expect(await freeOf(data, 0, 'BTC')).toBe('100')
    expect(await freeOf(data, 1, 'TRY')).toBe('50000000')
    expect(await openOrders(data)).toEqual([])
  })

  test('a directory whose name a shell would take apart works in the printed lines', async () => {
    const data = path.join(newData(), "it's a $HOME & more")
    const started = await startSandbox(data)
    expect(paste(started.out)).toMatchObject({ status: true })
  })
})

describe('a start that cannot be', () => {
  test('a second process on the same data, or on the same port, is refused and says why', async () => {
    const data = newData()
    const first = await startSandbox(data)
    const sameData = run(['serve', '--port', '0', '--data', data])
    expect(await sameData.exited()).toBe(1)
    expect(sameData.err).toContain(`is in use by process ${first.child.pid}`)
    const port = new URL(readSandbox(data).baseUrl).port
    const samePort = run(['serve', '--port', port, '--data', newData()])
    expect(await samePort.exited()).toBe(1)
    expect(samePort.err).toContain(`port ${port} on 127.0.0.1 is in use; choose another with --port`)
    expect(await freeOf(data, 0, 'BTC')).toBe('100')
  })

  test('another master key, or none where secrets are sealed with one, is refused', async () => {
    const data = newData()
    await (await startSandbox(data)).end('SIGTERM')
    const other = run(['serve', '--port', '0', '--data', data], { BOURSE_MASTER_KEY: 'ab'.repeat(32) })
    expect(await other.exited()).toBe(1)
    expect(other.err).toContain('the master key is not the one')
    const file = path.join(data, 'master.key')
    const key = readFileSync(file, 'utf8').trim()
    rmSync(file)
    const none = run(['serve', '--port', '0', '--data', data])
    expect(await none.exited()).toBe(1)
    expect(none.err).toContain('is missing')
    const given = run(['serve', '--port', '0', '--data', data], { BOURSE_MASTER_KEY: key })
    await given.ready
    expect(await given.end('SIGTERM')).toBe(0)
  })

  const data = newData()
  const wrong: readonly [string, string[], Record<string, string>, string][] = [
    ['no data directory', ['serve', '--port', '0'], { DATA_DIR: '' }, 'expected a data directory'],
    ['a port that is none', ['serve', '--data', data, '--port', '65536'], {}, '--port: expected a port'],
    [
      'a port in the environment',
      ['serve', '--data', data],
      { PORT: 'http' },
      'PORT in the environment: expected',
    ],
    ['an unknown option', ['serve', '--data', data, '--prot', '1'], {}, 'did you mean --port?'],
    [
      'an unknown variable',
      ['serve', '--data', data],
      { BOURSE_PORT: '1' },
      'BOURSE_PORT in the environment is no',
    ],
    ['a word', ['sandbox', 'now'], {}, 'does not understand "now"'],
    ['limits that are neither', ['sandbox', '--limits', 'none'], {}, '--limits: expected one of on, off'],
    ['a command that is none', ['serv'], {}, 'there is no command serv'],
    [
      'a file that is not there',
      ['serve', '--data', data, '--config', '/none.json'],
      {},
      '/none.json: cannot be read',
    ],
    [
      'a master key that is none',
      ['serve', '--data', data, '--port', '0'],
      { BOURSE_MASTER_KEY: 'x' },
      'hexadecimal',
    ],
  ]
  for (const [what, args, environment, message] of wrong) {
    test(`${what}: told in one line, exit code not 0`, async () => {
      const started = run(args, environment)
      expect(await started.exited()).toBeGreaterThan(0)
      expect(started.err).toContain(message)
      expect(started.err).not.toContain('    at ')
    })
  }
})

describe('serve', () => {
  test('starts empty, and the operator sets it up through the command line until an order is answered', async () => {
    const data = newData()
    mkdirSync(path.dirname(data), { recursive: true })
    const config = path.join(path.dirname(data), 'config.json')
    writeFileSync(config, JSON.stringify({ limits: { weightPerMinuteMax: 12_345 }, logLevel: 'info' }))
    const node = run(['serve', '--port', '0', '--data', data, '--config', config])
    const baseUrl = await node.ready
    expect(await (await fetch(`${baseUrl}/api/v3/exchangeInfo`)).json()).toEqual({ symbols: [] })

    const admin = async (...words: string[]): Promise<string> => {
      const command = run(['admin', '--data', data, ...words])
      if ((await command.exited()) !== 0) throw new Error(`admin ${words.join(' ')}: ${command.err}`)
      return command.out
    }
    await admin('asset', 'add', 'BTC', '--fraction', '8', '--name', 'Bitcoin')
    await admin('asset', 'add', 'USDT', '--fraction', '8')
    const symbol = ['symbol', 'add', 'BTC/USDT', '--base-fraction', '8', '--quote-fraction', '2']
    expect(await admin(...symbol)).toContain('Warning: BTC/USDT')
    await admin('account', 'add', 'carol')
    const key = JSON.parse(await admin('key', 'add', 'carol', '--json')) as Credentials
    const credit = ['credit', 'carol', 'BTC', '2.5', '--reference', 'deposit-1']
    expect(await admin(...credit)).toContain('Done.')
    expect(await admin(...credit)).toContain('used for the very same transfer before')
    expect(await admin('account', 'balances', 'carol')).toMatch(/BTC\s+2\.5\s+0\s+0\s+0/)

    const order = { symbol: 'BTC/USDT', side: 'SELL', type: 'LIMIT', quantity: '1', price: '50000' }
    const placed = await signed(baseUrl, key, 'POST', 'order', order)
    expect(placed.status).toBe(200)
    await admin('symbol', 'halt', 'BTC/USDT')
    expect((await signed(baseUrl, key, 'POST', 'order', order)).status).toBe(503)
    await admin('symbol', 'resume', 'BTC/USDT')
    expect((await signed(baseUrl, key, 'POST', 'order', order)).status).toBe(200)
    expect(await admin('key', 'list', 'carol')).toMatch(/enabled\s+TRADE,WALLET,USER_DATA\s+any\s+\d{4}-/)
    await admin('key', 'disable', key.apiKey)
    expect((await signed(baseUrl, key, 'POST', 'order', order)).status).toBe(401)
    expect(node.err).not.toContain(key.secret)
    expect(await node.end('SIGTERM')).toBe(0)

    const afterwards = run(['admin', '--data', data, 'asset', 'list'])
    expect(await afterwards.exited()).toBe(1)
    expect(afterwards.err).toContain('no node runs on')
  })

  test("an admin door that is another node's is told apart", async () => {
    const [one, two] = [newData(), newData()]
    await startSandbox(one)
    await startSandbox(two)
    const address = JSON.parse(readFileSync(path.join(one, 'admin.json'), 'utf8'))
    const stale = { ...address, token: '0'.repeat(64) }
    writeFileSync(path.join(two, 'admin.json'), JSON.stringify(stale))
    chmodSync(path.join(two, 'admin.json'), 0o600)
    const asked = run(['admin', '--data', two, 'asset', 'list'])
    expect(await asked.exited()).toBe(1)
    expect(asked.err).toContain('another node answers at')
  })
})
