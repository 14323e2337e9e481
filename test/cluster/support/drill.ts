/** Faults of a cluster under load, one after another, and the state of the journal at the end. */
import type { PostgresServer } from '../../postgres/support/server.ts'
import { until } from '../../support/until.ts'
import { ClusterProcesses, type EngineName } from './cluster-processes.ts'
import { journalOutcome, newestState } from './journal-outcome.ts'
import { LoadClient } from './load-client.ts'

/** Longer than every leader timeout. */
const PAUSE_MS = 3_000
const ROLE_MS_MAX = 240_000

export const FAULTS = [
  'KILL',
  'PAUSE',
  'CUT_DATABASE',
  'STOP',
  'KILL_STANDBY',
  'LOSE_DISK',
  'KILL_ALL',
] as const
export type Fault = (typeof FAULTS)[number]

const other = (name: EngineName): EngineName => (name === 'one' ? 'two' : 'one')

export class Drill {
  readonly cluster: ClusterProcesses
  readonly #client: LoadClient

  /** Two engines, a market, and a client that trades. */
  static async begin(server: PostgresServer, silenceMs?: number): Promise<Drill> {
    const cluster = await ClusterProcesses.create(server, silenceMs === undefined ? {} : { silenceMs })
    try {
      await cluster.start('one')
      await cluster.start('two')
      await list(cluster)
      const client = new LoadClient(cluster.addresses)
      await client.untilAcknowledged()
      return new Drill(cluster, client)
    } catch (cause) {
      await cluster.discard()
      throw cause
    }
  }

  private constructor(cluster: ClusterProcesses, client: LoadClient) {
    this.cluster = cluster
    this.#client = client
  }

  get acknowledged(): number {
    return this.#client.acknowledged.length
  }

  /**
   * Resolves when both engines run again, one leads, and orders are acknowledged. Rejects with the engines'
   * output.
   */
  async inflict(fault: Fault): Promise<void> {
    try {
      await this.#inflict(fault)
    } catch (cause) {
      throw new Error(`after ${fault}: ${this.cluster.said}`, { cause })
    }
  }

  async #inflict(fault: Fault): Promise<void> {
    const leader = await this.#leader()
    const standby = other(leader)
    switch (fault) {
      case 'KILL':
        await this.cluster.end(leader, 'SIGKILL')
        await this.#client.untilAcknowledged()
        await this.cluster.start(leader)
        break
      case 'KILL_STANDBY':
        await this.cluster.end(standby, 'SIGKILL')
        await this.#client.untilAcknowledged()
        await this.cluster.start(standby)
        break
      case 'LOSE_DISK':
        await this.cluster.end(standby, 'SIGKILL')
        this.cluster.loseDisk(standby)
        await this.cluster.start(standby)
        await this.#client.untilAcknowledged()
        break
      case 'STOP': {
        const stopping = this.cluster.end(leader, 'SIGTERM')
        await this.#client.untilAcknowledged()
        const code = await stopping
        if (code !== 0) throw new Error(`the engine that was stopped ended with ${code}`)
        await this.cluster.start(leader)
        break
      }
      case 'PAUSE':
        await this.#pause(leader)
        break
      case 'CUT_DATABASE':
        await this.cluster.cutDatabase()
        await this.#client.untilAcknowledged()
        break
      case 'KILL_ALL':
        await Promise.all([this.cluster.end('one', 'SIGKILL'), this.cluster.end('two', 'SIGKILL')])
        await Promise.all([this.cluster.start('one'), this.cluster.start('two')])
        await this.#client.untilAcknowledged()
        break
    }
  }

  /** Stops everything; returns a list of all problems. */
  async findProblems(): Promise<readonly string[]> {
    await this.#client.stop()
    const codes = await this.cluster.stop()
    const states = await Promise.all(
      (['one', 'two'] as const).map((name) => newestState(this.cluster.dataOf(name))),
    )
    const seqs = states.map(({ seq }) => seq)
    const { acceptedById, off, stateHashBySeq } = await journalOutcome(await this.cluster.openTable(), seqs)
    const { acknowledged, refused, unknown } = this.#client
    const known = new Set([...acknowledged, ...refused, ...unknown])
    return [
      ...codes.filter((code) => code !== 0).map((code) => `a stop ended with ${code}`),
      ...acknowledged
        .filter((id) => acceptedById.get(id) !== 1)
        .map((id) => `${id} was acknowledged and is not there`),
      ...refused.filter((id) => acceptedById.has(id)).map((id) => `${id} was refused and is there`),
      ...[...acceptedById]
        .filter(([, count]) => count !== 1)
        .map(([id, count]) => `${id} is there ${count} times`),
      ...[...acceptedById.keys()]
        .filter((id) => !known.has(id))
        .map((id) => `${id} is there and was never sent`),
      ...off.map((asset) => `the books are off: ${asset}`),
      ...states
        .filter(({ seq, stateHash }) => stateHashBySeq.get(seq) !== stateHash)
        .map(({ seq }) => `an engine's state after command ${seq} is not the replayed one`),
    ]
  }

  async discard(): Promise<void> {
    await this.#client.stop()
    await this.cluster.discard()
  }

  async #pause(leader: EngineName): Promise<void> {
    const { child } = this.cluster.process(leader)
    child.kill('SIGSTOP')
    try {
      await until('the other one leads', () => this.cluster.role(other(leader)) === 'LEADING', ROLE_MS_MAX)
      await Bun.sleep(PAUSE_MS)
    } finally {
      child.kill('SIGCONT')
    }
    await until('the paused one follows', () => this.cluster.role(leader) === 'FOLLOWING', ROLE_MS_MAX)
    await this.#client.untilAcknowledged()
  }

  async #leader(): Promise<EngineName> {
    const leads = (name: EngineName): boolean => this.cluster.role(name) === 'LEADING'
    await until('one engine leads', () => leads('one') !== leads('two'), ROLE_MS_MAX)
    return leads('one') ? 'one' : 'two'
  }
}

/** Lists a market with two funded accounts, 3 and 4. */
export async function list(cluster: ClusterProcesses): Promise<void> {
  await cluster.admin('asset/add', { code: 'BTC', name: 'Bitcoin', fraction: 8 })
  await cluster.admin('asset/add', { code: 'USDT', name: 'Tether', fraction: 8 })
  const bounds = { openOrdersMax: 1_000_000, levelsMax: 10_000 }
  await cluster.admin('symbol/add', { symbol: 'BTC/USDT', baseFraction: 8, quoteFraction: 2, ...bounds })
  for (const name of ['alice', 'bob']) {
    await cluster.admin('account/add', { name })
    await cluster.admin('money/credit', { account: name, asset: 'USDT', amount: '1000000', reference: name })
  }
}
