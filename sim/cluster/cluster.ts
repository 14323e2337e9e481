/**
 * One run of the cluster, determined by its seed: engines, gateways and a database under faults, then a calm
 * phase. One of the remaining engines must lead, every client must get its answers, and the journal must
 * agree with the answers.
 */
import type { JournalPosition } from '../../src/engine/port/journal.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { NEWEST_RULES } from '../../test/oracle/administered.ts'
import { setupCommands } from '../clients/setup.ts'
import { Coverage } from '../coverage.ts'
import { Random } from '../world/random.ts'
import { Schedule } from '../world/schedule.ts'
import { Trace, ViolationError } from '../world/trace.ts'
import { ALL_GUARDS, type Guards } from './canary.ts'
import { Checker, hasPlace } from './checker.ts'
import { Client } from './client.ts'
import { Database } from './database.ts'
import { EngineHost } from './engine-host.ts'
import { checkJournal } from './final-check.ts'
import { Gateway } from './gateway.ts'
import { Network } from './network.ts'
import { Plan } from './plan.ts'
import { drawShape, type Shape, type Theme } from './shape.ts'

export type ClusterRun = {
  readonly seed: number
  readonly guards?: Guards
  /** The theme of the faults, in place of a drawn one. */
  readonly theme?: Theme | undefined
  readonly traceLines?: number
}

export type ClusterResult = {
  readonly seed: number
  readonly violation: Error | undefined
  readonly trace: readonly string[]
  readonly digest: string
  readonly steps: number
  readonly simulatedMs: number
  readonly coverage: Coverage
}

const TRACE_LINES = 80
const CLIENTS = 4
/** The first account of a trader. */
const FIRST_TRADER = 5
/** Longest time until everything is in order after the faults stop. */
const CALM_MS_MAX = 60_000
/** Longer than any statement that was frozen when the faults stopped. */
const SETTLED_MS = 6_000
/** Long enough for every process to receive the positions that the others remember. */
const HALTED_MS = 6_000
/** Both times are longer than the leader timeout. */
const FIRST_CALM_MS = 2_000
const LAST_CALM_MS = 4_000
const STEPS_MAX = 2_000_000

export function runCluster(options: ClusterRun): ClusterResult {
  const restore = (options.guards ?? ALL_GUARDS).change()
  try {
    return new ClusterSimulation(options).run()
  } finally {
    restore()
  }
}

class ClusterSimulation {
  readonly #options: ClusterRun
  readonly #random: Random
  readonly #shape: Shape
  readonly #schedule: Schedule
  readonly #trace: Trace
  readonly #coverage = new Coverage()
  readonly #network: Network
  readonly #database: Database
  readonly #checker: Checker
  readonly #plan: Plan
  readonly #engines: EngineHost[] = []
  readonly #gateways: Gateway[] = []
  readonly #clients: Client[] = []
  readonly #operator: Client

  constructor(options: ClusterRun) {
    const { seed, guards = ALL_GUARDS, traceLines = TRACE_LINES } = options
    this.#options = options
    this.#random = new Random(seed, 'script')
    this.#schedule = new Schedule(new Random(seed, 'schedule'))
    this.#trace = new Trace(traceLines, () => `${this.#schedule.now}`)
    this.#network = new Network(this.#schedule, new Random(seed, 'network'))
    const shape = drawShape(new Random(seed, 'shape'), options.theme)
    this.#shape = shape
    const aim = new Random(seed, 'database')
    const database = new Database(this.#schedule, this.#network, aim, shape.confirmations)
    this.#database = database
    this.#checker = new Checker(database)
    const count = (cell: string): void => this.#coverage.count(cell)
    const say = (line: string): void => this.#trace.add(line)
    const world = {
      schedule: this.#schedule,
      network: this.#network,
      database,
      random: new Random(seed, 'engines'),
      count,
      say,
      timeoutMs: shape.timeoutMs,
      freezeMs: () => this.#plan.freezeMs(),
      checker: this.#checker,
      guards,
      isBuggy: shape.theme === 'SKEW',
      engines: () => this.#engines,
    }
    this.#plan = new Plan({
      ...world,
      random: new Random(seed, 'plan'),
      engines: this.#engines,
      gateways: this.#gateways,
      faults: shape.faults,
      everyMs: shape.faultEveryMs,
    })
    for (let i = 0; i < shape.engines; i++) this.#engines.push(new EngineHost(`engine-${i}`, world))
    for (let i = 0; i < shape.gateways; i++) {
      const random = new Random(seed, `gateway ${i}`)
      const parts = { network: this.#network, random, engines: this.#engines, presented: guards.presented }
      this.#gateways.push(new Gateway(`gateway-${i}`, parts))
    }
    const client = (name: string, account: number): Client =>
      new Client(name, account as AccountId, {
        schedule: this.#schedule,
        random: new Random(seed, name),
        gateways: this.#gateways,
        checker: this.#checker,
        reads: shape.reads,
        count,
      })
    this.#operator = client('operator', 0)
    for (let i = 0; i < CLIENTS; i++) this.#clients.push(client(`client-${i}`, FIRST_TRADER + i))
  }

