/** A network of TCP proxies on one machine: a proxy for each pair of machines that communicate. */
import { freePort } from '../../support/free-port.ts'
import { DATABASE_PLACE, type Network, type Way } from './network.ts'
import { TcpProxy, type Treatment } from './tcp-proxy.ts'

const HERE = '127.0.0.1'

export class ProxyNetwork implements Network {
  readonly kind = 'PROXIES'
  readonly tls = undefined
  readonly listensOn = HERE
  readonly canSlow = true
  readonly #proxyByWay = new Map<string, TcpProxy>()
  /** By `from` and `to`, per direction. */
  readonly #treatments = new Map<string, Treatment>()
  readonly #databaseProxies = new Map<string, TcpProxy>()
  #database: { readonly place: string; readonly port: number } | undefined

  launcher(): readonly string[] {
    return []
  }

  hostOf(): string {
    return HERE
  }

  async freePort(): Promise<number> {
    return freePort()
  }

  async databasePort(): Promise<number> {
    return freePort()
  }

  async way(from: string, to: string, port: number): Promise<Way> {
    const name = `${from}>${to}:${port}`
    const known = this.#proxyByWay.get(name)
    if (known !== undefined) return { host: HERE, port: known.port }
    const there = this.#treatment(from, to)
    const proxy = await TcpProxy.open({
      ...{ there, back: this.#treatment(to, from) },
      target: () => ({ host: HERE, port }),
    })
    this.#proxyByWay.set(name, proxy)
    return { host: HERE, port: proxy.port }
  }

  async databaseWay(from: string): Promise<Way> {
    const known = this.#databaseProxies.get(from)
    if (known !== undefined) return { host: HERE, port: known.port }
    const proxy = await TcpProxy.open({
      there: this.#treatment(from, DATABASE_PLACE),
      back: this.#treatment(DATABASE_PLACE, from),
      target: () => ({ host: HERE, port: this.#database?.port ?? 0 }),
    })
    this.#databaseProxies.set(from, proxy)
    return { host: HERE, port: proxy.port }
  }

  async leadDatabase(place: string, port: number): Promise<void> {
    const before = this.#database
    this.#database = { place, port }
    // A machine that is disconnected from the old primary is not disconnected from another one.
    for (const [from, proxy] of this.#databaseProxies) {
      this.#treatment(from, DATABASE_PLACE).isCut = false
      this.#treatment(DATABASE_PLACE, from).isCut = false
      if (before !== undefined) proxy.reset()
      proxy.changed()
    }
  }

  cut(from: string, to: string): void {
    this.#treatment(from, to).isCut = true
    const database = this.#database?.place
    if (to === database) this.#treatment(from, DATABASE_PLACE).isCut = true
    if (from === database) this.#treatment(DATABASE_PLACE, to).isCut = true
  }

  slow(one: string, other: string, delayMs: number): void {
    const database = this.#database?.place
    const named = (place: string): readonly string[] =>
      place === database ? [place, DATABASE_PLACE] : [place]
    for (const from of named(one)) {
      for (const to of named(other)) {
        this.#treatment(from, to).delayMs = delayMs
        this.#treatment(to, from).delayMs = delayMs
      }
    }
  }

  heal(): void {
    for (const treatment of this.#treatments.values()) Object.assign(treatment, { isCut: false, delayMs: 0 })
    for (const proxy of this.#all()) proxy.changed()
  }

  async discard(): Promise<void> {
    for (const proxy of this.#all()) proxy.close()
  }

  #all(): readonly TcpProxy[] {
    return [...this.#proxyByWay.values(), ...this.#databaseProxies.values()]
  }

  #treatment(from: string, to: string): Treatment {
    const name = `${from}>${to}`
    const treatment = this.#treatments.get(name) ?? { isCut: false, delayMs: 0 }
    this.#treatments.set(name, treatment)
    return treatment
  }
}
