/**
 * The stage of a run: an exchange under a supervisor, clients, stream readers and all checkers, over one
 * schedule and one disk. It does not decide what runs on it: the run is drawn from a seed, or written as a
 * script.
 */
import type { NodeExchange } from '../src/app/node/exchange.ts'
import type { Command } from '../src/core/commands/command.ts'
import { readCandles } from '../src/engine/history/candles/read-candles.ts'
import type { StreamPace } from '../src/server/stream/pace.ts'
import { Rooms } from '../src/server/stream/rooms.ts'
import { CANDLE_INTERVALS } from '../src/units/candle-intervals.ts'
import type { SymbolId } from '../src/units/ids.ts'
import type { Seq } from '../src/units/quantities.ts'
import { type Canary, CLOCK_LIMITS } from './canary/canary.ts'
import { AppliedCommands } from './checkers/applied-commands.ts'
import { checkCandles, checkDay } from './checkers/candles.ts'
import { checkTradePage } from './checkers/history.ts'
import { JournaledTime } from './checkers/journaled-time.ts'
import { checkLedger } from './checkers/ledger.ts'
import { checkOrders } from './checkers/orders.ts'
import { Promises } from './checkers/promises.ts'
import { Replicas } from './checkers/replicas.ts'
import { demand } from './checkers/shadow-state.ts'
import { ChannelReader } from './clients/channel-reader.ts'
import { type Answer, Client } from './clients/client.ts'
import { ClockKeeper } from './clients/clock-keeper.ts'
import type { LinkParts } from './clients/paced-link.ts'
import { READER_CONFIG, StreamReader } from './clients/stream-reader.ts'
import { Workload } from './clients/workload.ts'
import { Coverage } from './coverage.ts'
import { Faults, type IoProbe } from './faults.ts'
import { Supervisor } from './node/supervisor.ts'
import type { Profile } from './profile.ts'
import type { PowerCut } from './storage/disk.ts'
import { readStored } from './storage/stored-journal.ts'
import { Random } from './world/random.ts'
import { FOREVER, Schedule, type Timetable } from './world/schedule.ts'
import { Trace, ViolationError } from './world/trace.ts'

export type StageOptions = {
  readonly seed: number
  readonly profile: Profile
  readonly canary: Canary
  /** Number of newest trace lines that are kept. */
  readonly traceLines: number
  /** Called before every operation on the disk. */
  readonly probe?: IoProbe
  /** Decides how a crash at a disk operation affects unsynced data; undefined if the power stays on. */
  readonly cut?: () => PowerCut | undefined
  /** Decides what a power cut loses, if several losses are tried at one point. */
  readonly lossSeed?: number
  /** Called between every two events. */
  readonly onStep?: () => void
}

/** The progress of a run. */
export type StageReport = {
  readonly commands: number
  /** Events of the simulation, and its duration in simulated time. */
  readonly steps: number
  readonly simulatedMs: number
  /** Equal for equal runs. */
  readonly digest: string
  readonly coverage: Coverage
  /** Undefined if there is no violation. */
  readonly violation: ViolationError | undefined
  readonly trace: readonly string[]
}

/** Longest time that anything may take once there are no more faults. */
export const CALM_MS_MAX = 120_000
/** A run that makes no progress in this much simulated time never will. */
const RUN_MS_MAX = 3_600_000
/**
 * The same applies to this many events for each requested command (and a base): a hang is a violation with a
 * trace.
 */
const STEPS_PER_COMMAND_MAX = 500
const STEPS_MAX = 300_000

/** Longest pause of a stream room after a publication to it. */
const STREAM_PAUSE_MS_MAX = 20

export class Stage {
  readonly schedule: Schedule
  readonly coverage = new Coverage()
  readonly applied: AppliedCommands
  readonly promises: Promises
  readonly replicas: Replicas
  readonly faults: Faults
  readonly supervisor: Supervisor
  readonly workload: Workload
  readonly clockKeeper: ClockKeeper
  /** Called after each command that leaves something for the engine to carry out by itself. */
  onDue: () => void = () => {}
  readonly #options: StageOptions
  readonly #trace: Trace
  readonly #time: JournaledTime
  readonly #random: Random
  readonly #slices: Random
  readonly #channels: Random
  readonly #clients: Client[] = []
  #readers: (StreamReader | ChannelReader)[] = []
  /** No later command of the running node may have an earlier time. */
  #passed = 0
  /** The rooms of joined clients, and those of subscribers. */
  #rooms: readonly Rooms[] = []
  #violation: ViolationError | undefined

