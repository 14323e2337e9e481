/** An engine for tests: storage that fails on demand, a clock set by hand, and all of its output. */

import { MemoryJournal } from '../../../sim/memory/journal.ts'
import { MemoryWitness } from '../../../sim/memory/witness.ts'
import type { Command } from '../../core/commands/command.ts'
import { sha256 } from '../../storage/sha256.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { writeFrame } from '../port/frames.ts'
import { type Batch, JournalFault, type JournalFaultKind, type JournalPosition } from '../port/journal.ts'
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from '../port/limits.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import { type QueryFields, type QueryName, queryOf } from '../port/queries.ts'
import type { CommandRequest, EngineAnswer, EngineOutput } from '../port/requests.ts'
import type { StateMachine } from '../port/state-machine.ts'
import { Engine } from './engine.ts'
import { DEFAULT_CLOCK_LIMITS, JournalClock } from './journal-clock.ts'

export class FaultyJournal extends MemoryJournal {
  /** The fault of the next append; undefined for a normal append. */
  nextFault: JournalFaultKind | undefined
  /** Events, in order. */
  readonly log: string[]

  constructor(log: string[]) {
    super()
    this.log = log
  }

  override async append(batch: Batch): Promise<void> {
    const fault = this.nextFault
    this.nextFault = undefined
    if (fault !== undefined) throw new JournalFault(fault, 'as the test wants it')
    await super.append(batch)
    this.log.push(`journal ${batch.firstSeq}+${batch.count}`)
  }

  override async maintain(): Promise<void> {
    this.log.push('maintain')
  }

  override async close(): Promise<void> {
    this.log.push('close')
  }
}

class LoggingWitness extends MemoryWitness {
  readonly #log: string[]

  constructor(log: string[]) {
    super()
    this.#log = log
  }

  override record(mark: JournalPosition): void {
    super.record(mark)
    this.#log.push(`witness ${mark.seq}`)
  }
}

export class Stage {
  readonly log: string[] = []
  readonly outputs: EngineOutput[] = []
  readonly journal: FaultyJournal
  readonly witness = new LoggingWitness(this.log)
  readonly machine: StateMachine
  readonly engine: Engine
  now: number
  /** Monotonic time; undefined if it agrees with the clock. */
  elapsedMs: number | undefined

  constructor(
    limits: Partial<EngineLimits> = {},
    machine: StateMachine = ANY_EXCHANGES.empty(),
    now = 1_000,
    journal?: FaultyJournal,
  ) {
    this.now = now
    this.journal = journal ?? new FaultyJournal(this.log)
    this.machine = machine
    this.engine = new Engine({
      machine,
      journal: this.journal,
      witness: this.witness,
      digest: sha256,
      clock: new JournalClock({
        sources: { wall: () => this.now as TimeMs, monotonicMs: () => this.elapsedMs ?? this.now },
        limits: DEFAULT_CLOCK_LIMITS,
        journalTime: this.journal.tail.time,
      }),
      output: (output) => {
        this.outputs.push(output)
        this.log.push(`output ${output.events?.seq ?? '-'}`)
      },
      limits: { ...DEFAULT_ENGINE_LIMITS, ...limits },
    })
  }

  /** Offers a command as request `request`. */
  offer(request: number, command: Command): string | undefined {
    return this.engine.offer(commandRequest(request, command))
  }

  /** Offers a query as request `request`. */
  ask<Name extends QueryName>(request: number, name: Name, fields: QueryFields<Name>): string | undefined {
    return this.engine.offer({ kind: 'query', request, query: queryOf(name, fields) })
  }

  /** All answers so far, in short. */
  get answers(): string[] {
    return this.outputs.flatMap(({ answers }) => answers.map(inShort))
  }
}

export function commandRequest(request: number, command: Command, deadline?: TimeMs): CommandRequest {
  const writer = new ByteWriter()
  writeFrame(writer, command)
  return { kind: 'command', request, command, frame: writer.take(), deadline }
}

function inShort(answer: EngineAnswer): string {
  switch (answer.kind) {
    case 'reply': {
      const { reply } = answer
      return `${answer.request} ${reply.kind === 'Refused' ? reply.reason : reply.kind}`
    }
    case 'fault':
      return `${answer.request} ${answer.fault}`
    case 'answer':
      return `${answer.request} ${answer.answer.name}`
  }
}
