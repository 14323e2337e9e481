/**
 * The program from the outside: starts, stops, refusals to start, and the promises of the sandbox to a new
 * user.
 */
import { Database } from 'bun:sqlite'
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  BourseProcess,
  type Credentials,
  dataDirectory,
  ROOT,
  readSandbox,
  sandbox,
  signed,
} from './support/bourse-process.ts'
import { plainClient } from './support/stream-clients.ts'
import { until } from './support/until.ts'

/** Processes start slowly on a busy machine. */
setDefaultTimeout(300_000)

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

/** Alice sells to Bob. Resolves when both orders are answered, or the node has exited. */
async function trade(data: string): Promise<void> {
  const { baseUrl, accounts } = readSandbox(data)
  for (const [account, side] of ['SELL', 'BUY'].entries()) {
    const order = { symbol: 'BTC/USDT', side, type: 'LIMIT', quantity: '0.01', price: '50000' }
    await signed(baseUrl, accounts[account] as Credentials, 'POST', 'order', order).catch(() => {})
  }
}

async function freeOf(data: string, account: number, code: string): Promise<string> {
  const { baseUrl, accounts } = readSandbox(data)
  const response = await signed(baseUrl, accounts[account] as Credentials, 'GET', 'wallet/balance', { code })
  return ((await response.json()) as { data: { free: string } }).data.free
}

/** The result of pasting the printed lines into a POSIX shell. */
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

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'a stop by %s is announced to stream clients with subscriptions alone, and closes all as going away',
    async (signal) => {
      const data = newData()
      const node = await startSandbox(data)
      const { streamUrl } = readSandbox(data)
      const [subscriber, member] = [await plainClient(streamUrl), await plainClient(streamUrl)]
      const codes: number[] = []
      for (const { socket } of [subscriber, member]) socket.onclose = ({ code }) => codes.push(code)
      subscriber.send('subscribe', { channel: 'kline_1m', symbol: 'BTC/USDT' })
      member.send('join', 'BTC/USDT')
      await until('states have come', () => subscriber.heard.length === 2 && member.heard.length === 2)
      expect(await node.end(signal)).toBe(0)
      await until('both are disconnected', () => codes.length === 2)
      expect(subscriber.heard.at(-1)).toEqual(['shutdown', { reconnectAfterMs: 5_000 }])
      expect(member.heard.map(([event]) => event)).toEqual(['orders', 'trades'])
      expect(codes).toEqual([1001, 1001])
    },
  )

  test('a start on old data journals nothing', async () => {
    const data = newData()
    await (await startSandbox(data)).end('SIGTERM')
    const end = (): number => {
      using journal = new Database(path.join(data, 'journal.sqlite'), { readwrite: true })
      return (journal.query('SELECT max(last_seq) AS seq FROM batch').get() as { seq: number }).seq
    }
    const before = end()
    expect(before).toBeGreaterThan(0)
    await (await startSandbox(data)).end('SIGTERM')
    expect(end()).toBe(before)
  })

  test('a changed secret in sandbox.json is reported, with the way on', async () => {
    const data = newData()
    await (await startSandbox(data)).end('SIGTERM')
    const file = path.join(data, 'sandbox.json')
    const { apiKey, secret } = alice(data)
    writeFileSync(file, readFileSync(file, 'utf8').replace(secret, 'f'.repeat(64)))
    const changed = run(['sandbox', '--port', '0', '--data', data])
    expect(await changed.exited()).toBe(1)
    expect(changed.err).toContain(
      `bourse: sandbox.json: the account or the secret of key ${apiKey} does not match the exchange`,
    )
    expect(changed.err).not.toContain(secret)
    rmSync(file)
    const anew = await startSandbox(data)
    expect(alice(data).apiKey).not.toBe(apiKey)
    expect(await freeOf(data, 0, 'BTC')).toBe('100')
    await anew.end('SIGTERM')
  })

  test('a set-up interrupted at any moment is completed by the next start, and money is credited once', async () => {
    const data = newData()
    for (let afterMs = 0; afterMs < 5; afterMs++) {
      const cut = run(['sandbox', '--port', '0', '--data', data])
      // The journal's file shows that the set-up began; a killed start leaves any part of it.
      while (!(await Bun.file(path.join(data, 'journal.sqlite')).exists())) await Bun.sleep(1)
      await Bun.sleep(afterMs * 40)
      await cut.end('SIGKILL')
    }
    await startSandbox(data)
    expect(await freeOf(data, 0, 'BTC')).toBe('100')
    expect(await freeOf(data, 1, 'TRY')).toBe('50000000')
    expect(await openOrders(data)).toEqual([])
  })

  test('a directory whose name needs quoting works in the printed order and commands', async () => {
    const data = path.join(newData(), "it's a $HOME & more")
    const started = await startSandbox(data)
    expect(paste(started.out)).toMatchObject({ status: true })
    const commands = started.out.match(/npx bourse [^()\n]*[^() \n]/g) ?? []
    expect(commands.map((command) => command.split(' ')[2])).toEqual(['sandbox', 'admin', 'admin'])
    for (const command of commands) {
      const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', command], { cwd: ROOT })
      expect({ command, exitCode, stderr: stderr.toString() }).toEqual({ command, exitCode: 0, stderr: '' })
    }
  })
})

