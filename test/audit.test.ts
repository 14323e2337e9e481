/**
 * The auditor's commands from the outside, on a node that runs and trades while other processes back it up,
 * restore, verify and replay it.
 */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
  signed,
} from './support/bourse-process.ts'
import { PROGRAM } from './support/program.ts'

const TIMEOUT_MS = 300_000
/** Largest number of connections that may be cut while a node is healthy. */
const CUT_MAX = 24

const { path: root, remove } = dataDirectory()
const running: BourseProcess[] = []
const trading: { readonly acknowledged: () => number; readonly stop: () => Promise<void> }[] = []
afterEach(async () => {
  // When a test fails, its traders still send orders: they must stop before their node, or they would fail
  // the next test.
  await Promise.allSettled(trading.splice(0).map((each) => each.stop()))
  for (const each of running.splice(0)) await each.end('SIGKILL')
})
afterAll(remove)

const directory = (name: string): string => path.join(root, name)

async function bourse(...line: string[]): Promise<{ code: number; out: string; err: string }> {
  const run = new BourseProcess(line)
  // The process never reports that it is ready: it is done when it exits.
  const code = await run.exited()
  return { code, out: run.out, err: run.err }
}

/** Runs a command that must succeed; returns its JSON. */
async function json(
  ...line: string[]
): Promise<Record<string, unknown> & { stateHash: string; seq: number }> {
  const { code, out, err } = await bourse(...line, '--json')
  expect({ code, err, found: code === 0 ? '' : out }).toEqual({ code: 0, err: '', found: '' })
  return JSON.parse(out)
}

/**
 * Both traders place matching orders, without a pause, until `stop`; resolves with the number of acknowledged
 * ones.
 */
function load(baseUrl: string, accounts: readonly Credentials[]) {
  let isOn = true
  let acknowledged = 0
  let cutCount = 0
  const worker = async (credentials: Credentials, side: string): Promise<void> => {
    while (isOn) {
      const fields = { symbol: 'BTC/USDT', side, type: 'LIMIT', quantity: '0.00012345', price: '50000.01' }
      try {
        const answer = await signed(baseUrl, credentials, 'POST', 'order', fields)
        if (((await answer.json()) as { status: boolean }).status) acknowledged++
      } catch (cause) {
        // A busy machine may lose a connection; its trader places the next order.
        if (++cutCount > CUT_MAX) throw cause
      }
    }
  }
  const [alice, bob] = accounts as [Credentials, Credentials]
  const ended = Promise.all([...Array(6)].flatMap(() => [worker(alice, 'SELL'), worker(bob, 'BUY')]))
  // A failure is thrown by `stop`.
  ended.catch(() => {})
  const started = {
    acknowledged: () => acknowledged,
    stop: async () => {
      isOn = false
      await ended
    },
  }
  trading.push(started)
  return started
}

