/**
 * One run, determined by its seed: a market is set up, clients trade during faults, then the faults stop and
 * everything must complete: every request answered, all replicas equal, all readers up to date.
 */
import { type Canary, NO_CANARY } from './canary/canary.ts'
import { demand } from './checkers/shadow-state.ts'
import type { Client } from './clients/client.ts'
import { setupCommands } from './clients/setup.ts'
import { FaultPlan } from './fault-plan.ts'
import { drawProfile, type Profile } from './profile.ts'
import { CALM_MS_MAX, Stage, type StageReport } from './stage.ts'
import { Random } from './world/random.ts'
import { FOREVER } from './world/schedule.ts'

export type RunOptions = {
  readonly seed: number
  /** Number of commands that clients send before the faults stop. */
  readonly commands: number
  readonly canary?: Canary
  /** Newest lines of the trace that are kept. */
  readonly traceLines?: number
}

export type RunResult = StageReport & { readonly seed: number }

/** Number of commands that each client sends after the faults stop. */
const CALM_COMMANDS = 10
const SETTLE_MS = 1_000
const TRACE_LINES = 60

export function run(options: RunOptions): RunResult {
  const simulation = new Simulation(options)
  return { seed: options.seed, ...simulation.run() }
}

class Simulation {
  readonly #stage: Stage
  readonly #profile: Profile
  readonly #random: Random
  readonly #plan: FaultPlan
  readonly #clients: Client[] = []
  #sent = 0
  #busy = 0

  constructor({ seed, commands, canary = NO_CANARY, traceLines = TRACE_LINES }: RunOptions) {
    this.#profile = drawProfile(new Random(seed, 'profile'), commands)
    const profile = this.#profile
    this.#random = new Random(seed, 'script')
    this.#stage = new Stage({ seed, profile, canary, traceLines })
    const stage = this.#stage
    this.#plan = new FaultPlan({
      stage,
      profile,
      canary,
      random: new Random(seed, 'plan'),
      aim: new Random(seed, 'aim'),
      poison: () => this.#poison(),
    })
    for (let i = 0; i < profile.clients; i++) this.#clients.push(stage.client(`client ${i}`))
  }

  run(): StageReport {
    const stage = this.#stage
    stage.play(() => {
      stage.schedule.after(0, FOREVER, () => stage.supervisor.start())
      this.#setUp()
      this.#underFaults()
      this.#calm()
    })
    return stage.report()
  }

  /** Assets, symbols, accounts and money, before any fault. */
  #setUp(): void {
    const stage = this.#stage
    stage.untilUp('the exchange starts')
    const client = stage.client('client -1')
    stage.faults.isOver = true
    for (const command of setupCommands(this.#random)) stage.sendAndWait(client, command)
    stage.faults.isOver = false
  }

  /** Runs the first phase: no rule is broken under any fault. */
  #underFaults(): void {
    this.#plan.begin()
    for (const client of this.#clients) this.#trade(client)
    const isDone = (): boolean => this.#sent >= this.#profile.commands && this.#busy === 0
    this.#stage.waitFor(isDone, 'clients get on under faults')
  }

  /** Runs the second phase: the faults stop, and everything must complete. */
  #calm(): void {
    const stage = this.#stage
    stage.say('the faults stop')
    this.#plan.end()
    stage.faults.end()
    stage.supervisor.disk.liesAbout.clear()
    // A recent failure may appear a little later.
    const settled = stage.schedule.now + SETTLE_MS
    const isCalm = (): boolean => stage.schedule.now >= settled && this.#busy === 0
    stage.schedule.after(SETTLE_MS, FOREVER, () => {})
    stage.waitFor(
      () => stage.supervisor.node !== undefined && isCalm() && stage.clockKeeper.isContent,
      'the exchange comes back',
      CALM_MS_MAX,
    )
    for (let i = 0; i < CALM_COMMANDS; i++) {
      for (const client of this.#clients) {
        const answer = stage.sendAndWait(client, stage.workload.next())
        demand(
          answer.kind === 'ANSWERED',
          () => `without faults every command is answered, found ${answer.kind}`,
        )
      }
    }
    stage.audit()
    stage.stopAndCheck()
    stage.audit()
  }

  /** Lets a client send, wait, pause, and send again. */
  #trade(client: Client): void {
    if (this.#sent >= this.#profile.commands) return
    this.#sent++
    this.#busy++
    void client.request().then((answer) => {
      this.#busy--
      const think = answer.kind === 'ANSWERED' ? this.#random.below(4) : this.#random.between(5, 60)
      this.#stage.schedule.after(think, FOREVER, () => this.#trade(client))
    })
  }

  #poison(): void {
    this.#busy++
    void this.#clients[0]?.command(this.#stage.workload.poison()).then(() => {
      this.#busy--
    })
  }
}
