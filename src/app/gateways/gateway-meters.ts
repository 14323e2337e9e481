/** Counters of gateways in processes of their own, and their shared counts. */

import { REASON_NAMES, type Reason } from '../../contract/reasons/catalogue.ts'
import { Histogram } from '../../engine/writer/histogram.ts'
import { LAG_BOUNDS, type LoopMeter } from '../../engine/writer/meters.ts'
import type { DescriptorUse } from '../../server/monitoring/descriptor-metrics.ts'
import type { GatewaysReading, StreamUse } from '../../server/monitoring/metrics.ts'
import { SECONDS_BOUNDS, type Traffic, type TrafficReading } from '../../server/monitoring/traffic.ts'
import { countsOfCuts } from '../../server/stream/intake/intake.ts'
import { cpuSeconds, memory } from '../process/process-use.ts'
import type { GatewayMeters } from './count-messages.ts'

export type MeterSources = {
  readonly traffic: Traffic
  /** Undefined if it does not serve yet. */
  readonly stream: () => StreamUse | undefined
  readonly loop: LoopMeter
  readonly descriptors: () => DescriptorUse | undefined
}

/** Counters of this process. */
export function readMeters({ traffic, stream, loop, descriptors }: MeterSources): GatewayMeters {
  const { requests, underWay, refusals } = traffic
  const use = stream()
  return {
    requests,
    underWay,
    refusals: [...refusals].filter(([, count]) => count > 0),
    secondsByEndpoint: [...traffic.seconds()].map(([endpoint, { state }]) => [endpoint, state]),
    stream: {
      connections: use?.connections ?? 0,
      rooms: use?.rooms ?? 0,
      fallenBehind: use?.fallenBehind ?? 0,
      closedBehind: use?.closedBehind ?? 0,
      cutsByCause: { ...use?.cutsByCause },
      pendingBytes: use?.pendingBytes() ?? 0,
    },
    cpuSeconds: cpuSeconds(),
    residentBytes: memory().residentBytes,
    loopLag: loop.lagSeconds.state,
    descriptors: descriptors(),
  }
}

/**
 * The sums of all gateways, in the form of a node's metrics: counters continue after the end of a gateway.
 */
export class GatewaysMeter implements TrafficReading, StreamUse, GatewaysReading {
  readonly #metersByGateway = new Map<string, GatewayMeters>()
  /** The final counters of gateways that have ended. */
  readonly #past = new Totals()

  readonly #serving = new Set<string>()
  /** Number of gateways that ended without being stopped. */
  ended = 0

  get serving(): number {
    return this.#serving.size
  }

  /** Called when the gateway begins to serve clients. */
  serves(gateway: string): void {
    this.#serving.add(gateway)
  }

  take(gateway: string, meters: GatewayMeters): void {
    this.#metersByGateway.set(gateway, meters)
  }

  /** Called when the gateway has ended: its successor's counters start at zero. */
  gone(gateway: string): void {
    this.#serving.delete(gateway)
    const last = this.#metersByGateway.get(gateway)
    if (last === undefined) return
    this.#metersByGateway.delete(gateway)
    this.#past.add(last)
  }

  get descriptors(): Iterable<readonly [string, DescriptorUse]> {
    return [...this.#metersByGateway].flatMap(([gateway, { descriptors }]) =>
      descriptors === undefined ? [] : [[gateway, descriptors] as const],
    )
  }

  get cpuSeconds(): Iterable<readonly [string, number]> {
    return [...this.#metersByGateway].map(([gateway, { cpuSeconds }]) => [gateway, cpuSeconds])
  }

  get residentBytes(): Iterable<readonly [string, number]> {
    return [...this.#metersByGateway].map(([gateway, { residentBytes }]) => [gateway, residentBytes])
  }

  get loopLag(): Iterable<readonly [string, Histogram]> {
    return [...this.#metersByGateway].map(([gateway, { loopLag }]) => {
      const histogram = new Histogram(LAG_BOUNDS)
      histogram.addState(loopLag)
      return [gateway, histogram]
    })
  }

  get requests(): number {
    return this.#totals().requests
  }

  get underWay(): number {
    return this.#now(({ underWay }) => underWay)
  }

  get refusals(): ReadonlyMap<Reason, number> {
    return this.#totals().refusals
  }

  seconds(): Iterable<readonly [string, Histogram]> {
    return this.#totals().secondsByEndpoint
  }

  get connections(): number {
    return this.#now(({ stream }) => stream.connections)
  }

  /** Number of symbols with listeners; a symbol with listeners at two gateways counts twice. */
  get rooms(): number {
    return this.#now(({ stream }) => stream.rooms)
  }

  get fallenBehind(): number {
    return this.#totals().fallenBehind
  }

  get closedBehind(): number {
    return this.#totals().closedBehind
  }

  get cutsByCause(): Readonly<Record<string, number>> {
    return this.#totals().cutsByCause
  }

  pendingBytes(): number {
    return this.#now(({ stream }) => stream.pendingBytes)
  }

  #now(read: (meters: GatewayMeters) => number): number {
    let sum = 0
    for (const meters of this.#metersByGateway.values()) sum += read(meters)
    return sum
  }

  #totals(): Totals {
    const totals = this.#past.copy()
    for (const meters of this.#metersByGateway.values()) totals.add(meters)
    return totals
  }
}

/** Numbers that only grow. */
class Totals {
  requests = 0
  fallenBehind = 0
  closedBehind = 0
  readonly refusals = new Map<Reason, number>(REASON_NAMES.map((reason) => [reason, 0]))
  readonly secondsByEndpoint = new Map<string, Histogram>()
  readonly cutsByCause: Record<string, number> = countsOfCuts()

  add({ requests, refusals, secondsByEndpoint, stream }: GatewayMeters): void {
    this.requests += requests
    this.fallenBehind += stream.fallenBehind
    this.closedBehind += stream.closedBehind
    for (const [name, count] of refusals) {
      const reason = name as Reason
      this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + count)
    }
    for (const [endpoint, state] of secondsByEndpoint) this.#seconds(endpoint).addState(state)
    for (const [cause, count] of Object.entries(stream.cutsByCause))
      this.cutsByCause[cause] = (this.cutsByCause[cause] ?? 0) + count
  }

  copy(): Totals {
    const copy = new Totals()
    copy.requests = this.requests
    copy.fallenBehind = this.fallenBehind
    copy.closedBehind = this.closedBehind
    for (const [reason, count] of this.refusals) copy.refusals.set(reason, count)
    for (const [endpoint, { state }] of this.secondsByEndpoint) copy.#seconds(endpoint).addState(state)
    Object.assign(copy.cutsByCause, this.cutsByCause)
    return copy
  }

  #seconds(endpoint: string): Histogram {
    const known = this.secondsByEndpoint.get(endpoint)
    if (known !== undefined) return known
    const made = new Histogram(SECONDS_BOUNDS)
    this.secondsByEndpoint.set(endpoint, made)
    return made
  }
}
