/**
 * How a standby follows: with TLS and the secret, across its own kills, but not with a directory of another
 * exchange.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { FileWitness } from '../../src/storage/files/witness.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { openLink } from '../../src/transport/link/asking/link-client.ts'
import { seq } from '../../src/units/quantities.ts'
import { type BourseProcess, ROOT, readSandbox } from '../support/bourse-process.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { lagOf, metricsOf, Orders, Pair } from './support/pair.ts'

const TIMEOUT_MS = 300_000
const TLS = path.join(ROOT, 'test/support/tls')
const SECRET = 's'.repeat(40)

let pair: Pair
beforeEach(() => {
  pair = new Pair()
})
afterEach(() => pair.end())

/** Waits until the standby's metrics show `fact`. */
async function untilLag(standby: BourseProcess, fact: (lag: Awaited<ReturnType<typeof lagOf>>) => boolean) {
  const end = performance.now() + TIMEOUT_MS
  for (;;) {
    const lag = await lagOf(standby)
    if (fact(lag)) return lag
    if (performance.now() > end) throw new Error(`not in time: ${JSON.stringify(lag)} ${standby.err}`)
    await Bun.sleep(50)
  }
}

test(
  'a standby that is killed continues where it was, verifies the state with the node, and has the metrics that alarms use',
  async () => {
    const node = await pair.node()
    const baseUrl = await node.ready
    const orders = new Orders(pair.nodeData)
    for (let i = 0; i < 50; i++) await orders.place(baseUrl)
    let standby = await pair.standby()
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 50; i++) {
        await orders.place(baseUrl)
        if (i === 25) await standby.end('SIGKILL')
      }
      standby = await pair.standby('--follower-compare-every-ms', '100')
    }
    await orders.place(baseUrl)
    const lag = await untilLag(standby, ({ verifiedSeq, storedSeq }) => verifiedSeq >= storedSeq)
    expect(lag).toMatchObject({ behindCommands: 0 })
    // Each order is a command, in addition to those that set up the sandbox.
    expect(lag.storedSeq).toBeGreaterThan(orders.acknowledged.length)

    const { monitoringUrl } = JSON.parse(readFileSync(path.join(pair.nodeData, 'admin.json'), 'utf8')) as {
      readonly monitoringUrl: string
    }
    const shown = (await metricsOf(standby)) + (await (await fetch(`${monitoringUrl}/metrics`)).text())
    const alarms = readFileSync(path.join(ROOT, 'packaging/prometheus/standby-alerts.yml'), 'utf8')
    const looked = [...alarms.matchAll(/expr: (bourse_\w+)/g)].map(([, name]) => name)
    expect(looked.length).toBeGreaterThan(2)
    for (const name of looked) expect(shown).toMatch(new RegExp(`^${name} \\d`, 'm'))
    expect(shown).toMatch(/^bourse_standbys 1$/m)
    expect(await standby.end('SIGTERM')).toBe(0)
    const verify = pair.start('verify', '--data', pair.standbyData)
    expect([await verify.exited(), verify.err]).toEqual([0, ''])
  },
  TIMEOUT_MS,
)

test(
  'a standby is ready while it follows, and no longer once it has heard nothing of its node for longer than it may be behind',
  async () => {
    const node = await pair.node()
    await node.ready
    const standby = await pair.standby()
    const health = async (): Promise<[status: number, phase: string]> => {
      const url = /[hH]ealth and metrics at (\S+)$/m.exec(standby.out)?.[1]
      const answer = await fetch(`${url}/health/ready`)
      return [answer.status, ((await answer.json()) as { phase: string }).phase]
    }
    while ((await health())[0] !== 200) await Bun.sleep(50)
    node.child.kill('SIGSTOP')
    try {
      const { seconds } = await untilLag(standby, ({ seconds }) => seconds > 6)
      expect(seconds).toBeGreaterThan(5)
      expect(await health()).toEqual([503, 'READY'])
    } finally {
      node.child.kill('SIGCONT')
    }
    while ((await health())[0] !== 200) await Bun.sleep(50)
  },
  TIMEOUT_MS,
)

