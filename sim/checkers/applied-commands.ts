/**
 * The commands that the exchange applied: the first replica that applies a command records its effect, and
 * every other replica must produce exactly the same effect. An applied command stays in the journal; only an
 * accepted loss removes it.
 */

import type { Command, EngineCommand } from '../../src/core/commands/command.ts'
import { writeCommand } from '../../src/core/commands/command-codec.ts'
import type { ExchangeEvent } from '../../src/core/events/event.ts'
import { writeEvent } from '../../src/core/events/event-codec.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import { writeReply } from '../../src/core/questions/reply-codec.ts'
import { frameBody, framesOf } from '../../src/engine/port/frames.ts'
import type { Batch } from '../../src/engine/port/journal.ts'
import { ByteWriter } from '../../src/units/bytes.ts'
import { Shadow } from './shadow.ts'
import { type Applied, demand } from './shadow-state.ts'

type Entry = Applied & {
  /** The command's bytes, as text; undefined for a quarantined command until the journal contains it. */
  readonly key: string
  /** Time, answer and events, as text. */
  readonly effect: string
}

export class AppliedCommands {
  #shadow = new Shadow()
  readonly #entries: Entry[] = []
  readonly #seqsByKey = new Map<string, number[]>()
  readonly #writer = new ByteWriter(4096)
  readonly #onNew: (applied: Applied) => void

  /** `onNew`: called with every command that is applied for the first time. */
  constructor(onNew: (applied: Applied) => void) {
    this.#onNew = onNew
  }

  /** Number of applied commands. */
  get length(): number {
    return this.#entries.length
  }

  get shadow(): Shadow {
    return this.#shadow
  }

  entry(seq: number): Applied | undefined {
    return this.#entries[seq - 1]
  }

  /** Positions of a command, by its bytes. */
  seqsOf(key: string): readonly number[] {
    return this.#seqsByKey.get(key) ?? []
  }

  /** A replica applied a command. Throws `ViolationError` if another replica applied it differently. */
  applied(
    who: string,
    seq: number,
    time: number,
    command: Command | undefined,
    reply: Reply,
    events: readonly ExchangeEvent[],
    own?: EngineCommand,
  ): void {
    const key = command === undefined ? '' : keyOf(command, this.#writer)
    const effect = this.#effect(time, reply, events)
    const known = this.#entries[seq - 1]
    if (known !== undefined) {
      demand(known.key === key, () => `the ${who} applied another command ${seq} than before`)
      demand(known.effect === effect, () => `command ${seq}: the ${who} came to another result than before`)
      return
    }
    if (who === 'observer') return
    demand(who !== 'follower', () => `the follower is at command ${seq}, the engine at ${this.length}`)
    const entry = { seq, time, command, own, reply, events: [...events], key, effect }
    this.#shadow.take(entry)
    this.#put(entry)
    this.#onNew(entry)
  }

  /** Checks that the stored batches, up to the end of the journal, contain exactly the applied commands. */
  checkStored(batches: readonly Batch[]): void {
    let seq = (batches[0]?.firstSeq ?? 1) - 1
    for (const batch of batches) {
      for (const frame of framesOf(batch.data, batch.count)) {
        const entry = this.#entries[seq++]
        if (entry === undefined || entry.command === undefined) continue
        demand(textOf(frameBody(frame)) === entry.key, () => `the journal holds another command ${seq}`)
      }
    }
    demand(seq >= this.length, () => `command ${this.length} was applied, the journal ends at ${seq}`)
  }

  /** Called when an operator accepted the loss of everything after `seq`. */
  forget(seq: number): void {
    const kept = this.#entries.splice(0).slice(0, seq)
    this.#shadow = new Shadow()
    this.#seqsByKey.clear()
    for (const entry of kept) {
      this.#shadow.take(entry)
      this.#put(entry)
    }
  }

  #put(entry: Entry): void {
    this.#entries.push(entry)
    const seqs = this.#seqsByKey.get(entry.key)
    if (seqs === undefined) this.#seqsByKey.set(entry.key, [entry.seq])
    else seqs.push(entry.seq)
  }

  #effect(time: number, reply: Reply, events: readonly ExchangeEvent[]): string {
    const writer = this.#writer
    writer.reset()
    writer.uint(time)
    writeReply(writer, reply)
    for (const event of events) writeEvent(writer, event)
    return textOf(writer.peek())
  }
}

/** A command's bytes as text: equal for equal commands. */
export function keyOf(command: Command, writer = new ByteWriter()): string {
  writer.reset()
  writeCommand(writer, command)
  return textOf(writer.peek())
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
