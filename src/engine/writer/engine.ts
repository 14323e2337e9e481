/**
 * The one running writer: takes waiting commands, makes them durable, applies them and answers. No effect
 * becomes visible before its command is in the journal and witnessed. The engine itself issues due commands,
 * a bounded number before each batch, so that other commands come in between. While the clock is not trusted
 * it accepts no orders and carries out nothing that is due, but does everything else. It has no threads,
 * files or timers.
 */
import { type EngineCommand, isPlacement } from '../../core/commands/command.ts'
import type { ExchangeEvent } from '../../core/events/event.ts'
import type { Reply } from '../../core/questions/reply.ts'
import { ByteWriter } from '../../units/bytes.ts'
import { invariant } from '../../units/invariant.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { EngineFaultKind } from '../port/fault.ts'
import { writeFrame } from '../port/frames.ts'
import {
  type Batch,
  type Digest,
  endOf,
  following,
  type Journal,
  JournalFault,
  lastSeqOf,
  sealed,
  type Tail,
} from '../port/journal.ts'
import { DUE_PER_BATCH, DUE_STEPS_PER_BATCH, type EngineLimits } from '../port/limits.ts'
import { answerQuery, ENGINE_QUERIES } from '../port/queries.ts'
import type { RequestNumber } from '../port/request-client.ts'
import type { CommandRequest, EngineAnswer, EngineOutput, EngineRequest } from '../port/requests.ts'
import { type Snapshot, takeSnapshot } from '../port/snapshots.ts'
import { inadmissible, isEpochDue, type StateMachine } from '../port/state-machine.ts'
import type { Witness } from '../port/witness.ts'
import { Inbox } from './inbox.ts'
import type { Acceptance, JournalClock } from './journal-clock.ts'
import { RecentBatches } from './recent-batches.ts'

export type EngineParts = {
  /** At exactly `journal.tail`. */
  readonly machine: StateMachine
  readonly journal: Journal
  readonly witness: Witness
  readonly digest: Digest
  /** Began at `journal.tail`. */
  readonly clock: JournalClock
  /** Receives the output of each flush, before `flush` resolves. */
  readonly output: (output: EngineOutput) => void
  readonly limits: EngineLimits
}

export class Engine {
  readonly #parts: EngineParts
  readonly #inbox: Inbox
  readonly #recent: RecentBatches
  #tail: Tail
  #state: 'RUNNING' | 'STOPPING' | 'DEAD' = 'RUNNING'
  #busy = false
  /** The last time that was recorded in the journal for a caller that needed it there. */
  #markedAt = Number.NEGATIVE_INFINITY
  /**
   * Due commands could not be issued: the storage was full, or the clock not trusted. Retried with the next
   * request, or when idle.
   */
  #isDueHeld = false
  /** Before this is true no due command is issued: followers of the state are still reading it. */
  #hasBegun = false
  /** The epoch in which the journal began, if this engine began it: no number was assigned before. */
  readonly #firstEpoch: number
  /**
   * Sessions of an earlier run may still be open: their connections are lost, which must be journaled before
   * anything else is due.
   */
  #hasEarlierSessions: boolean

  constructor(parts: EngineParts) {
    const { machine, journal } = parts
    invariant(
      machine.seq === journal.tail.seq,
      () =>
        `expected a machine at command ${journal.tail.seq}, the journal's end, found one at ${machine.seq}`,
    )
    this.#parts = parts
    this.#inbox = new Inbox(parts.limits)
    this.#recent = new RecentBatches(parts.limits.recentBytesMax)
    this.#tail = journal.tail
    this.#firstEpoch = journal.tail.position === 1 ? journal.tail.epoch : 0
    this.#hasEarlierSessions = machine.hasSessions
  }

  /** Whether nothing waits, and nothing is due that could be issued. */
  get isIdle(): boolean {
    return this.#inbox.isEmpty && !this.#hasDue
  }

