/** A machine that runs an engine, as other machines reach it, and the environment that all machines share. */
import type { Guards } from './canary.ts'
import type { Checker } from './checker.ts'
import type { SimProcess } from './process.ts'
import type { Wire } from './served.ts'
import type { TableWorld } from './table.ts'

export interface EngineMember {
  readonly name: string
  /** The process that runs, or ran last. */
  readonly process: SimProcess
  /** Takes the other end of a connection. */
  accept(wire: Wire): void
}

export type EngineWorld = TableWorld & {
  readonly checker: Checker
  readonly guards: Guards
  readonly engines: () => readonly EngineMember[]
  readonly say: (line: string) => void
  /** Whether some orders crash the machine: of all engines, or of one with another version. */
  readonly isBuggy: boolean
}
