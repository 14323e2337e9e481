/** Answers that are too long to be created or sent in one piece: slices are created on demand. */

/** Longest text that is sent in one piece, with its length. */
export const WHOLE_ANSWER_MAX = 64 * 1024

/**
 * Memory of one slice of a list while it is made and queued: its records, their text, and the text's bytes.
 */
const LIST_SLICE_BYTES = 256 * 1024

/** The body of a success in slices. */
export class LongAnswer {
  readonly slices: AsyncIterator<string | Uint8Array, void>
  /** Memory that the answer takes until it is sent. */
  readonly bytes: number

  private constructor(slices: AsyncIterator<string | Uint8Array, void>, bytes: number) {
    this.slices = slices
    this.bytes = bytes
  }

  /** An answer whose text exists already. */
  static ofText(text: string): LongAnswer {
    const bytes = Buffer.from(text)
    return new LongAnswer(pieces(bytes), bytes.length)
  }

  /**
   * An answer of slices that are created on demand; `heldBytes`: memory that is held in the meantime to
   * create them.
   */
  static ofSlices(slices: AsyncIterator<string, void>, heldBytes = 0): LongAnswer {
    return new LongAnswer(slices, LIST_SLICE_BYTES + heldBytes)
  }
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += WHOLE_ANSWER_MAX) yield bytes.subarray(at, at + WHOLE_ANSWER_MAX)
}
