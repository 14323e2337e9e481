/** The thread of a cluster's engine: follows, claims and leads. Its first message contains its options. */
import { randomBytes } from 'node:crypto'
import { ClusterEngine } from '../../../engine/leadership/cluster-engine.ts'
import type { LeadHost, LeadReport } from '../../../engine/leadership/cluster-ports.ts'
import { PositionBoard } from '../../../engine/leadership/position-board.ts'
import { JournalFault } from '../../../engine/port/journal.ts'
import { EXCHANGE_FACTORY } from '../../../engine/port/state-machine.ts'
import { ClockBoard } from '../../../engine/writer/clock-board.ts'
import { CLOCK_EVERY_MS, type ClockReading } from '../../../engine/writer/journal-clock.ts'
import { IDLE_DELAY_MS } from '../../../engine/writer/loop.ts'
import { EngineMeter } from '../../../engine/writer/meters.ts'
import { CLAIM_NONCE_BYTES } from '../../../engine/writer/own-batches.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { listen } from '../../../transport/thread/channel.ts'
import { EngineEnd, RUNTIME_CLOCK } from '../../../transport/thread/engine-host.ts'
import { serveBatches } from '../../../transport/thread/follower-feed.ts'
import { watchLoop } from '../../../transport/thread/loop-watch.ts'
import { timeMs } from '../../../units/quantities.ts'
import { openClusterStorage } from '../../node/storage/cluster-storage.ts'
import { prepareStorage } from '../../node/storage/storage.ts'
import type { ClusterWorkerStart, FromClusterWorker, ToClusterWorker } from './messages.ts'
import { searchLeader } from './peer-search.ts'

/** 2026-01-01, older than this program: a machine with an earlier time has a clock that is not set. */
const EARLIEST = timeMs(Date.UTC(2026, 0, 1))

prepareStorage()

addEventListener('message', ({ data }: MessageEvent<ClusterWorkerStart>) => void start(data), { once: true })

async function start(options: ClusterWorkerStart): Promise<void> {
  const { control } = options
  const post = (message: FromClusterWorker, transfer: MessagePort[] = []): void =>
    control.postMessage(message, transfer)
  try {
    post({ kind: 'stopped', report: await runUntilStopped(options, post) })
  } catch (cause) {
    const fault = cause instanceof JournalFault ? cause.kind : undefined
    const message = cause instanceof Error ? cause.message : String(cause)
    post({ kind: 'failed', failure: { message, fault } })
  }
}

type Post = (message: FromClusterWorker, transfer?: MessagePort[]) => void

async function runUntilStopped(options: ClusterWorkerStart, post: Post) {
  const { name, storage, leadership, limits, clockLimits, control } = options
  let { links } = options
  const { openTable, witness, snapshots, knownJournal } = openClusterStorage(storage)
  const meter = new EngineMeter(options.meter)
  watchLoop(meter.loop)
  const leads = new Leads(options, post)
  const engine = await ClusterEngine.open({
    claiming: { openTable, name, nonce: () => randomBytes(CLAIM_NONCE_BYTES), ...leadership },
    searchLeader: (remembered) =>
      searchLeader({
        ...{ links: () => links, name, remembered, scheduler: runtimeScheduler },
        onAnswer: (answer) => post({ kind: 'peer', answer }),
      }),
    machines: EXCHANGE_FACTORY,
    ...{ snapshots, witness, knownJournal, digest: sha256, scheduler: runtimeScheduler, limits, meter },
    clock: {
      sources: RUNTIME_CLOCK,
      limits: clockLimits,
      earliest: EARLIEST,
      readEveryMs: CLOCK_EVERY_MS,
      onReading: (reading) => leads.read(reading),
    },
    idleDelayMs: IDLE_DELAY_MS,
    beginLead: (report) => leads.begin(report),
    onNote: (note) => post({ kind: 'note', note }),
  })
  listen<ToClusterWorker>(control, (message) => {
    switch (message.kind) {
      case 'stop':
        return engine.stop()
      case 'links':
        links = message.links
        return
      case 'halt':
        return engine.halt(new Error(message.why))
      case 'present': {
        const { number, place } = message
        void engine.present(place).then((problem) => post({ kind: 'presented', number, problem }))
        return
      }
    }
  })
  serveBatches(options.batches, engine.feed)
  serveBatches(options.audits, engine.feed)
  engine.caughtUp.then(
    (seq) => post({ kind: 'caughtUp', seq }),
    // The cause is passed to the caller of the worker.
    () => {},
  )
  return await engine.run()
}

/** Each lead of the engine has its own channel for requests. */
class Leads {
  readonly #clockBoard: ClockBoard
  readonly #positions: PositionBoard
  readonly #post: Post
  #end: EngineEnd | undefined

  constructor({ clockBoard, positionBoard }: ClusterWorkerStart, post: Post) {
    this.#clockBoard = new ClockBoard(clockBoard)
    this.#positions = new PositionBoard(positionBoard)
    this.#post = post
  }

  read(reading: ClockReading): void {
    this.#end?.onReading(reading)
  }

  begin(report: LeadReport): LeadHost {
    const { port1, port2 } = new MessageChannel()
    const end = new EngineEnd(port1, this.#clockBoard)
    this.#end = end
    let tail = (): LeadReport['tail'] => report.tail
    this.#positions.write(report.tail)
    this.#post({ kind: 'leads', report, requests: port2 }, [port2])
    return {
      output: (output) => {
        // This comes first: a receiver of the events may request its position at once.
        if (output.events !== undefined) this.#positions.write(tail())
        end.output(output)
      },
      started: (engine) => {
        tail = () => engine.tail
        end.serve(engine, recoveryOf(report))
      },
      ended: (cause) => {
        if (cause === undefined) end.stopped({ snapshotProblem: undefined })
        else end.failed(cause)
        this.#end = undefined
      },
    }
  }
}

/** A lead begins like an engine that has recovered. */
function recoveryOf({ tail, rulesVersion, caughtUpCommands, quarantined, newlyQuarantined }: LeadReport) {
  const { seq } = tail
  return {
    ...{ seq, rulesVersion, snapshotSeq: seq, replayedCommands: caughtUpCommands },
    ...{ quarantined, newlyQuarantined, damagedSnapshots: [] },
    witness: { damage: undefined, accepted: [] },
  }
}
