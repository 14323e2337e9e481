/**
 * A machine that runs an engine: the data that survives its processes, the connections to it, and the process
 * that runs now.
 */

import type { JournalPosition } from '../../src/engine/port/journal.ts'
import { MemoryKnownJournal } from '../memory/known-journal.ts'
import { MemorySnapshots } from '../memory/snapshots.ts'
import { MemoryWitness } from '../memory/witness.ts'
import { FOREVER } from '../world/schedule.ts'
import { ClusterNode, type NodeEnd } from './cluster-node.ts'
import type { EngineMember, EngineWorld } from './member.ts'
import { SimProcess } from './process.ts'
import type { Wire } from './served.ts'

/** Time between the end of a process and the next start. */
const DOWN_MS = { least: 50, most: 1_500 }

export class EngineHost implements EngineMember {
  readonly name: string
  readonly #world: EngineWorld
  readonly #disk = {
    witness: new MemoryWitness(),
    snapshots: new MemorySnapshots(),
    knownJournal: new MemoryKnownJournal(),
  }
  #process: SimProcess
  #node: ClusterNode
  #isHalted = false
  /** The highest position that was sent to any of its processes. */
  #told: JournalPosition | undefined

  constructor(name: string, world: EngineWorld) {
    this.name = name
    this.#world = world
    this.#process = new SimProcess(name, world.schedule)
    this.#node = this.#newNode()
  }

  get process(): SimProcess {
    return this.#process
  }

  get isLeading(): boolean {
    return this.#process.isAlive && this.#node.isLeading
  }

  /** Whether the engine refused to serve, and waits for an operator. */
  get isHalted(): boolean {
    return this.#isHalted
  }

  /** The highest position that any of its processes took as confirmed. */
  get everKnew(): JournalPosition | undefined {
    const recorded = this.#disk.witness.recall()
    const own = recorded.kind === 'MARK' ? recorded.mark : undefined
    return (own?.position ?? 0) > (this.#told?.position ?? 0) ? own : this.#told
  }

  accept(wire: Wire): void {
    this.#node.accept(wire, (told) => {
      if (told.position > (this.#told?.position ?? 0)) this.#told = told
    })
  }

  /** Kills the process; another one starts a little later. */
  kill(): void {
    if (!this.#process.isAlive) return
    this.#process.kill()
    const { schedule, random } = this.#world
    schedule.after(random.between(DOWN_MS.least, DOWN_MS.most), FOREVER, () => {
      if (!this.#isHalted) this.#begin()
    })
  }

  /** Stops the process in good order, and starts another one. */
  stop(): void {
    this.#node.stop()
  }

  /** Tries once more after a halt, as an operator would after an inspection. */
  restartHalted(): void {
    if (!this.#isHalted) return
    this.#isHalted = false
    this.#begin()
  }

  #begin(): void {
    if (this.#process.isAlive) return
    this.#process = new SimProcess(this.name, this.#world.schedule)
    this.#node = this.#newNode()
  }

  #newNode(): ClusterNode {
    const { checker, database, say, count, isBuggy } = this.#world
    const { name } = this
    const end: NodeEnd = {
      halt: ({ kind, message }) => {
        say(`${name} halts: ${kind} ${message}`)
        count(`halted ${kind}`)
        const isExpected = database.hasLost || (isBuggy && kind === 'UNSUPPORTED')
        checker.demand(isExpected, () => `${name} halts although nothing was lost: ${message}`)
        this.#isHalted = true
        this.#process.kill()
      },
      die: (cause) => {
        const why = cause instanceof Error ? cause.stack : String(cause)
        say(`${name} dies: ${why}`)
        checker.demand(database.hasLost || isBuggy, () => `${name} dies of a bug: ${why}`)
        this.kill()
      },
      stopped: () => {
        say(`${name} has stopped`)
        this.kill()
      },
    }
    return new ClusterNode(this, this.#process, this.#disk, this.#world, end)
  }
}
