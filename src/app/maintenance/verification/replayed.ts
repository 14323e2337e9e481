/**
 * A replay of an exchange from its first command, each command with its answer and its effects. The chain is
 * checked on the way; at damage the replay ends and reports it.
 */

import type { ExchangeEvent } from '../../../core/events/event.ts'
import { Exchange } from '../../../core/exchange/exchange.ts'
import { RULES_MIN } from '../../../core/exchange/rules.ts'
import { auditedBatches } from '../../../engine/audit/chain.ts'
import { Findings } from '../../../engine/audit/findings.ts'
import { AuditNames } from '../../../engine/audit/names.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { type Batch, EMPTY_TAIL, lastSeqOf, type Tail } from '../../../engine/port/journal.ts'
import { type ReplayedCommand, ReplayFault, replayCommands } from '../../../engine/writer/recovery/replay.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { printable } from '../../../units/printable.ts'
import { seq } from '../../../units/quantities.ts'
import { isAfter, type Moment } from '../backup/moment.ts'
import { type Audited, openSource } from './data.ts'
import { type AuditHost, EXIT_FINDING, EXIT_SOUND } from './host.ts'
import type { Progress } from './progress.ts'

export type ReplayStep = ReplayedCommand & {
  readonly events: readonly ExchangeEvent[]
  /** The batch that contains the command. */
  readonly batch: Batch
}

export type ReplayState = {
  /** The state after the last command that was passed on. */
  readonly exchange: Exchange
  readonly names: AuditNames
  /** End of the batch that contains the last command applied. */
  readonly tail: Tail
  /**
   * Hash of the journal's first batch, which identifies copies of the same journal; undefined until it is
   * reached.
   */
  readonly firstHash: Uint8Array | undefined
}

export type ReplayOptions = {
  readonly audited: Audited
  readonly host: AuditHost
  readonly progress: Progress
  /** The last command to apply; undefined means all existing ones. */
  readonly until: Moment | undefined
  /** A running node is expected to have the command `until`, and may show it a moment later. */
  readonly mustReach?: true
  /** Called with each batch before its first command is applied. */
  readonly before?: (batch: Batch, state: ReplayState) => void
  /** Receives every command, in order. */
  readonly take: (step: ReplayStep, state: ReplayState) => void
}

/** The outcome of a replay. */
export type Replayed = ReplayState & {
  readonly exitCode: number
  /** The journal continues after the requested moment: sums up to it are final. */
  readonly isPast: boolean
}

type Replaying = { -readonly [Key in keyof Omit<Replayed, 'exitCode'>]: Replayed[Key] }

/** Replays up to a moment, or to damage, which it reports on standard error. */
export async function replayAudited(options: ReplayOptions): Promise<Replayed> {
  const { audited, host } = options
  const atLeast = options.mustReach && options.until?.kind === 'seq' ? options.until.seq : 0
  const source = await (host.journal?.() ?? openSource(audited, seq(atLeast)))
  const findings = new Findings()
  const exchange = new Exchange({ rulesMin: RULES_MIN })
  const names = new AuditNames(exchange.bootstrap().accounts)
  const state: Replaying = { exchange, names, tail: EMPTY_TAIL, firstHash: undefined, isPast: false }
  try {
    await replay(source, options, state, findings)
  } catch (cause) {
    if (!(cause instanceof ReplayFault)) throw cause
    findings.add('REPLAY', cause.message)
  } finally {
    options.progress.end()
    await source.close()
  }
  for (const { check, message } of findings.kept) options.host.printError(`${check}: ${printable(message)}`)
  return { ...state, exitCode: findings.total === 0 ? EXIT_SOUND : EXIT_FINDING }
}

async function replay(
  source: JournalSource,
  { progress, until, before, take }: ReplayOptions,
  state: Replaying,
  findings: Findings,
): Promise<void> {
  const { exchange, names } = state
  let events: ExchangeEvent[] = []
  const sink = (event: ExchangeEvent): void => {
    events.push(event)
    names.sink(event)
  }
  const quarantined = new Set((await source.quarantined()).keys())
  for await (const { batch, tail, isSound } of auditedBatches(source, sha256, findings)) {
    if (!isSound) return
    const isOver = (): boolean => isAfter(until, exchange.seq + 1, batch.time)
    state.isPast = isOver()
    if (state.isPast) return
    state.firstHash ??= batch.hash
    before?.(batch, state)
    const steps = replayCommands(exchange, batch, quarantined, sink)
    state.tail = tail
    for (;;) {
      state.isPast = exchange.seq < lastSeqOf(batch) && isOver()
      if (state.isPast) return
      const next = steps.next()
      if (next.done) break
      take({ ...next.value, events, batch }, state)
      events = []
    }
    progress.at({ seq: tail.seq, endSeq: source.tail.seq })
  }
}