  run(): ClusterResult {
    let violation: Error | undefined
    try {
      this.#play()
    } catch (cause) {
      if (!(cause instanceof ViolationError)) throw cause
      violation = cause
    }
    return {
      seed: this.#options.seed,
      violation,
      trace: this.#trace.newest(),
      digest: this.#trace.digest(),
      steps: this.#schedule.steps,
      simulatedMs: this.#schedule.now,
      coverage: this.#coverage,
    }
  }

  #play(): void {
    this.#until('the exchange is set up', this.#setUp(), CALM_MS_MAX)
    this.#staysLed(FIRST_CALM_MS)
    this.#plan.begin()
    const end = this.#schedule.now + this.#shape.durationMs
    const traded = Promise.all(
      this.#clients.map((client) => this.#trade(client, () => this.#schedule.now < end)),
    )
    this.#until('the clients get on under faults', traded, 600_000)
    this.#trace.add('the faults stop')
    this.#plan.end()
    if (this.#database.hasLost) this.#checkHalted()
    else this.#checkServing()
  }

  async #setUp(): Promise<void> {
    for (const command of setupCommands(this.#random)) {
      const chosen = command.kind === 'SetRulesVersion' ? { ...command, version: NEWEST_RULES } : command
      await this.#operator.insist(chosen)
    }
  }

  async #trade(client: Client, goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      await client.act()
      await this.#schedule.sleep(this.#random.between(0, this.#shape.thinkMsMax), { isOver: false })
    }
  }

  /**
   * Checks that a database that lost acknowledged data is not served, once all that remember the data have
   * connected.
   */
  #checkHalted(): void {
    this.#coverage.count('lost what was acknowledged')
    this.#pass(HALTED_MS)
    const { log } = this.#database.primary
    const isLost = (known: JournalPosition | undefined): boolean =>
      known !== undefined && !hasPlace(log, known)
    const leader = this.#engines.find((engine) => engine.isLeading)
    if (leader === undefined) {
      const isHalted = this.#engines.some((engine) => engine.isHalted)
      this.#checker.demand(
        isHalted,
        () => 'nobody halts although the database has lost what was acknowledged',
      )
      this.#throwViolation()
      this.#coverage.count('halted for good')
      return
    }
    const isKnown =
      this.#engines.some(({ everKnew }) => isLost(everKnew)) ||
      this.#gateways.some(({ remembered }) => isLost(remembered))
    const found = `${leader.name} serves a database that has lost what was acknowledged, and what an engine or a gateway knows of`
    this.#checker.demand(!isKnown, () => found)
    this.#throwViolation()
    this.#coverage.count('nobody remembered')
  }

  #checkServing(): void {
    const calm = Promise.all(this.#clients.map((client) => client.last()))
    this.#until('everybody is served again', calm, CALM_MS_MAX)
    this.#pass(SETTLED_MS)
    this.#staysLed(LAST_CALM_MS)
    const leading = this.#engines.filter((engine) => engine.isLeading)
    this.#checker.demand(leading.length === 1, () => `${leading.length} engines lead in the end, expected 1`)
    const batches = this.#database.primary
      .visible()
      .flatMap(({ batch }) => (batch === undefined ? [] : [batch]))
    for (const { position, hash } of batches) {
      const acknowledged = this.#database.acknowledged.get(position)
      const found = `position ${position} was acknowledged with another batch than the journal has`
      const isSame = acknowledged === undefined || acknowledged === Buffer.from(hash).toString('hex')
      this.#checker.demand(isSame, () => found)
    }
    checkJournal(batches, [...this.#clients, this.#operator], this.#checker)
    this.#throwViolation()
    this.#coverage.count('served to the end')
  }

  /** Checks that a leader that is alive is not deposed, even without trading. */
  #staysLed(forMs: number): void {
    const { epoch } = this.#database.primary.leader()
    this.#pass(forMs)
    const after = this.#database.primary.leader().epoch
    const found = `epoch ${epoch} was followed by ${after} although its leader was there`
    this.#checker.demand(after === epoch, () => found)
    this.#throwViolation()
  }

  #pass(ms: number): void {
    this.#until('time passes', this.#schedule.sleep(ms, { isOver: false }), ms + 1)
  }

  /** Runs until `work` is done; if it is not done in time, that is a violation. */
  #until(what: string, work: Promise<unknown>, withinMs: number): void {
    let isDone = false
    void work.then(() => {
      isDone = true
    })
    const end = this.#schedule.now + withinMs
    const endSteps = this.#schedule.steps + STEPS_MAX
    while (!isDone) {
      const isLate = this.#schedule.now > end || this.#schedule.steps > endSteps
      if (isLate || !this.#schedule.step())
        throw new ViolationError(`expected that ${what} within ${withinMs} ms`)
      this.#throwViolation()
    }
  }

  #throwViolation(): void {
    if (this.#checker.violation !== undefined) throw this.#checker.violation
  }
}
