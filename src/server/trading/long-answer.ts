/**
 * Answers too long to be made or sent in one piece: a slice is made when it is asked for.
 */

/** Longest text that is sent in one piece, with its length. */
export const WHOLE_ANSWER_MAX = 64 * 1024

/** What one slice of a list holds while it is made and waits: its records, their text, and the text's bytes. */
const LIST_SLICE_BYTES = 256 * 1024

/** The body of a success in slices. */
export class LongAnswer {
  readonly slices: AsyncIterator<string | Uint8Array, void>
  /** What it holds in memory until it is sent. */
  readonly bytes: number

  private constructor(slices: AsyncIterator<string | Uint8Array, void>, bytes: number) {
    this.slices = slices
    this.bytes = bytes
  }

  /** A text that is there already. */
  static ofText(text: string): LongAnswer {
    const bytes = Buffer.from(text)
    return new LongAnswer(pieces(bytes), bytes.length)
  }

  /** Slices that are made when they are asked for; `heldBytes`: what is kept meanwhile to make them of. */
  static ofSlices(slices: AsyncIterator<string, void>, heldBytes = 0): LongAnswer {
    return new LongAnswer(slices, LIST_SLICE_BYTES + heldBytes)
  }
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += WHOLE_ANSWER_MAX) yield bytes.subarray(at, at + WHOLE_ANSWER_MAX)
}
