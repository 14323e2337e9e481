/** The output of the engine, encoded once for all links. */
import type { EventBatch } from '../../../core/events/event.ts'
import { ByteWriter } from '../../../units/bytes.ts'
import { writeOutput } from '../../thread/messages.ts'

export class EncodedEvents {
  readonly #writer = new ByteWriter(1 << 16)
  #last: { readonly batch: EventBatch; readonly bytes: Uint8Array } | undefined
  /** Number of batches encoded so far. */
  encoded = 0

  /** The batch's bytes. Links receive the same batch one after the other, so only the last one is kept. */
  of(batch: EventBatch): Uint8Array {
    if (this.#last?.batch === batch) return this.#last.bytes
    this.#writer.reset()
    writeOutput(this.#writer, { events: batch, answers: [] }, true)
    this.#last = { batch, bytes: this.#writer.take() }
    this.encoded++
    return this.#last.bytes
  }
}