describe('a failed start', () => {
  test('a second process on the same data, or on the same port, is refused and says why', async () => {
    const data = newData()
    const first = await startSandbox(data)
    const sameData = run(['serve', '--port', '0', '--data', data])
    expect(await sameData.exited()).toBe(1)
    expect(sameData.err).toContain(`is in use by process ${first.child.pid}`)
    const port = new URL(readSandbox(data).baseUrl).port
    const samePort = run(['serve', '--init', '--port', port, '--data', newData()])
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

  test('a file where the data directory should be, and an unreadable key, are reported as such', async () => {
    const data = newData()
    writeFileSync(data, '')
    const file = run(['serve', '--init', '--port', '0', '--data', data])
    expect(await file.exited()).toBe(1)
    expect(file.err).toBe(`bourse: cannot create the data directory ${data}: ${data} is not a directory\n`)
    const other = newData()
    mkdirSync(path.join(other, 'master.key'), { recursive: true })
    const unreadable = run(['serve', '--init', '--port', '0', '--data', other])
    expect(await unreadable.exited()).toBe(1)
    expect(unreadable.err).toContain(`${path.join(other, 'master.key')} cannot be read: EISDIR`)
  })

  test('a damaged journal is reported in one line, with the way on', async () => {
    const data = newData()
    await (await startSandbox(data)).end('SIGTERM')
    const journal = path.join(data, 'journal.sqlite')
    const sound = readFileSync(journal)
    writeFileSync(journal, Buffer.concat([Buffer.alloc(100, 'x'), sound.subarray(100)]))
    const noDatabase = run(['serve', '--port', '0', '--data', data])
    expect(await noDatabase.exited()).toBe(1)
    expect(noDatabase.err).toMatch(
      /^bourse: cannot open .* SQLITE_NOTADB .* repair or restore it from a backup: see .*\n$/,
    )
    writeFileSync(journal, sound)
    {
      using db = new Database(journal)
      db.run('UPDATE batch SET time = time + 1 WHERE last_seq = 1')
    }
    rmSync(path.join(data, 'snapshots'), { recursive: true })
    const damaged = run(['serve', '--port', '0', '--data', data])
    expect(await damaged.exited()).toBe(1)
    expect(damaged.err).toMatch(
      /^bourse: batch 1 to 1 of .* repair or restore it from a backup: see .*data-directory.md\n$/,
    )
  })

  test('damaged history does not prevent a start: found at once or later, it is rebuilt', async () => {
    const data = newData()
    await (await startSandbox(data)).end('SIGTERM')
    const history = path.join(data, 'history.sqlite')
    const bytes = readFileSync(history)
    bytes[20] = (bytes[20] ?? 0) ^ 0x10
    writeFileSync(history, bytes)
    const again = await startSandbox(data)
    await until('the log says so', () => again.err.includes('the history file cannot be used and is rebuilt'))
    expect(statSync(`${history}.damaged`).size).toBe(bytes.length)
    expect(paste(again.out)).toMatchObject({ status: true })
    expect(await again.end('SIGTERM')).toBe(0)
  })

  test('history that turns out damaged while it is written ends the node once, in one line; the next start is sound', async () => {
    const data = newData()
    const first = await startSandbox(data)
    await trade(data)
    await first.end('SIGTERM')
    const history = path.join(data, 'history.sqlite')
    {
      using db = new Database(history)
      db.run(
        "CREATE TRIGGER broken BEFORE INSERT ON trade_block BEGIN SELECT raise(ABORT, 'a page is gone'); END",
      )
    }
    const second = await startSandbox(data)
    await trade(data)
    expect(await second.exited()).toBe(1)
    const said = second.err.split('\n').filter((line) => line.includes('is damaged'))
    expect(said).toEqual([
      `bourse: the node failed: ${history} is damaged (a page is gone); the next start puts it aside as ${history}.damaged and rebuilds it from the journal`,
    ])
    expect(second.err).not.toContain('    at ')
    await startSandbox(data)
    const { baseUrl } = readSandbox(data)
    const page = await signed(baseUrl, alice(data), 'GET', 'order/trade/history')
    expect((await page.json()) as { total: number }).toMatchObject({ total: 2 })
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
    ['a word', ['sandbox', 'now'], {}, 'unexpected argument "now"; expected an option'],
    ['limits that are neither', ['sandbox', '--limits', 'none'], {}, '--limits: expected on or off'],
    ['a command that is none', ['serv'], {}, 'there is no command serv'],
    [
      'a file that is not there',
      ['serve', '--data', data, '--config', '/none.json'],
      {},
      '/none.json: there is no such file',
    ],
    [
      'a master key that is none',
      ['serve', '--init', '--data', data, '--port', '0'],
      { BOURSE_MASTER_KEY: 'x' },
      'hexadecimal',
    ],
  ]
  for (const [what, args, environment, message] of wrong) {
    test(`${what}: reported in one line, exit code not 0`, async () => {
      const started = run(args, environment)
      expect(await started.exited()).toBeGreaterThan(0)
      expect(started.err).toContain(message)
      expect(started.err).not.toContain('    at ')
    })
  }
})

test('under systemd each line of the log has its priority before it, elsewhere none', async () => {
  const data = newData()
  mkdirSync(path.dirname(data), { recursive: true })
  const journal = path.join(path.dirname(data), 'journal')
  // As systemd does: standard error is opened first, and then named by its device and number.
  const asService = ['sh', '-c', `exec 2>"$0"; JOURNAL_STREAM="$(stat -c %d:%i "$0")" exec "$@"`, journal]
  const serve = ['serve', '--init', '--port', '0', '--data', data]
  const node = new BourseProcess(serve, {}, asService)
  running.push(node)
  await node.ready
  expect(await node.end('SIGTERM')).toBe(0)
  const log = readFileSync(journal, 'utf8').trimEnd().split('\n')
  expect(log.length).toBeGreaterThan(1)
  for (const line of log) expect(line).toMatch(/^<6>\{"level":30,.*\}$/)
  const refused = new BourseProcess(serve, {}, asService)
  expect(await refused.exited()).toBe(1)
  expect(readFileSync(journal, 'utf8')).toStartWith(`<3>bourse: ${data} contains an exchange`)
  const elsewhere = run(['serve', '--port', '0', '--data', data], { JOURNAL_STREAM: '1:1' })
  await elsewhere.ready
  expect(await elsewhere.end('SIGTERM')).toBe(0)
  expect(elsewhere.err).toStartWith('{"level":30,')
})

describe('serve', () => {
  test('a directory without an exchange is refused and left as it is: its disk may not be mounted', async () => {
    const data = newData()
    for (const make of [() => {}, () => mkdirSync(data, { recursive: true })]) {
      make()
      const refused = run(['serve', '--port', '0', '--data', data])
      expect(await refused.exited()).toBe(1)
      expect(refused.err).toBe(
        `bourse: ${data} contains no exchange: it has no journal.sqlite. Is its disk mounted? To create a new, empty ` +
          'exchange there, use --init; to restore one from a backup, bourse restore\n',
      )
    }
    expect(readdirSync(data)).toEqual([])
  })

  test('a new exchange is made where there is none, and never over one or what is left of one', async () => {
    const data = newData()
    const init = run(['init', '--data', data])
    expect([await init.exited(), init.err]).toEqual([0, ''])
    const served = run(['serve', '--port', '0', '--data', data])
    await served.ready
    expect(served.out).toContain(`${data} contains a new, empty exchange`)
    expect(await served.end('SIGTERM')).toBe(0)
    const again = [
      ['init', '--data', data],
      ['serve', '--init', '--port', '0', '--data', data],
    ]
    for (const words of again) {
      const refused = run(words)
      expect([await refused.exited(), refused.err]).toEqual([
        1,
        `bourse: ${data} contains an exchange: start it without --init\n`,
      ])
    }
    rmSync(path.join(data, 'journal.sqlite'))
    for (const words of again) {
      const refused = run(words)
      expect(await refused.exited()).toBe(1)
      expect(refused.err).toStartWith(`bourse: ${data} has journal.witness but no journal.sqlite`)
    }
  })

  test('starts empty, and the operator sets it up through the command line until an order is answered', async () => {
    const data = newData()
    mkdirSync(path.dirname(data), { recursive: true })
    const config = path.join(path.dirname(data), 'config.json')
    writeFileSync(config, JSON.stringify({ limits: { weightPerMinuteMax: 12_345 }, logLevel: 'info' }))
    const node = run(['serve', '--init', '--port', '0', '--data', data, '--config', config])
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
    expect(await admin(...credit)).toContain('the same transfer was already made')
    expect(await admin('account', 'balances', 'carol')).toMatch(/BTC\s+2\.5\s+0\s+0\s+0/)

    const order = { symbol: 'BTC/USDT', side: 'SELL', type: 'LIMIT', quantity: '1', price: '50000' }
    const placed = await signed(baseUrl, key, 'POST', 'order', order)
    expect(placed.status).toBe(200)
    await admin('symbol', 'halt', 'BTC/USDT')
    expect((await signed(baseUrl, key, 'POST', 'order', order)).status).toBe(503)
    await admin('symbol', 'resume', 'BTC/USDT')
    expect((await signed(baseUrl, key, 'POST', 'order', order)).status).toBe(200)
    expect(await admin('key', 'list', 'carol')).toMatch(
      /enabled\s+HMAC\s+BOURSE\s+TRADE,WALLET,USER_DATA\s+any\s+\S+\s+never\s+\d{4}-/,
    )
    const trail = await admin('audit', '--kind', 'SetSymbolState')
    expect(trail).toMatch(
      /local:\S.*SetSymbolState\s+done\s+symbol=BTC\/USDT state=TRADING[\s\S]*state=HALTED/,
    )
    await admin('key', 'disable', key.apiKey)
    expect((await signed(baseUrl, key, 'POST', 'order', order)).status).toBe(401)
    expect(await node.end('SIGTERM')).toBe(0)
    expect(node.err).not.toContain(key.secret)

    const afterwards = run(['admin', '--data', data, 'asset', 'list'])
    expect(await afterwards.exited()).toBe(1)
    expect(afterwards.err).toContain('no node is running on')
  })

  test("an admin server that is another node's is recognized", async () => {
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