  constructor(options: StageOptions) {
    const { seed, profile, canary, probe, cut } = options
    this.#options = options
    this.#random = new Random(seed, 'run')
    this.#slices = new Random(seed, 'slices')
    this.#channels = new Random(seed, 'channels')
    this.schedule = new Schedule(new Random(seed, 'order'))
    const { schedule, coverage } = this
    const moment = (): string => `${String(schedule.steps).padStart(7)} ${schedule.now}ms`
    this.#trace = new Trace(options.traceLines, moment)
    const onViolation = (violation: ViolationError): void => this.fail(violation)
    this.applied = new AppliedCommands((applied) => {
      coverage.countApplied(applied)
      if (this.applied.shadow.isDue) this.onDue()
      const { seq, command, reply, events } = applied
      this.#time.applied(applied)
      this.say(`  command ${seq} ${command?.kind}: ${reply.kind}, ${events.length} events`)
    })
    this.#time = new JournaledTime(() => schedule.now, CLOCK_LIMITS)
    this.promises = new Promises(this.applied)
    const breaksTriggers = (): boolean => profile.faults.poison > 0 && !this.faults.isOver
    this.replicas = new Replicas(this.applied, (who) => canary.factory(who), onViolation, breaksTriggers)
    const onCrash = (reason: string): void => this.supervisor.crash(reason, cut?.())
    this.faults = new Faults({ random: new Random(seed, 'faults'), profile, coverage, onCrash, probe })
    this.supervisor = new Supervisor({
      ...{ schedule, profile, coverage, canary, onViolation },
      say: (line) => this.say(line),
      random: new Random(seed, 'supervisor'),
      losses: new Random(options.lossSeed ?? seed, 'losses'),
      faults: this.faults,
      replicas: this.replicas,
      onBatch: (batch) => {
        const { time } = batch
        demand(time >= this.#passed, () => `${time} had passed: ${this.#passed}, before command ${batch.seq}`)
        for (const rooms of this.#rooms) rooms.publish(batch)
      },
      onPassed: (time) => {
        this.#passed = time
        coverage.count('time passed')
        for (const rooms of this.#rooms) rooms.pass(time)
      },
      onUp: (node) => this.#up(node),
      onDown: () => this.#down(),
      onStart: () => this.#time.started(this.#journalTime()),
      onRecovered: () => {
        this.#time.recovered(this.#journalTime())
        coverage.lists.started(this.applied.shadow.state.dueLists.map(({ number }) => number))
      },
      onClock: (reading) => {
        coverage.count(reading.isTrusted ? 'clock trusted' : 'clock not trusted')
        this.#time.read(reading)
        this.clockKeeper.observe(reading)
      },
      onForget: (seq) => this.#forget(seq),
    })
    this.workload = new Workload({
      random: new Random(seed, 'workload'),
      weights: profile.weights,
      hostility: profile.hostility,
      state: () => this.applied.shadow.state,
    })
    this.clockKeeper = new ClockKeeper({
      schedule,
      random: new Random(seed, 'clock keeper'),
      faults: this.faults,
      client: this.client('clock keeper'),
      wall: () => this.supervisor.wall,
      say: (line) => this.say(line),
    })
  }

  /** Creates another client; `name` determines its random numbers. */
  client(name: string): Client {
    const { schedule, faults, supervisor, workload, promises, applied, coverage } = this
    const { seed, profile } = this.#options
    const client = new Client({
      ...{ name, schedule, faults, supervisor, workload, promises, applied, coverage },
      random: new Random(seed, name),
      reads: profile.reads,
      say: (line) => this.say(line),
      onViolation: (violation) => this.fail(violation),
    })
    this.#clients.push(client)
    return client
  }

  /** Runs `play`. A violation, or any other exception, ends it and is in the report with its seed. */
  play(play: () => void): void {
    try {
      play()
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      this.fail(
        cause instanceof ViolationError ? cause : new ViolationError(`thrown: ${cause.stack}`, { cause }),
      )
    }
  }

  report(): StageReport {
    const { steps, now } = this.schedule
    return {
      commands: this.applied.length,
      steps,
      simulatedMs: now,
      digest: this.#trace.digest(),
      coverage: this.coverage,
      violation: this.#violation,
      trace: this.#trace.newest(),
    }
  }

  /**
   * Runs events until `fact` returns true. Throws `ViolationError` if a rule is broken, or if that takes
   * longer than `mostMs`.
   */
  waitFor(fact: () => boolean, what: string, mostMs = RUN_MS_MAX): void {
    const { schedule } = this
    const end = schedule.now + mostMs
    const stepsMax = STEPS_MAX + STEPS_PER_COMMAND_MAX * this.#options.profile.commands
    while (!fact()) {
      this.#options.onStep?.()
      const isGoing = schedule.step()
      if (this.#violation !== undefined) throw this.#violation
      demand(isGoing && schedule.now < end, () => `no progress: ${what}, within ${mostMs} ms`)
      demand(schedule.steps < stepsMax, () => `hang: ${what}, not after ${stepsMax} events`)
    }
  }

  /** Lets time pass. */
  rest(ms: number): void {
    const end = this.schedule.now + ms
    this.schedule.after(ms, FOREVER, () => {})
    this.waitFor(() => this.schedule.now >= end, 'time passes')
  }

  sendAndWait(client: Client, command: Command): Answer {
    let answer: Answer | undefined
    void client.command(command).then((found) => {
      answer = found
    })
    this.waitFor(() => answer !== undefined, `${command.kind} is answered`, CALM_MS_MAX)
    return answer as unknown as Answer
  }

  untilUp(what: string): NodeExchange {
    this.waitFor(() => this.supervisor.node !== undefined, what, CALM_MS_MAX)
    return this.supervisor.node as NodeExchange
  }

  /** Stops in good order, checks everything stored from its first byte, and starts again. */
  stopAndCheck(): void {
    const { supervisor, applied } = this
    const { life } = supervisor
    void supervisor.restart()
    this.waitFor(() => life.isOver, 'the exchange stops', CALM_MS_MAX)
    const { batches, quarantined } = readStored(supervisor.disk)
    applied.checkStored(batches)
    const hash = this.replicas.checkFullReplay(batches, new Set(quarantined.map((entry) => entry.seq)))
    this.say(`state ${hash} after command ${applied.length}`)
    this.untilUp('the exchange starts again')
  }

  /**
   * Everything that can be read equals the second bookkeeper's record. Must be called while nothing is in
   * progress.
   */
  audit(): void {
    const { shadow } = this.applied
    const node = this.supervisor.node as NodeExchange
    const isSeen = (): boolean => node.views.market.seq === this.applied.length
    this.waitFor(() => !shadow.isDue && isSeen(), 'what is due is carried out', CALM_MS_MAX)
    shadow.audit()
    this.promises.check()
    const seq = this.applied.length as Seq
    demand(
      node.views.market.seq === seq,
      () => `the views are at ${node.views.market.seq}, the exchange at ${seq}`,
    )
    for (const [id] of shadow.state.accounts.entries()) {
      let isRead = false
      void this.#readAll(node, id).then(() => {
        isRead = true
      })
      this.waitFor(() => isRead, 'an account can be read', CALM_MS_MAX)
    }
    for (const [id] of shadow.state.symbols.entries()) {
      let isRead = false
      void this.#readCandles(node, id, seq).then(() => {
        isRead = true
      })
      this.waitFor(() => isRead, 'the candles of a symbol can be read', CALM_MS_MAX)
    }
    const isTold = (): boolean => this.#rooms.every((rooms) => rooms.isIdle)
    const areDrained = (): boolean => this.#readers.every((reader) => reader.isDrained)
    this.waitFor(() => isTold() && areDrained(), 'readers catch up', CALM_MS_MAX)
    for (const reader of this.#readers) reader.check(shadow.state)
    this.coverage.count('audit')
  }

  fail(violation: ViolationError): void {
    if (this.#violation !== undefined) return
    this.#violation = violation
    this.say(`VIOLATION ${violation.message}`)
  }

  say(line: string): void {
    this.#trace.add(line)
  }

  /** A timer that fires during the reading is not a fault: the account is then read again. */
  async #readAll(node: NodeExchange, account: number): Promise<void> {
    for (;;) {
      const seq = this.applied.length as Seq
      try {
        return await this.#readAt(node, account, seq)
      } catch (error) {
        if (this.applied.length !== seq) continue
        this.fail(
          error instanceof ViolationError
            ? error
            : new ViolationError(`an account cannot be read: ${String(error)}`),
        )
        return
      }
    }
  }

  async #readAt(node: NodeExchange, account: number, seq: Seq): Promise<void> {
    const accountId = account as never
    await node.engine.ask('balances', { accountId })
    await node.engine.ask('openOrders', { accountId, symbolId: undefined, after: undefined })
    const query = { accountId, symbolId: undefined, page: 0, size: 1_000, before: undefined, atLeast: seq }
    checkTradePage(this.applied.shadow.state, query, await node.history.trades(query))
    await checkLedger(this.applied.shadow.state, node.history, account, seq)
    await checkOrders(this.applied.shadow.state, node.history, account, seq)
  }

