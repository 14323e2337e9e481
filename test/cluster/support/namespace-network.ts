/**
 * A network of machines that are kernel namespaces, connected by a bridge: packets between disconnected
 * machines go to an unused hardware address, so that they vanish without an error. Needs root and iproute2.
 * The test itself is on the bridge.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DATABASE_PLACE, type Network, type NetworkTls, type Way } from './network.ts'

/** A locally administered address of no interface. */
const NOBODY = '02:00:00:00:00:99'
const DATABASE_NUMBER = 200
const DEVICE = 'eth0'
/** Each machine has all ports to itself. */
const FIRST_PORT = 7_700
const DATABASE_PORT = 5_432

type Machine = { readonly namespace: string; readonly address: string }

export class NamespaceNetwork implements Network {
  readonly kind = 'NAMESPACES'
  readonly tls: NetworkTls
  readonly listensOn = '0.0.0.0'
  readonly canSlow = false
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'bourse-network-'))
  readonly #prefix: string
  readonly #subnet: string
  readonly #machines = new Map<string, Machine>()
  readonly #cuts = new Set<string>()
  #database: string | undefined
  #nextPort = FIRST_PORT

  /** Why namespaces are not available here; undefined if they are. */
  static lacking(): string | undefined {
    if (process.platform !== 'linux') return 'this is not Linux'
    if (process.getuid?.() !== 0) return 'not run as root'
    const name = `bourse-probe-${process.pid}`
    const made = Bun.spawnSync(['ip', 'netns', 'add', name])
    if (made.exitCode !== 0) return `ip netns add: ${made.stderr.toString().trim()}`
    Bun.spawnSync(['ip', 'netns', 'del', name])
    return Bun.which('openssl') === null ? 'no openssl in PATH, which makes the certificate' : undefined
  }

  constructor(places: readonly string[]) {
    this.#prefix = `bs${process.pid}`
    this.#subnet = `10.${200 + (process.pid % 50)}.${process.pid % 250}`
    ip('link', 'add', this.#prefix, 'type', 'bridge')
    ip('addr', 'add', `${this.#subnet}.1/24`, 'dev', this.#prefix)
    ip('link', 'set', this.#prefix, 'up')
    const hosts = ['127.0.0.1 localhost', `${this.#subnet}.${DATABASE_NUMBER} ${nameOf(DATABASE_PLACE)}`]
    for (const [index, place] of places.entries()) hosts.push(`${this.#subnet}.${index + 2} ${nameOf(place)}`)
    for (const [index, place] of places.entries()) this.#add(place, index, `${hosts.join('\n')}\n`)
    this.tls = this.#certificate([...places, DATABASE_PLACE])
  }

  launcher(place: string): readonly string[] {
    return ['ip', 'netns', 'exec', this.#machine(place).namespace]
  }

  hostOf(place: string): string {
    return this.#machine(place).address
  }

  async freePort(): Promise<number> {
    return this.#nextPort++
  }

  async databasePort(): Promise<number> {
    return DATABASE_PORT
  }

  async way(_from: string, to: string, port: number): Promise<Way> {
    return { host: nameOf(to), port }
  }

  async databaseWay(): Promise<Way> {
    return { host: nameOf(DATABASE_PLACE), port: DATABASE_PORT }
  }

  async leadDatabase(place: string): Promise<void> {
    const address = `${this.#subnet}.${DATABASE_NUMBER}`
    const before = this.#database
    if (before !== undefined) this.#inside(before, 'addr', 'del', `${address}/24`, 'dev', DEVICE)
    this.#inside(place, 'addr', 'add', `${address}/24`, 'dev', DEVICE)
    this.#database = place
    for (const other of this.#machines.keys()) {
      if (other === place) continue
      // A machine that is disconnected from the new machine is disconnected from the address as well.
      if (this.#cuts.has(`${other}>${place}`)) this.#lose(other, address)
      else this.#find(other, address)
    }
  }

  cut(from: string, to: string): void {
    this.#cuts.add(`${from}>${to}`)
    this.#lose(from, this.#machine(to).address)
    if (to === this.#database) this.#lose(from, `${this.#subnet}.${DATABASE_NUMBER}`)
  }

  slow(): void {
    throw new Error('a way between namespaces cannot be made slow here')
  }

  heal(): void {
    for (const cut of this.#cuts) {
      const [from, to] = cut.split('>') as [string, string]
      this.#find(from, this.#machine(to).address)
      this.#find(from, `${this.#subnet}.${DATABASE_NUMBER}`)
    }
    this.#cuts.clear()
  }

  async discard(): Promise<void> {
    for (const { namespace } of this.#machines.values()) {
      Bun.spawnSync(['ip', 'netns', 'del', namespace])
      rmSync(path.join('/etc/netns', namespace), { recursive: true, force: true })
    }
    Bun.spawnSync(['ip', 'link', 'del', this.#prefix])
    rmSync(this.#directory, { recursive: true, force: true })
  }

  #add(place: string, index: number, hosts: string): void {
    const namespace = `${this.#prefix}-${place}`
    const address = `${this.#subnet}.${index + 2}`
    const own = path.join('/etc/netns', namespace)
    mkdirSync(own, { recursive: true })
    writeFileSync(path.join(own, 'hosts'), hosts)
    ip('netns', 'add', namespace)
    this.#machines.set(place, { namespace, address })
    const link = `${this.#prefix}x${index}`
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', DEVICE, 'netns', namespace)
    ip('link', 'set', link, 'master', this.#prefix, 'up')
    this.#inside(place, 'addr', 'add', `${address}/24`, 'dev', DEVICE)
    for (const device of ['lo', DEVICE]) this.#inside(place, 'link', 'set', device, 'up')
  }

  #certificate(places: readonly string[]): NetworkTls {
    const certFile = path.join(this.#directory, 'machines.pem')
    const keyFile = path.join(this.#directory, 'machines.key.pem')
    const names = places.map((place) => `DNS:${nameOf(place)}`).join(',')
    const made = Bun.spawnSync([
      ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-days', '30', '-subj', '/CN=machines', '-addext', `subjectAltName=${names}`],
      ...['-keyout', keyFile, '-out', certFile],
    ])
    if (made.exitCode !== 0) throw new Error(made.stderr.toString())
    return { certFile, keyFile }
  }

  #lose(from: string, address: string): void {
    this.#inside(from, 'neigh', 'replace', address, 'lladdr', NOBODY, 'nud', 'permanent', 'dev', DEVICE)
  }

  #find(from: string, address: string): void {
    const { namespace } = this.#machine(from)
    // The entry might not exist.
    Bun.spawnSync(['ip', '-n', namespace, 'neigh', 'del', address, 'dev', DEVICE])
  }

  #inside(place: string, ...words: string[]): void {
    ip('-n', this.#machine(place).namespace, ...words)
  }

  #machine(place: string): Machine {
    const machine = this.#machines.get(place)
    if (machine === undefined) throw new Error(`there is no machine ${place}`)
    return machine
  }
}

function nameOf(place: string): string {
  return `${place}.bourse.test`
}

function ip(...words: string[]): void {
  const done = Bun.spawnSync(['ip', ...words])
  if (done.exitCode !== 0) throw new Error(`ip ${words.join(' ')}: ${done.stderr.toString()}`)
}
