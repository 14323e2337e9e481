/** What the engine gives out, as bytes that are made once for all links. */
import type { EventBatch } from '../../core/exchange/event.ts'
import { ByteWriter } from '../../units/bytes.ts'
import { writeOutput } from '../thread/messages.ts'

export class EncodedEvents {
  readonly #writer = new ByteWriter(1 << 16)
  #batch: EventBatch | undefined
  #bytes: Uint8Array = new Uint8Array()
  /** How many batches it has encoded. */
  encoded = 0

  /** Links are given a batch one after the other, so the last one alone is kept. */
  of(batch: EventBatch): Uint8Array {
    if (batch === this.#batch) return this.#bytes
    this.#writer.reset()
    writeOutput(this.#writer, { events: batch, answers: [] }, true)
    this.#batch = batch
    this.#bytes = this.#writer.take()
    this.encoded++
    return this.#bytes
  }
}
