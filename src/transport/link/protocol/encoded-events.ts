/** What the engine gives out, as bytes that are made once for all links of a version. */
import type { EventBatch } from '../../../core/exchange/event.ts'
import { ByteWriter } from '../../../units/bytes.ts'
import { writeOutput } from '../../thread/messages.ts'
import { COMMAND_ENDS_VERSION } from './greeting.ts'

type Encoded = { batch: EventBatch | undefined; bytes: Uint8Array }

export class EncodedEvents {
  readonly #writer = new ByteWriter(1 << 16)
  readonly #withEnds: Encoded = { batch: undefined, bytes: new Uint8Array() }
  readonly #withoutEnds: Encoded = { batch: undefined, bytes: new Uint8Array() }
  /** How many batches it has encoded. */
  encoded = 0

  /** For a link of this version. Links are given a batch one after the other, so the last one alone is kept. */
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
