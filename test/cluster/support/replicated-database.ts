/**
 * A database of two or three servers with synchronous replication, and its manager: a lost primary is
 * replaced by the most advanced standby, after every standby has stopped following, so that nothing can be
 * confirmed in between.
 */
import { readFileSync } from 'node:fs'
import type { Durability } from '../../../src/storage/postgres/durability.ts'
import { eventually } from '../../postgres/support/eventually.ts'
import { ADMINISTRATOR, PostgresServer, type ServerPlace } from '../../postgres/support/server.ts'
import type { Network } from './network.ts'

const SETTINGS = {
  wal_keep_size: '512MB',
  // In tests, a lost connection is detected about as late as in production.
  wal_receiver_timeout: '4s',
  wal_sender_timeout: '4s',
  wal_retrieve_retry_interval: '200ms',
}

export class ReplicatedDatabase {
  readonly #network: Network
  readonly #places: readonly string[]
  readonly #serverByPlace = new Map<string, PostgresServer>()
  readonly #portByPlace = new Map<string, number>()
  #primary: string

  /** The first place is the primary's; all of them are machines of `network`. */
  static async begin(network: Network, places: readonly string[]): Promise<ReplicatedDatabase> {
    const database = new ReplicatedDatabase(network, places)
    for (const place of places) database.#portByPlace.set(place, await network.databasePort())
    const primary = await PostgresServer.startAt({
      settings: { ...SETTINGS, ...tlsOf(network) },
      place: database.#placeOf(database.#primary),
      prepare: (data) => prepare(network, data),
    })
    database.#serverByPlace.set(database.#primary, primary)
    for (const place of places.slice(1)) await database.#addStandby(place)
    await database.#awaitStandbys()
    await primary.set('synchronous_standby_names', database.#namesFor(database.#primary))
    await network.leadDatabase(database.#primary, primary.port)
    return database
  }

  private constructor(network: Network, places: readonly string[]) {
    this.#network = network
    this.#places = places
    this.#primary = places[0] as string
  }

  /** Durability as the cluster file declares it. */
  get durability(): Durability {
    return { kind: 'quorum', standbys: this.#places, confirmations: 1 }
  }

  get primaryPlace(): string {
    return this.#primary
  }

  get places(): readonly string[] {
    return this.#places
  }

  get primary(): PostgresServer {
    return this.server(this.#primary)
  }

  server(place: string): PostgresServer {
    const server = this.#serverByPlace.get(place)
    if (server === undefined) throw new Error(`no server runs at ${place}`)
    return server
  }

  /**
   * Makes another server the primary. The old one has exited, or is disconnected from all others: its data is
   * no longer used. Every standby must answer: one that does not answer might be the only one with a
   * confirmed commit.
   */
  async promote(): Promise<void> {
    const before = this.#primary
    const standbys = this.#places.filter((place) => place !== before)
    for (const place of standbys) await this.server(place).set('primary_conninfo', '')
    const written = await Promise.all(standbys.map((place) => this.#received(place)))
    const most = written.reduce((a, b) => (b > a ? b : a))
    const winner = standbys[written.indexOf(most)] as string
    const server = this.server(winner)
    await server.set('synchronous_standby_names', this.#namesFor(winner))
    await server.sql('SELECT pg_promote(true, 60)')
    this.#primary = winner
    for (const place of standbys.filter((one) => one !== winner)) {
      await this.server(place).set('primary_conninfo', await this.#follows(place))
    }
    await this.#network.leadDatabase(winner, server.port)
  }

  /** Restores a lost server with the data of the primary. */
  async replace(place: string): Promise<void> {
    await this.#serverByPlace.get(place)?.discard()
    this.#serverByPlace.delete(place)
    await this.#addStandby(place)
  }

  /** Resolves once every other server follows the primary. */
  async #awaitStandbys(): Promise<void> {
    const text = "SELECT application_name FROM pg_stat_replication WHERE state = 'streaming'"
    const all = this.#places.length - 1
    await eventually('all standbys follow', async () => (await this.primary.sql(text)).length >= all)
  }

  async #addStandby(place: string): Promise<void> {
    const standby = await this.primary.copyStandby({
      settings: { ...SETTINGS, ...tlsOf(this.#network), primary_conninfo: await this.#follows(place) },
      place: this.#placeOf(place),
      prepare: (data) => prepare(this.#network, data),
    })
    this.#serverByPlace.set(place, standby)
  }

  /** The replication state of `place`. */
  async #follows(place: string): Promise<string> {
    const { host, port } = await this.#network.way(place, this.#primary, this.primary.port)
    return `host=${host} port=${port} user=${ADMINISTRATOR} application_name=${place} connect_timeout=3`
  }

  /** The end of a standby's log, once it receives no more. */
  async #received(place: string): Promise<bigint> {
    const server = this.server(place)
    await eventually(
      `${place} follows nobody`,
      async () => (await server.sql('SELECT 1 FROM pg_stat_wal_receiver')).length === 0,
    )
    const text = `SELECT (greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn)::text AS bytes`
    return BigInt(String((await server.sql(text))[0]?.bytes))
  }

  #namesFor(primary: string): string {
    const others = this.#places.filter((place) => place !== primary)
    return `ANY 1 (${others.map((place) => `"${place}"`).join(', ')})`
  }

  #placeOf(place: string): ServerPlace {
    const port = this.#portByPlace.get(place) ?? 0
    const { listensOn } = this.#network
    return { host: this.#network.hostOf(place), listensOn, port, launcher: this.#network.launcher(place) }
  }
}

type Data = { readonly write: (name: string, text: string) => void }

/**
 * The clients that may connect, and the certificate if there is one: a server reads no certificate that
 * belongs to another user.
 */
function prepare({ tls }: Network, data: Data): void {
  data.write('pg_hba.conf', 'host all all 0.0.0.0/0 trust\nhost replication all 0.0.0.0/0 trust\n')
  if (tls === undefined) return
  data.write('server.crt', readFileSync(tls.certFile, 'utf8'))
  data.write('server.key', readFileSync(tls.keyFile, 'utf8'))
}

function tlsOf({ tls }: Network): Readonly<Record<string, string>> {
  return tls === undefined ? {} : { ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' }
}
