/**
 * One run, all of it decided by its seed: a market is set up, clients trade while faults come, then the faults stop
 * and everything must come to an end: every request answered, every replica equal, every reader up to date.
 */
import type { Command } from '../src/core/exchange/command.ts'
import type { Pace } from '../src/gateway/stream/pace.ts'
import { Rooms } from '../src/gateway/stream/rooms.ts'
import type { Seq } from '../src/units/quantities.ts'
import { type Canary, NO_CANARY } from './canary.ts'
import { checkTradePage } from './checkers/history.ts'
import { Promises } from './checkers/promises.ts'
import { Replicas } from './checkers/replicas.ts'
import { demand } from './checkers/shadow-state.ts'
import { Truth } from './checkers/truth.ts'
import { type Answer, Client } from './clients/client.ts'
import { setupCommands } from './clients/setup.ts'
import { READER_CONFIG, StreamReader } from './clients/stream-reader.ts'
import { Workload } from './clients/workload.ts'
import { Coverage } from './coverage.ts'
import { FaultPlan } from './fault-plan.ts'
import { Faults } from './faults.ts'
import type { RunningNode } from './node/node.ts'
import { Supervisor } from './node/supervisor.ts'
import { drawProfile, type Profile } from './profile.ts'
import { readStored } from './storage/journal.ts'
import { Random } from './world/random.ts'
import { FOREVER, Schedule } from './world/schedule.ts'
import { Trace, Violation } from './world/trace.ts'

export type RunOptions = {
  readonly seed: number
  /** Commands that clients send before the faults stop. */
  readonly commands: number
  readonly canary?: Canary
  /** Newest lines of the trace that are kept. */
  readonly traceLines?: number
}

export type RunResult = {
  readonly seed: number
  readonly commands: number
  /** Events of the simulation, and how long it lasted in simulated time. */
  readonly steps: number
  readonly simulatedMs: number
  /** Equal for equal runs. */
  readonly digest: string
  readonly coverage: Coverage
  /** The rule that was broken; undefined: none. */
  readonly violation: Violation | undefined
  readonly trace: readonly string[]
}

/** Commands that each client sends after the faults have stopped, and the time they may take. */
const CALM_COMMANDS = 10
const CALM_MS_MAX = 120_000
const SETTLE_MS = 1_000
/** A run that does not get on in this much simulated time will not. */
const RUN_MS_MAX = 3_600_000

export function run(options: RunOptions): RunResult {
  const simulation = new Simulation(options)
  simulation.run()
  return simulation.result()
}

class Simulation {
  readonly #seed: number
  readonly #profile: Profile
  readonly #random: Random
  readonly #schedule: Schedule
  readonly #trace: Trace
  readonly #coverage = new Coverage()
  readonly #truth: Truth
  readonly #promises: Promises
  readonly #replicas: Replicas
  readonly #faults: Faults
  readonly #supervisor: Supervisor
  readonly #plan: FaultPlan
  readonly #workload: Workload
  readonly #clients: Client[] = []
  #readers: StreamReader[] = []
  #rooms: Rooms | undefined
  #sent = 0
  #busy = 0
  #violation: Violation | undefined

