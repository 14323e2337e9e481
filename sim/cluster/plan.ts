/** The faults of a run and their times: drawn from the seed, one after another, sometimes several at once. */
import type { Random } from '../world/random.ts'
import { FOREVER, type Lifetime, type Schedule } from '../world/schedule.ts'
import { type Database, SERVERS } from './database.ts'
import type { EngineHost } from './engine-host.ts'
import type { Gateway } from './gateway.ts'
import type { Network } from './network.ts'

/** Faults in which the database manager and its operators must prevent any loss. */
export const SAFE_FAULTS = [
  'kill engine',
  'kill leader',
  'stop leader',
  'pause leader',
  'pause engine',
  'kill gateway',
  'pause gateway',
  'cut engine and database',
  'cut leader and database',
  'cut engine and engine',
  'cut leader and everything',
  'cut gateway and engine',
  'cut primary and standby',
  'slow network',
  'frozen backend',
  'kill primary',
  'restart primary',
  'promote standby',
  'kill standby',
  'cancel wait',
  'empty standby names',
  'full disk',
] as const
/** Faults that lose acknowledged data. */
export const LOSING_FAULTS = ['promote lagging standby', 'restore from backup'] as const
export type Fault = (typeof SAFE_FAULTS)[number] | (typeof LOSING_FAULTS)[number]

export type PlanParts = {
  readonly schedule: Schedule
  readonly random: Random
  readonly network: Network
  readonly database: Database
  readonly engines: readonly EngineHost[]
  readonly gateways: readonly Gateway[]
  readonly faults: readonly Fault[]
  readonly everyMs: number
  readonly count: (cell: string) => void
  readonly say: (line: string) => void
}

/** How long a statement of a frozen server process waits. */
const FREEZE_MS = { least: 200, most: 4_000 }
const MANAGE_MS = 300

export class Plan {
  readonly #parts: PlanParts
  readonly #life: Lifetime = { isOver: false }
  /** Number of statements that are still to be frozen. */
  #freezes = 0
  #mends: (() => void)[] = []

  constructor(parts: PlanParts) {
    this.#parts = parts
  }

  /** How long the next statement that reaches a server freezes, in milliseconds. */
  freezeMs(): number {
    if (this.#freezes === 0 || !this.#parts.random.chance(0.3)) return 0
    this.#freezes--
    return this.#parts.random.between(FREEZE_MS.least, FREEZE_MS.most)
  }

  begin(): void {
    const { schedule, random, everyMs, database } = this.#parts
    const next = (): void => {
      schedule.after(random.between(1, 2 * everyMs), this.#life, () => {
        this.#strike()
        next()
      })
    }
    const manage = (): void => {
      schedule.after(MANAGE_MS, this.#life, () => {
        database.manage()
        manage()
      })
    }
    next()
    manage()
  }

  /** Ends the faults, and repairs broken parts. */
  end(): void {
    this.#life.isOver = true
    this.#freezes = 0
    for (const mend of this.#mends) mend()
    this.#mends = []
    const { network, database, engines, gateways } = this.#parts
    network.mendAll()
    database.mend()
    for (const { process } of [...engines, ...gateways]) if (process.isPaused) process.resume()
    for (const engine of engines) engine.restartHalted()
  }

  #strike(): void {
    const { random, faults, say, count } = this.#parts
    const fault = random.pick(faults)
    if (!this.#do(fault)) return
    say(`fault: ${fault}`)
    count(`fault ${fault}`)
  }

  #do(fault: Fault): boolean {
    const { random, engines, gateways, network, database } = this.#parts
    const leader = engines.find((engine) => engine.isLeading)
    const engine = fault.includes('leader') ? leader : random.pick(engines)
    const gateway = random.pick(gateways)
    if (engine === undefined) return false
    switch (fault) {
      case 'kill engine':
      case 'kill leader':
        engine.kill()
        return true
      case 'stop leader':
        engine.stop()
        return true
      case 'pause engine':
      case 'pause leader':
        return this.#pause(engine)
      case 'kill gateway':
        gateway.restart()
        return true
      case 'pause gateway':
        return this.#pause(gateway)
      case 'cut engine and database':
      case 'cut leader and database':
        return this.#cut(engine.name, SERVERS)
      case 'cut engine and engine':
        return this.#cut(engine.name, [random.pick(engines.filter((one) => one !== engine)).name])
      case 'cut leader and everything':
        return this.#cut(engine.name, [...SERVERS, ...[...engines, ...gateways].map(({ name }) => name)])
      case 'cut gateway and engine':
        return this.#cut(gateway.name, [engine.name])
      case 'cut primary and standby':
        return this.#cut(database.primary.name, [database.anyStandby().name])
      case 'slow network':
        network.isSlow = true
        this.#later(() => {
          network.isSlow = false
        })
        return true
      case 'frozen backend':
        this.#freezes = random.between(1, 4)
        return true
      default:
        return this.#strikeDatabase(fault)
    }
  }

  #strikeDatabase(
    fault: Exclude<
      Fault,
      | `${string}engine${string}`
      | `${string}leader${string}`
      | `${string}gateway`
      | 'slow network'
      | 'frozen backend'
    >,
  ): boolean {
    const { random, database } = this.#parts
    const { primary } = database
    switch (fault) {
      case 'kill primary':
        if (!primary.isUp) return false
        primary.stop()
        this.#later(() => {
          if (!database.promote(true) && database.primary === primary && !primary.isUp)
            primary.start('PRIMARY')
        })
        return true
      case 'restart primary':
        if (!primary.isUp) return false
        primary.start('PRIMARY')
        return true
      case 'promote standby':
        return database.promote(true)
      case 'promote lagging standby':
        return database.promote(false)
      case 'restore from backup':
        if (!primary.isUp) return false
        database.rollBack(random.between(1, 15))
        return true
      case 'kill standby': {
        const standby = database.anyStandby()
        if (!standby.isUp || standby.role !== 'STANDBY') return false
        standby.stop()
        this.#later(() => {
          if (!standby.isUp && database.primary !== standby) standby.start('STANDBY', database.primary)
        })
        return true
      }
      case 'cancel wait':
        primary.cancelsNext = true
        return true
      case 'empty standby names':
        primary.setWaiting({ standbys: [], confirmations: 0 })
        this.#later(() => primary.setWaiting(database.declared))
        return true
      case 'full disk':
        primary.isFull = true
        this.#later(() => {
          primary.isFull = false
        })
        return true
      case 'cut primary and standby':
        return false
    }
  }

  #pause({ process }: EngineHost | Gateway): boolean {
    if (!process.isAlive || process.isPaused) return false
    process.pause()
    this.#later(() => process.resume())
    return true
  }

  #cut(name: string, others: readonly string[]): boolean {
    const { network } = this.#parts
    for (const other of others) if (other !== name) network.cut(name, other)
    this.#later(() => {
      for (const other of others) network.mend(name, other)
    })
    return true
  }

  /** Repairs the fault after a while, or at the end. */
  #later(mend: () => void): void {
    const { schedule, random } = this.#parts
    let isDone = false
    const once = (): void => {
      if (isDone) return
      isDone = true
      mend()
    }
    this.#mends.push(once)
    schedule.after(random.chance(0.3) ? random.between(20, 300) : random.between(300, 4_000), FOREVER, once)
  }
}