  get #hasDue(): boolean {
    if (!this.#hasBegun || this.#isDueHeld || this.#state !== 'RUNNING') return false
    if (this.#hasEarlierSessions || this.#isEpochDue) return true
    const { machine, clock } = this.#parts
    // If nothing waits for a time, no reading of the clock is needed.
    const time = machine.dueAt === undefined ? machine.time : clock.read().time
    return machine.due(1, time).length > 0
  }

  /**
   * Milliseconds until something is due by time alone, at least 0; undefined if nothing waits for a time, or
   * if it cannot be issued.
   */
  get dueInMs(): number | undefined {
    const { machine, clock } = this.#parts
    const { dueAt } = machine
    if (dueAt === undefined || !this.#hasBegun || this.#isDueHeld || this.#state !== 'RUNNING')
      return undefined
    return Math.max(0, dueAt - clock.read().time)
  }

  /** The end of the durable and applied part. */
  get tail(): Tail {
    return this.#tail
  }

  /** Lets due commands be issued from now on; the first offered command has the same effect. */
  begin(): void {
    this.#hasBegun = true
  }

  /** Accepts a request; otherwise returns the reason, and the request was certainly not carried out. */
  offer(request: EngineRequest): EngineFaultKind | undefined {
    if (this.#state === 'STOPPING') return 'STOPPING'
    if (this.#state === 'DEAD') return 'ENGINE_DOWN'
    if (request.kind === 'command') this.begin()
    return this.#inbox.offer(request) ? undefined : 'OVERLOADED'
  }

  /**
   * Issues due commands and serves the oldest waiting requests: one commit, one output. Rejects when the
   * engine fails: all waiting requests have then been answered, and the node must stop; recovery determines
   * the outcome of the last batch.
   */
  async flush(): Promise<void> {
    await this.#exclusively(async () => {
      if (this.isIdle) return
      await this.#serve(this.#inbox.take())
      await this.#parts.journal.maintain(false)
    })
  }

  /** Housekeeping while no request waits. Rejects like `flush`. */
  async rest(): Promise<void> {
    await this.#exclusively(() => this.#parts.journal.maintain(this.isIdle))
    this.#isDueHeld = false
  }

  /**
   * Refuses requests from now on; those that wait are still served by `flush`, and due commands are left for
   * the next start.
   */
  refuseNew(): void {
    if (this.#state === 'RUNNING') this.#state = 'STOPPING'
  }

  /**
   * Refuses new requests and serves all waiting ones; due commands are left for the next start. Rejects like
   * `flush`.
   */
  async drain(): Promise<void> {
    this.refuseNew()
    while (!this.#inbox.isEmpty) await this.flush()
  }

  /** Releases the storage, after `drain`. Rejects like `flush`. */
  async close(): Promise<void> {
    invariant(this.#inbox.isEmpty && this.#state === 'STOPPING', 'an engine is drained before it is closed')
    await this.rest()
    this.#state = 'DEAD'
    this.#parts.witness.close()
    await this.#parts.journal.close()
  }

  /** Durable and applied batches that end after `afterSeq`; see `Journal.read`. Empty at the end. */
  async readBatches(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    if (afterSeq >= this.#tail.seq) return []
    const recent = this.#recent.after(afterSeq, maxBytes)
    if (recent !== undefined) return recent
    const end = this.#tail.seq
    const stored = await this.#parts.journal.read(afterSeq, maxBytes)
    return stored.filter((batch) => lastSeqOf(batch) <= end)
  }

  /**
   * Publishes `time`, a reading of the clock: no later command has an earlier time. Publishes nothing while a
   * batch is in progress, since the batch may have an earlier time: its output then contains the time.
   */
  passTime(time: TimeMs): void {
    if (!this.#busy && this.#state !== 'DEAD')
      this.#parts.output({ events: undefined, answers: [], passed: time })
  }

  /** The current state. */
  snapshot(): Snapshot {
    return takeSnapshot(this.#parts.machine, this.#tail, this.#parts.digest)
  }

  /**
   * Runs one piece of work; if it fails, the engine ends, and all waiting requests are answered with a fault.
   */
  async #exclusively(work: () => Promise<void>): Promise<void> {
    invariant(!this.#busy, 'the engine does one thing at a time')
    invariant(this.#state !== 'DEAD', 'a dead engine does nothing')
    this.#busy = true
    try {
      await work()
    } catch (cause) {
      this.#state = 'DEAD'
      const answers = this.#inbox.drain().map((request) => faultOf(request, 'ENGINE_DOWN'))
      this.#parts.output({ events: undefined, answers })
      throw cause
    } finally {
      this.#busy = false
    }
  }

  async #serve(taken: readonly EngineRequest[]): Promise<void> {
    let output: EngineOutput
    try {
      output = await this.#execute(taken)
    } catch (cause) {
      this.#state = 'DEAD'
      const answers = taken.map((request) =>
        faultOf(
          request,
          request.kind === 'command' ? 'OUTCOME_UNKNOWN' : ENGINE_QUERIES[request.query.name].lost,
        ),
      )
      this.#parts.output({ events: undefined, answers })
      throw cause
    }
    this.#parts.output(output)
  }

  /**
   * Makes the commands durable, applies them, then answers every read from the state after them. If other
   * writers can take the journal, a commit proves that none has; without a commit, the journal confirms it.
   */
  async #execute(taken: readonly EngineRequest[]): Promise<EngineOutput> {
    const answers: EngineAnswer[] = []
    const { admitted, time, acceptance, isTrusted } = admit(taken, this.#parts, answers, this.#markedAt)
    if (admitted.some(({ command }) => command.kind === 'MarkTime')) this.#markedAt = time
    const due = isTrusted && this.#hasBegun ? ownCommands(this.#due(time)) : []
    const commands: readonly JournaledCommand[] = [...this.#beginning, ...due, ...admitted]
    const events: ExchangeEvent[] = []
    const ends: number[] = []
    let batch: Batch | undefined
    if (commands.length > 0) {
      batch = await this.#store(this.#batchOf(commands, time))
      if (batch === undefined) for (const request of admitted) answers.push(faultOf(request, 'STORAGE_FULL'))
      else {
        this.#apply(commands, batch, { events, ends, answers })
        if (due.length > 0) this.#hasEarlierSessions = false
        acceptance?.confirm()
      }
    }
    this.#isDueHeld = !isTrusted || (commands.length > 0 && batch === undefined)
    const { journal } = this.#parts
    const isReadAlone = batch === undefined && taken.some(({ kind }) => kind === 'query')
    if (isReadAlone && journal.confirmLead !== undefined) await journal.confirmLead()
    for (const taking of taken) {
      if (taking.kind === 'command') continue
      const { request, query } = taking
      answers.push({ kind: 'answer', request, answer: answerQuery(this.#parts.machine, query, time) })
    }
    if (batch === undefined) return { events: undefined, answers }
    return { events: { seq: lastSeqOf(batch), time: batch.time, events, ends }, answers }
  }

  /** The command before everything else, whatever the time of the clock: no number is assigned earlier. */
  get #beginning(): readonly JournaledCommand[] {
    return this.#isEpochDue ? ownCommands([{ kind: 'BeginEpoch', epoch: this.#tail.epoch }]) : []
  }

  get #isEpochDue(): boolean {
    return this.#hasBegun && isEpochDue(this.#parts.machine, this.#tail, this.#firstEpoch)
  }

  /**
   * Due commands before the next batch. The command for the service's restart comes first: it determines
   * which sessions are over.
   */
  #due(time: TimeMs): readonly EngineCommand[] {
    const due = this.#parts.machine.due(DUE_PER_BATCH, time, DUE_STEPS_PER_BATCH)
    if (!this.#hasEarlierSessions) return due
    return [{ kind: 'DisconnectSessions' }, ...due.filter(({ kind }) => kind !== 'EndSession')]
  }

  #batchOf(commands: readonly JournaledCommand[], time: TimeMs): Batch {
    const { time: last } = this.#tail
    invariant(time >= last, () => `expected a time of ${last} or later, found ${time}`)
    let length = 0
    for (const { frame } of commands) length += frame.length
    const data = new Uint8Array(length)
    let at = 0
    for (const { frame } of commands) {
      data.set(frame, at)
      at += frame.length
    }
    const next = { ...following(this.#tail), kind: 'COMMANDS', count: commands.length, time, data } as const
    return sealed(this.#parts.digest, next)
  }

  /** Stores the batch durably, and returns it; undefined if there was no space and nothing changed. */
  async #store(batch: Batch): Promise<Batch | undefined> {
    try {
      await this.#parts.journal.append(batch)
    } catch (cause) {
      if (cause instanceof JournalFault && cause.kind === 'STORAGE_FULL') return undefined
      throw cause
    }
    return batch
  }

  #apply(commands: readonly JournaledCommand[], batch: Batch, { events, ends, answers }: Caused): void {
    const { machine } = this.#parts
    const emit = (event: ExchangeEvent): void => {
      events.push(event)
    }
    for (const { request, command } of commands) {
      const reply = machine.apply(command, batch.time, emit)
      ends.push(events.length)
      if (request !== undefined) answers.push({ kind: 'reply', request, reply })
    }
    const seq = lastSeqOf(batch)
    invariant(machine.seq === seq, () => `expected the machine at command ${seq}, found it at ${machine.seq}`)
    const end = endOf(batch)
    // Recorded before any request is answered, and never for a command on which the machine fails: witnessed
    // commands were applied.
    this.#parts.witness.record(end)
    this.#tail = end
    this.#recent.add(batch)
  }
}

/** The effects of a batch's commands, in the order of its assembly; see `EventBatch`. */
type Caused = {
  readonly events: ExchangeEvent[]
  readonly ends: number[]
  readonly answers: EngineAnswer[]
}

/** A command to be journaled. The engine's own commands have no caller. */
type JournaledCommand = Pick<CommandRequest, 'command' | 'frame'> & {
  readonly request: RequestNumber | undefined
}

function ownCommands(commands: readonly EngineCommand[]): JournaledCommand[] {
  return commands.map((command) => {
    const writer = new ByteWriter(32)
    writeFrame(writer, command)
    return { command, frame: writer.take(), request: undefined }
  })
}

/** Minimum interval between recorded times, for all callers: queries must not make the journal grow. */
const MARK_EVERY_MS = 1_000

/** The answer if the time was recorded shortly before: nothing was done. */
const MARKED_LATELY: Reply = { kind: 'Done', repeated: true }

function faultOf({ request }: EngineRequest, fault: EngineFaultKind): EngineAnswer {
  return { kind: 'fault', request, fault }
}

type Admitted = {
  /** The part that goes to the journal. */
  readonly admitted: readonly CommandRequest[]
  /** The time of the batch. */
  readonly time: TimeMs
  /** The clock reading that one of the commands accepts, once it is durable. */
  readonly acceptance: Acceptance | undefined
  /** Whether the clock is trusted, before anything is accepted. */
  readonly isTrusted: boolean
}

/** Determines which commands continue to the journal; the others are answered here. */
function admit(
  taken: readonly EngineRequest[],
  { clock, machine }: EngineParts,
  answers: EngineAnswer[],
  markedAt: number,
): Admitted {
  const { isTrusted, time } = clock.read()
  let acceptance: Acceptance | undefined
  let lastMark = markedAt
  const commands: CommandRequest[] = []
  for (const request of taken) {
    if (request.kind !== 'command') continue
    const { command } = request
    const refusal = inadmissible(command, machine)
    if (refusal !== undefined) answers.push({ kind: 'reply', request: request.request, reply: refusal })
    else if (command.kind === 'AcceptClock' && !isTrusted && acceptance === undefined) {
      acceptance = clock.accept(command.clock)
      // It comes before everything that has the accepted time.
      if (acceptance !== undefined) commands.unshift(request)
      else answers.push(faultOf(request, 'CLOCK_NOT_TRUSTED'))
    } else if ((isPlacement(command) || command.kind === 'OpenSession') && !isTrusted) {
      answers.push(faultOf(request, 'CLOCK_NOT_TRUSTED'))
    } else if (command.kind === 'MarkTime') {
      const isEarly = time - lastMark < MARK_EVERY_MS
      if (isEarly) answers.push({ kind: 'reply', request: request.request, reply: MARKED_LATELY })
      else {
        lastMark = time
        commands.push(request)
      }
    } else if (request.deadline !== undefined && request.deadline < (acceptance?.time ?? time)) {
      answers.push(faultOf(request, 'DEADLINE_PASSED'))
    } else commands.push(request)
  }
  return { admitted: commands, time: acceptance?.time ?? time, acceptance, isTrusted }
}