test(
  'a node under load is backed up, verified and replayed while it keeps running; the backup restores to the state at its command',
  async () => {
    const data = directory('data')
    const node = await sandbox(data, '--limits', 'off')
    running.push(node)
    const { baseUrl, accounts } = readSandbox(data)
    const traders = load(baseUrl, accounts)
    while (traders.acknowledged() < 500) await Bun.sleep(1)

    const atStart = traders.acknowledged()
    const backup = await json('backup', '--data', data, '--to', directory('backup'), '--include-master-key')
    const duringBackup = traders.acknowledged() - atStart
    const verified = await json('verify', '--data', data)
    const state = await json('replay', '--data', data, '--until', String(backup.seq))
    const first = await bourse('journal', '--data', data, '--json', '--kind', 'PlaceOrder', '--to', '30')
    await traders.stop()

    expect(duringBackup).toBeGreaterThan(0)
    expect(backup.seq).toBeGreaterThan(500)
    expect(verified).toMatchObject({ sound: true, running: true })
    expect(verified.seq).toBeGreaterThan(backup.seq)
    expect(state.stateHash).toBe(backup.stateHash)
    expect(first.out.split('\n')[0]).toContain('"kind":"PlaceOrder"')
    expect(await node.end('SIGTERM')).toBe(0)
    expect(node.err).toBe('')

    const stopped = await json('verify', '--data', data)
    expect(stopped).toMatchObject({ sound: true, running: false })
    expect((await json('replay', '--data', data, '--until', String(backup.seq))).stateHash).toBe(
      backup.stateHash,
    )

    const restored = directory('restored')
    expect((await json('restore', '--from', directory('backup'), '--data', restored)).stateHash).toBe(
      backup.stateHash,
    )
    cpSync(path.join(data, 'sandbox.json'), path.join(restored, 'sandbox.json'))
    const again = await sandbox(restored)
    running.push(again)
    const alice = readSandbox(restored).accounts[0] as Credentials
    const trades = await signed(readSandbox(restored).baseUrl, alice, 'GET', 'order/active')
    expect(trades.status).toBe(200)
    expect((await json('verify', '--data', restored)).sound).toBe(true)
    expect(await again.end('SIGTERM')).toBe(0)
    expect(again.err).toBe('')
  },
  TIMEOUT_MS,
)

test(
  'a node that was killed leaves a directory that can be verified and backed up as it is',
  async () => {
    const data = directory('killed')
    const node = await sandbox(data, '--limits', 'off')
    const { baseUrl, accounts } = readSandbox(data)
    const traders = load(baseUrl, accounts)
    while (traders.acknowledged() < 100) await Bun.sleep(1)
    await Promise.all([node.end('SIGKILL'), traders.stop().catch(() => {})])
    const before = readFileSync(path.join(data, 'journal.sqlite-wal'))
    const verified = await json('verify', '--data', data)
    expect(verified).toMatchObject({ sound: true, running: false })
    expect(verified.seq).toBeGreaterThan(100)
    const backup = await json('backup', '--data', data, '--to', directory('killed-backup'))
    expect(backup).toMatchObject({ seq: verified.seq, stateHash: verified.stateHash })
    expect(readFileSync(path.join(data, 'journal.sqlite-wal')).equals(before)).toBe(true)
    const rebuilt = await bourse('rebuild', '--data', data)
    expect(rebuilt.code).toBe(0)
  },
  TIMEOUT_MS,
)

test(
  'a long answer reaches a pipe completely, and a reader that stops early ends the command without an error',
  async () => {
    const data = directory('data')
    const whole = await bourse('journal', '--data', data, '--events')
    expect(whole.code).toBe(0)
    expect(whole.out.length).toBeGreaterThan(200_000)
    const last = whole.out
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith(' '))
      .at(-1) as string
    const { seq } = await json('verify', '--data', data)
    expect(last).toStartWith(`${seq}  `)
    const head = Bun.spawnSync([
      'sh',
      '-c',
      'data="$0"; "$@" journal --data "$data" --events | head -1',
      data,
      ...PROGRAM,
    ])
    expect(head.stdout.toString()).toStartWith('1  ')
    expect(head.stderr.toString()).toBe('')
  },
  TIMEOUT_MS,
)

test(
  'rebuild and a directory of another program say what to do, with exit code 2',
  async () => {
    const data = directory('busy')
    const node = await sandbox(data)
    running.push(node)
    const rebuild = await bourse('rebuild', '--data', data)
    expect([rebuild.code, rebuild.out]).toEqual([2, ''])
    expect(rebuild.err).toContain('a node runs on')
    expect(await bourse('restore', '--from', data, '--data', directory('nothing'))).toMatchObject({ code: 2 })
    const help = await bourse('backup', '--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toContain('--include-master-key')
    const mistyped = await bourse('verfy')
    expect(mistyped.code).toBe(2)
    expect(mistyped.err).toContain('did you mean verify?')
  },
  TIMEOUT_MS,
)
