/** A node and its standby, as processes of one machine. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BourseProcess, type Credentials, readSandbox, signed } from '../../support/bourse-process.ts'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'

const START_MS_MAX = 240_000

export type Lag = {
  readonly seconds: number
  readonly behindCommands: number
  readonly storedSeq: number
  readonly verifiedSeq: number
}

export class Pair {
  readonly root = mkdtempSync(path.join(tmpdir(), 'bourse-pair-'))
  readonly nodeData = path.join(this.root, 'node')
  readonly standbyData = path.join(this.root, 'standby')
  readonly socket = path.join(this.root, 'replication.sock')
  readonly secretFile = path.join(this.root, 'secret')
  readonly #processes: BourseProcess[] = []

  constructor() {
    writeFileSync(this.secretFile, `${'s'.repeat(40)}\n`, { mode: 0o600 })
  }

  get secret(): readonly string[] {
    return ['--replication-secret-file', this.secretFile]
  }

  /** Starts a sandbox that serves its journal to standbys, without waiting until it is ready. */
  startNode(...options: readonly string[]): BourseProcess {
    const listening = ['--replication-listen', this.socket, ...this.secret]
    return this.start(
      'sandbox',
      // The standby serves at the same address after a promotion.
      ...['--port', `${freePort()}`, '--limits', 'off', '--data', this.nodeData],
      ...listening,
      ...options,
    )
  }

  async node(...options: readonly string[]): Promise<BourseProcess> {
    const node = this.startNode(...options)
    await node.ready
    return node
  }

  /** Starts a standby of the node; resolves once it follows. */
  async standby(...options: readonly string[]): Promise<BourseProcess> {
    const standby = this.startStandby(...options)
    await until(
      'the standby follows',
      () => /^Bourse standby follows/m.test(standby.out) || standby.child.exitCode !== null,
      START_MS_MAX,
    )
    if (standby.child.exitCode !== null) throw new Error(`${standby.out}${standby.err}`)
    return standby
  }

  startStandby(...options: readonly string[]): BourseProcess {
    const [from, data] = [this.socket, this.standbyData]
    return this.start('standby', '--from', from, '--data', data, ...this.secret, ...options)
  }

  /** Copies the master key, which is in no journal. */
  carryMasterKey(): void {
    cpSync(path.join(this.nodeData, 'master.key'), path.join(this.standbyData, 'master.key'))
  }

  promote(...options: readonly string[]): BourseProcess {
    const serving = ['--port', '0', '--limits', 'off', ...this.secret]
    return this.start('standby', 'promote', '--data', this.standbyData, ...serving, ...options)
  }

  start(...line: readonly string[]): BourseProcess {
    const started = new BourseProcess(line)
    this.#processes.push(started)
    return started
  }

  async end(): Promise<void> {
    for (const each of this.#processes) await each.end('SIGKILL')
    rmSync(this.root, { recursive: true, force: true })
  }
}

/** The lag of a standby, from its metrics. */
export async function lagOf(standby: BourseProcess): Promise<Lag> {
  const text = await metricsOf(standby)
  const value = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    seconds: value('bourse_standby_lag_seconds'),
    behindCommands: value('bourse_standby_behind_commands'),
    storedSeq: value('bourse_standby_stored_seq'),
    verifiedSeq: value('bourse_standby_verified_seq'),
  }
}

/** One account's orders, placed under ids of its own; all of them rest. */
export class Orders {
  /** Acknowledged ids, in the order of the answers. */
  readonly acknowledged: string[] = []
  /** The client order ids, by the ids in the answers. */
  readonly clientIdById = new Map<string, string>()
  readonly #account: Credentials
  #sent = 0

  constructor(data: string) {
    const [account] = readSandbox(data).accounts
    if (account === undefined) throw new Error('expected an account of the sandbox')
    this.#account = account
  }

  /** Returns false if no answer arrived. */
  async place(baseUrl: string): Promise<boolean> {
    const newClientOrderId = `order-${this.#sent++}`
    const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.0001', price: '100' }
    const answer = await signed(baseUrl, this.#account, 'POST', 'order', {
      ...order,
      newClientOrderId,
    }).catch(() => undefined)
    const body = await answer?.text().catch(() => undefined)
    if (answer === undefined || body === undefined) return false
    if (answer.status !== 200) throw new Error(`expected an order, found ${answer.status} ${body}`)
    const { data } = JSON.parse(body) as { readonly data: { readonly id: string } }
    this.acknowledged.push(data.id)
    this.clientIdById.set(data.id, newClientOrderId)
    return true
  }

  /** The reason for which a cancel of an order is refused. */
  async reasonOfCancel(baseUrl: string, id: string): Promise<string | undefined> {
    const answer = await signed(baseUrl, this.#account, 'DELETE', 'order', { id })
    return ((await answer.json()) as { readonly reason?: string }).reason
  }

  /** The ids of the orders that are open. */
  async open(baseUrl: string): Promise<Set<string>> {
    const answer = await signed(baseUrl, this.#account, 'GET', 'order/active')
    const orders = (await answer.json()) as { readonly id: string }[]
    return new Set(orders.map(({ id }) => id))
  }
}

/** All metrics of a standby, or of a node with `--monitoring-port`. */
export async function metricsOf(running: BourseProcess): Promise<string> {
  const url = /[hH]ealth and metrics at (\S+)$/m.exec(running.out)?.[1]
  return (await fetch(`${url}/metrics`)).text()
}