  constructor({ seed, commands, canary = NO_CANARY, traceLines = 60 }: RunOptions) {
    this.#seed = seed
    this.#profile = drawProfile(new Random(seed, 'profile'), commands)
    this.#random = new Random(seed, 'run')
    this.#schedule = new Schedule(new Random(seed, 'order'))
    const schedule = this.#schedule
    this.#trace = new Trace(traceLines, () => `${String(schedule.steps).padStart(7)} ${schedule.now}ms`)
    const onViolation = (violation: Violation): void => this.#fail(violation)
    this.#truth = new Truth((applied) => {
      this.#coverage.countApplied(applied)
      this.#say(
        `  command ${applied.seq} ${applied.command?.kind}: ${applied.reply.kind}, ${applied.events.length} events`,
      )
    })
    this.#promises = new Promises(this.#truth)
    this.#replicas = new Replicas(this.#truth, (who) => canary.factory(who), onViolation)
    const profile = this.#profile
    const coverage = this.#coverage
    this.#faults = new Faults(new Random(seed, 'faults'), profile, coverage, (reason) =>
      this.#supervisor.crash(reason),
    )
    const parts = { schedule, profile, coverage, canary, onViolation, say: (line: string) => this.#say(line) }
    this.#supervisor = new Supervisor({
      ...parts,
      random: new Random(seed, 'supervisor'),
      faults: this.#faults,
      replicas: this.#replicas,
      onBatch: (batch) => this.#rooms?.publish(batch),
      onUp: (node) => this.#up(node),
      onDown: () => this.#down(),
      onForget: (seq) => this.#forget(seq),
    })
    this.#workload = new Workload({
      random: new Random(seed, 'workload'),
      weights: profile.weights,
      hostility: profile.hostility,
      state: () => this.#truth.shadow.state,
    })
    this.#plan = new FaultPlan({
      ...parts,
      random: new Random(seed, 'plan'),
      faults: this.#faults,
      supervisor: this.#supervisor,
      truth: this.#truth,
      replicas: this.#replicas,
      poison: () => this.#poison(),
    })
    for (let i = 0; i < profile.clients; i++) this.#clients.push(this.#client(i))
  }

  run(): void {
    try {
      this.#schedule.after(0, FOREVER, () => this.#supervisor.start())
      this.#setUp()
      this.#underFaults()
      this.#calm()
    } catch (error) {
      if (error instanceof Violation) this.#fail(error)
      else throw error
    }
  }

  result(): RunResult {
    const { steps, now } = this.#schedule
    return {
      seed: this.#seed,
      commands: this.#truth.length,
      steps,
      simulatedMs: now,
      digest: this.#trace.digest(),
      coverage: this.#coverage,
      violation: this.#violation,
      trace: this.#trace.newest(),
    }
  }

  /** Assets, symbols, accounts and money, before any fault. */
  #setUp(): void {
    this.#waitFor(() => this.#supervisor.node !== undefined, 'the exchange starts')
    const client = this.#client(-1)
    this.#faults.isOver = true
    for (const command of setupCommands(this.#random)) this.#sendAndWait(client, command)
    this.#faults.isOver = false
  }

  /** The first phase: whatever happens, no rule is broken. */
  #underFaults(): void {
    this.#plan.begin()
    for (const client of this.#clients) this.#trade(client)
    this.#waitFor(
      () => this.#sent >= this.#profile.commands && this.#busy === 0,
      'clients get on under faults',
    )
  }

  /** The second phase: the faults stop, and everything must come to its end. */
  #calm(): void {
    this.#say('the faults stop')
    this.#plan.end()
    this.#faults.end()
    this.#supervisor.disk.liesAbout.clear()
    // What failed just now shows a little later.
    const settled = this.#schedule.now + SETTLE_MS
    const isCalm = (): boolean => this.#schedule.now >= settled && this.#busy === 0
    this.#schedule.after(SETTLE_MS, FOREVER, () => {})
    this.#waitFor(
      () => this.#supervisor.node !== undefined && isCalm(),
      'the exchange comes back',
      CALM_MS_MAX,
    )
    for (let i = 0; i < CALM_COMMANDS; i++) {
      for (const client of this.#clients) {
        const answer = this.#sendAndWait(client, this.#workload.next())
        demand(
          answer.kind === 'ANSWERED',
          () => `without faults every command is answered, found ${answer.kind}`,
        )
      }
    }
    this.#audit()
    this.#stopAndCheck()
    this.#audit()
  }

  /** Stops in good order, checks what is stored from its first byte, and starts again. */
  #stopAndCheck(): void {
    const life = this.#supervisor.life
    void this.#supervisor.restart()
    this.#waitFor(() => life.isOver, 'the exchange stops', CALM_MS_MAX)
    const { batches, quarantined } = readStored(this.#supervisor.disk)
    this.#truth.checkStored(batches)
    const hash = this.#replicas.checkFullReplay(batches, new Set(quarantined.map((entry) => entry.seq)))
    this.#say(`state ${hash} after command ${this.#truth.length}`)
    this.#waitFor(() => this.#supervisor.node !== undefined, 'the exchange starts again', CALM_MS_MAX)
  }

  /** Everything that can be read is what the second bookkeeper knows. */
  #audit(): void {
    const { shadow } = this.#truth
    const node = this.#supervisor.node as RunningNode
    shadow.audit()
    this.#promises.check()
    const seq = this.#truth.length as Seq
    demand(
      node.views.market.seq === seq,
      () => `the views are at ${node.views.market.seq}, the exchange at ${seq}`,
    )
    for (const [id] of shadow.state.accounts.entries()) {
      let isRead = false
      void this.#readAll(node, id, seq).then(() => {
        isRead = true
      })
      this.#waitFor(() => isRead, 'an account can be read', CALM_MS_MAX)
    }
    this.#waitFor(() => this.#readers.every((reader) => reader.isDrained), 'readers catch up', CALM_MS_MAX)
    for (const reader of this.#readers) reader.check(shadow.state)
    this.#coverage.count('audit')
  }

  async #readAll(node: RunningNode, account: number, seq: Seq): Promise<void> {
    try {
      const accountId = account as never
      await node.engine.balances(accountId)
      await node.engine.openOrders(accountId, undefined)
      const query = { accountId, symbolId: undefined, page: 0, size: 1_000, before: undefined, atLeast: seq }
      checkTradePage(this.#truth.shadow.state, query, await node.history.trades(query))
    } catch (error) {
      this.#fail(
        error instanceof Violation ? error : new Violation(`an account cannot be read: ${String(error)}`),
      )
    }
  }

  #client(number: number): Client {
    return new Client({
      name: `client ${number}`,
      schedule: this.#schedule,
      random: new Random(this.#seed, `client ${number}`),
      faults: this.#faults,
      supervisor: this.#supervisor,
      workload: this.#workload,
      promises: this.#promises,
      truth: this.#truth,
      coverage: this.#coverage,
      reads: this.#profile.reads,
      say: (line) => this.#say(line),
      onViolation: (violation) => this.#fail(violation),
    })
  }

  /** A client sends, waits, thinks, and sends again. */
  #trade(client: Client): void {
    if (this.#sent >= this.#profile.commands) return
    this.#sent++
    this.#busy++
    void client.request().then((answer) => {
      this.#busy--
      const think = answer.kind === 'ANSWERED' ? this.#random.below(4) : this.#random.between(5, 60)
      this.#schedule.after(think, FOREVER, () => this.#trade(client))
    })
  }

  #poison(): void {
    this.#busy++
    void this.#clients[0]?.command(this.#workload.poison()).then(() => {
      this.#busy--
    })
  }

  #sendAndWait(client: Client, command: Command): Answer {
    let answer: Answer | undefined
    void client.command(command).then((found) => {
      answer = found
    })
    this.#waitFor(() => answer !== undefined, `${command.kind} is answered`, CALM_MS_MAX)
    return answer as unknown as Answer
  }

  #waitFor(fact: () => boolean, what: string, mostMs = RUN_MS_MAX): void {
    const end = this.#schedule.now + mostMs
    while (!fact()) {
      const isGoing = this.#schedule.step()
      if (this.#violation !== undefined) throw this.#violation
      demand(isGoing && this.#schedule.now < end, () => `no progress: ${what}, within ${mostMs} ms`)
    }
  }

  /** Few readers, told as seldom as many would be. */
  #streamPace(): Pace {
    const schedule = this.#schedule
    const { life } = this.#supervisor
    const pauseMs = this.#random.pick([0, 3, 20])
    return {
      now: () => schedule.now,
      later: (task, delayMs) => schedule.after(delayMs, life, () => this.#guard(task)),
      pauseMs: () => pauseMs,
    }
  }

  #up(node: RunningNode): void {
    this.#rooms = new Rooms({
      market: node.views.market,
      tradesOnJoin: READER_CONFIG.tradesOnJoin,
      pace: this.#streamPace(),
    })
    const rooms = this.#rooms
    const { symbols } = this.#truth.shadow.state
    if (symbols.length === 0) return
    for (let i = 0; i < this.#profile.streamReaders; i++) {
      this.#readers.push(
        new StreamReader({
          schedule: this.#schedule,
          life: this.#supervisor.life,
          rooms,
          symbol: (symbols[i % Math.min(3, symbols.length)] as { name: string }).name,
          takes: this.#random.pick([60, 500, 100_000]),
          everyMs: this.#random.pick([1, 20, 100]),
          guard: (work) => this.#guard(work),
          onStale: () => this.#coverage.count('stream fresh book'),
        }),
      )
    }
  }

  #down(): void {
    this.#rooms = undefined
    this.#readers = []
  }

  #forget(seq: number): void {
    this.#promises.forget(seq)
    for (const client of this.#clients) client.forget()
  }

  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      this.#fail(error)
    }
  }

  #fail(violation: Violation): void {
    if (this.#violation !== undefined) return
    this.#violation = violation
    this.#say(`VIOLATION ${violation.message}`)
  }

  #say(line: string): void {
    this.#trace.add(line)
  }
}
