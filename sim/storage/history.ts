/**
 * Trade history that outlives its process: complete appends, of which a power cut may remove the newest
 * unflushed ones. Pages are answered by the history in memory.
 */

import {
  HistoryFault,
  type HistoryStore,
  type HistoryTrade,
  type RecordsBesides,
} from '../../src/engine/history/history.ts'
import {
  HISTORY_NAMES,
  type HistoryAnswers,
  type HistoryName,
  type HistoryRange,
} from '../../src/engine/port/history-questions.ts'
import { JournalFault, type Mark } from '../../src/engine/port/journal.ts'
import { type Seq, seq } from '../../src/units/quantities.ts'
import { MemoryHistory } from '../memory/history.ts'
import type { Random } from '../world/random.ts'
import type { Io } from './io.ts'

type Append = {
  readonly trades: readonly HistoryTrade[]
  readonly end: Mark
  readonly besides: RecordsBesides
}

/** The data of a history that remains when its process has ended. */
export class HistoryMedium {
  appends: Append[] = []
  flushed = 0
  /** The state after all `appends`, rebuilt after a loss. */
  #memory: Promise<MemoryHistory> | undefined

  /** The last command in the history; 0 if there is none. */
  get seq(): Seq {
    return this.appends.at(-1)?.end.seq ?? seq(0)
  }

  /** Whether a power cut could remove anything. */
  get hasUnflushed(): boolean {
    return this.flushed < this.appends.length
  }

  /** Removes the file. */
  clear(): void {
    this.appends = []
    this.flushed = 0
    this.#memory = undefined
  }

  powerCut(random: Random): void {
    const kept = random.between(this.flushed, this.appends.length)
    if (kept < this.appends.length) this.#memory = undefined
    this.appends.length = kept
    this.flushed = kept
  }

  memory(): Promise<MemoryHistory> {
    this.#memory ??= loaded(this.appends)
    return this.#memory
  }
}

export function simulatedHistory(medium: HistoryMedium, io: Io): HistoryStore {
  let memory = medium.memory()
  const answer = <Name extends HistoryName>(name: Name) => {
    return async (range: HistoryRange<Name>) => {
      await io.pause()
      const answers: HistoryAnswers = await memory
      return answers[name](range)
    }
  }
  const answers = Object.fromEntries(HISTORY_NAMES.map((name) => [name, answer(name)])) as HistoryAnswers
  return {
    ...answers,
    position: async () => (await memory).position(),
    append: async (trades, end, besides = {}) => {
      await io.pause()
      write(io)
      medium.appends.push({ trades, end, besides })
      await (await memory).append(trades, end, besides)
    },
    flush: async () => {
      await io.pause()
      write(io)
      medium.flushed = medium.appends.length
    },
    clear: async () => {
      medium.clear()
      memory = medium.memory()
    },
    close: async () => {},
  }
}

/** Takes the space of a write and may fail like one; the bytes themselves are not simulated. */
function write(io: Io): void {
  try {
    io.requireRoom('history')
    io.sync('history')
  } catch (cause) {
    if (!(cause instanceof JournalFault)) throw cause
    const kind = cause.kind === 'STORAGE_FULL' ? 'STORAGE_FULL' : 'UNUSABLE'
    throw new HistoryFault(kind, cause.message, { cause })
  }
}

async function loaded(appends: readonly Append[]): Promise<MemoryHistory> {
  const memory = new MemoryHistory()
  for (const { trades, end, besides } of appends) await memory.append(trades, end, besides)
  return memory
}