test(
  'over TLS a standby follows a node whose certificate and secret it knows, and no other peer is admitted or sends it orders',
  async () => {
    const port = freePort()
    const files = [
      '--tls-cert-file',
      path.join(TLS, 'first.pem'),
      '--tls-key-file',
      path.join(TLS, 'first.key.pem'),
    ]
    const listening = ['--replication-listen', `127.0.0.1:${port}`, ...pair.secret]
    await pair.start('sandbox', '--port', '0', '--data', pair.nodeData, ...listening, ...files).ready
    const from = `wss://127.0.0.1:${port}`
    const follow = (data: string, secretFile: string, ca: string): BourseProcess =>
      pair.start(
        ...['standby', '--from', from, '--data', path.join(pair.root, data)],
        ...['--replication-secret-file', secretFile, '--replication-ca-file', path.join(TLS, ca)],
      )
    const standby = follow('a', pair.secretFile, 'first.pem')
    await until('it follows', () => standby.out.includes('Bourse standby follows'), TIMEOUT_MS)

    const stranger = follow('b', pair.secretFile, 'second.pem')
    const wrong = path.join(pair.root, 'wrong')
    writeFileSync(wrong, 'w'.repeat(40), { mode: 0o600 })
    const guessing = follow('c', wrong, 'first.pem')
    await until('the certificate is refused', () => /cannot be followed/.test(stranger.err), TIMEOUT_MS)
    await until('the secret is refused', () => /shared secret/.test(guessing.err), TIMEOUT_MS)

    const open = path.join(pair.root, 'open')
    writeFileSync(open, SECRET, { mode: 0o644 })
    const careless = follow('d', open, 'first.pem')
    expect([await careless.exited(), careless.err]).toEqual([1, expect.stringContaining(open)])

    // A client with the secret is a standby, not a gateway.
    const address = {
      host: '127.0.0.1',
      port,
      tls: { ca: readFileSync(path.join(TLS, 'first.pem'), 'utf8') },
    }
    await expect(openLink({ address, secret: SECRET, name: 'gateway' })).rejects.toMatchObject({
      kind: 'FORBIDDEN',
    })
  },
  TIMEOUT_MS,
)

test(
  'a directory of another exchange, and one that is ahead of its node, are refused with both ends and left as they are',
  async () => {
    const node = await pair.node()
    const other = path.join(pair.root, 'other')
    const stranger = pair.start('sandbox', '--port', '0', '--data', other)
    await stranger.ready
    await stranger.end('SIGTERM')
    const strange = pair.start('standby', '--from', pair.socket, '--data', other, ...pair.secret)
    expect(await strange.exited()).toBe(1)
    expect(strange.err).toMatch(
      /belong to different exchanges: here ends with command \d+ .*; the node ends with command/,
    )
    await pair.start('sandbox', '--port', '0', '--data', other).ready

    await (await pair.standby()).end('SIGTERM')
    pair.carryMasterKey()
    const promoted = pair.promote('--yes-the-old-node-is-off', '--no-serve')
    expect([await promoted.exited(), promoted.err]).toEqual([1, expect.stringContaining('Stop it first')])
    expect(await node.end('SIGKILL')).not.toBe(0)
    const again = pair.promote('--yes-the-old-node-is-off', '--no-serve')
    expect([await again.exited(), again.err]).toEqual([0, ''])
    const once = pair.promote('--yes-the-old-node-is-off', '--no-serve')
    expect([await once.exited(), once.out]).toEqual([0, expect.stringContaining('was promoted before')])

    // A promoted standby does not follow the old node, which is notified by it that it was replaced.
    const old = await pair.node()
    const back = pair.startStandby()
    expect([await back.exited(), back.err]).toEqual([
      1,
      expect.stringMatching(/later epoch than the node.* in epoch 1.* in epoch 0/s),
    ])
    expect([await old.exited(), old.err]).toEqual([1, expect.stringContaining('another node has taken over')])
    expect(readSandbox(pair.nodeData).accounts.length).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

test(
  'an impossible setting is refused with its name',
  async () => {
    const cases: readonly (readonly [string[], string])[] = [
      [['standby', '--data', pair.standbyData], 'expected the address of the node: --from URL'],
      [
        ['standby', '--from', 'ws://one.example.com:1', '--data', pair.standbyData, ...pair.secret],
        'expected wss://host:port',
      ],
      [['standby', '--from', pair.socket, '--data', pair.standbyData], 'replication.secretFile'],
      [
        ['standby', '--from', pair.socket, '--data', pair.standbyData, ...pair.secret, '--init'],
        '--init is only for a node',
      ],
      [
        ['sandbox', '--data', pair.nodeData, '--replication-listen', '0.0.0.0:1', ...pair.secret],
        'be used with a certificate in tls.certFile',
      ],
      [['sandbox', '--data', pair.nodeData, '--replication-listen', '127.0.0.1:1'], 'replication.secretFile'],
      [['standby', 'promote', '--data', pair.standbyData, ...pair.secret], 'does not belong to a standby'],
    ]
    for (const [line, sentence] of cases) {
      const run = pair.start(...line)
      expect([line.slice(0, 4), (await run.exited()) > 0, run.err]).toEqual([
        line.slice(0, 4),
        true,
        expect.stringContaining(sentence),
      ])
    }
  },
  TIMEOUT_MS,
)

test(
  'a directory that lost its journal and remembers a later epoch is refused, and stops no node: it may be of another exchange',
  async () => {
    const node = await pair.node()
    await node.ready
    mkdirSync(pair.standbyData)
    const witness = new FileWitness(path.join(pair.standbyData, 'journal.witness'), sha256)
    witness.reset({ position: 50, epoch: 3, seq: seq(50), hash: new Uint8Array(32).fill(7) })
    witness.close()
    const standby = pair.startStandby()
    expect(await standby.exited()).toBe(1)
    expect(standby.err).toContain('has a later epoch than the node')
    expect(existsSync(path.join(pair.nodeData, 'superseded.json'))).toBe(false)
    expect(node.child.exitCode).toBe(null)
  },
  TIMEOUT_MS,
)
