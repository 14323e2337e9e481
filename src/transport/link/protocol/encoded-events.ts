/** The output of the engine, encoded once for all links of the same version. */
import type { EventBatch } from '../../../core/events/event.ts'
import { ByteWriter } from '../../../units/bytes.ts'
import { writeOutput } from '../../thread/messages.ts'
import { COMMAND_ENDS_VERSION } from './greeting.ts'

type Encoded = { batch: EventBatch | undefined; bytes: Uint8Array }

export class EncodedEvents {
  readonly #writer = new ByteWriter(1 << 16)
  readonly #withEnds: Encoded = { batch: undefined, bytes: new Uint8Array() }
  readonly #withoutEnds: Encoded = { batch: undefined, bytes: new Uint8Array() }
  /** Number of batches encoded so far. */
  encoded = 0

  /**
   * The batch, encoded for a link of this version. Links receive the same batch one after the other, so only
   * the last one is kept.
   */
  of(batch: EventBatch, version: number): Uint8Array {
    const hasEnds = version >= COMMAND_ENDS_VERSION
    const last = hasEnds ? this.#withEnds : this.#withoutEnds
    if (batch === last.batch) return last.bytes
    const { seq, time, events } = batch
    this.#writer.reset()
    writeOutput(this.#writer, { events: hasEnds ? batch : { seq, time, events }, answers: [] }, true)
    last.batch = batch
    last.bytes = this.#writer.take()
    this.encoded++
    return last.bytes
  }
}