  async #readCandles(node: NodeExchange, symbol: number, atLeast: Seq): Promise<void> {
    const { state } = this.applied.shadow
    const to = state.time
    try {
      const { time } = node.views.market
      checkDay(state, symbol, time, node.views.market.day(symbol as SymbolId, time))
      for (const interval of CANDLE_INTERVALS) {
        const query = { symbolId: symbol as SymbolId, interval, from: undefined, to, limit: 50, atLeast }
        checkCandles(state, query, await readCandles(node.history, query))
      }
    } catch (error) {
      this.fail(
        error instanceof ViolationError
          ? error
          : new ViolationError(`candles cannot be read: ${String(error)}`),
      )
    }
  }

  /** A few readers, published to at the same intervals and in as many turns as a large number would be. */
  #streamPace(schedule: Timetable, random: Random, slices: Random): StreamPace {
    const { life } = this.supervisor
    const pauseMs = random.pick([0, 3, STREAM_PAUSE_MS_MAX])
    // Time does not advance within a turn: with 0 a turn is a single step.
    const sliceMs = slices.pick([0, Number.POSITIVE_INFINITY])
    return {
      now: () => schedule.now,
      later: (task, delayMs) => schedule.after(delayMs, life, () => this.#guard(task)),
      pauseMs: () => pauseMs,
      sliceMs,
      turnBytes: Number.POSITIVE_INFINITY,
    }
  }

  #up(node: NodeExchange): void {
    // The time published by a stopping node does not bind a later one: its clock may have been ahead.
    this.#passed = 0
    const { market } = node.views
    const { tradesOnJoin } = READER_CONFIG
    const beside = this.schedule.beside(this.#channels)
    const { history } = node
    const rooms = new Rooms({
      market,
      history,
      tradesOnJoin,
      pace: this.#streamPace(this.schedule, this.#random, this.#slices),
    })
    const channelRooms = new Rooms({
      market,
      history,
      candleListsMax: 1,
      tradesOnJoin,
      pace: this.#streamPace(beside, this.#channels, this.#channels),
    })
    this.#rooms = [rooms, channelRooms]
    if (this.applied.shadow.state.symbols.length === 0) return
    const { streamReaders, channelReaders } = this.#options.profile
    for (let i = 0; i < streamReaders; i++) {
      const connection = this.#connection(this.schedule, this.#random, i)
      const onStale = (): void => this.coverage.count('stream fresh book')
      this.#readers.push(new StreamReader({ ...connection, rooms, onStale }))
    }
    for (let i = 0; i < channelReaders; i++) {
      const connection = this.#connection(beside, this.#channels, i)
      const onSeen = (what: string): void => this.coverage.count(what)
      this.#readers.push(new ChannelReader({ ...connection, rooms: channelRooms, onSeen }))
    }
  }

  /** The link of stream client `i`: its symbol and its speed. */
  #connection(schedule: Timetable, random: Random, i: number): LinkParts & { readonly symbol: string } {
    const { symbols } = this.applied.shadow.state
    return {
      schedule,
      life: this.supervisor.life,
      symbol: (symbols[i % Math.min(3, symbols.length)] as { name: string }).name,
      takes: random.pick([60, 500, 100_000]),
      everyMs: random.pick([1, 20, 100]),
      guard: (work) => this.#guard(work),
    }
  }

  #down(): void {
    this.#passed = 0
    this.#rooms = []
    this.#readers = []
    this.clockKeeper.forget()
  }

  /** Time of the last applied command. */
  #journalTime(): number {
    return this.applied.entry(this.applied.length)?.time ?? 0
  }

  #forget(seq: number): void {
    this.promises.forget(seq)
    for (const client of this.#clients) client.forget()
  }

  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof ViolationError)) throw error
      this.fail(error)
    }
  }
}
