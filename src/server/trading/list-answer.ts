/**
 * A list of the gateway's own as an answer: a short one at once, a long one piece by piece on the lane, so
 * that others wait for one piece and not for the complete list.
 */
import { LongAnswer } from './long-answer.ts'
import type { WorkLane } from './work-lane.ts'

/** Number of rows in one piece. */
const ROWS_PER_PIECE = 250

export type List<Row> = {
  /** Text before the rows. */
  readonly head: string
  readonly rows: readonly Row[]
  /** The rows as text, separated by commas; called when their piece is due. */
  readonly words: (rows: readonly Row[]) => string
  /** Text after the rows. */
  readonly end: string
  /** Approximate memory of a row before it is converted to text. */
  readonly rowBytes: number
}

export function listAnswer<Row>(list: List<Row>, lane: WorkLane): string | LongAnswer {
  const { head, rows, words, end, rowBytes } = list
  if (rows.length <= ROWS_PER_PIECE) return head + words(rows) + end
  return LongAnswer.ofSlices(slicesOf(list, lane), rows.length * rowBytes)
}

/** The list as one text, created in pieces: for callers that hold nothing else in the meantime. */
export async function listText<Row>(list: Omit<List<Row>, 'rowBytes'>, lane: WorkLane): Promise<string> {
  let text = ''
  for await (const slice of slicesOf(list, lane)) text += slice
  return text
}

/** The text of the list, a piece at a time. */
async function* slicesOf<Row>(
  { head, rows, words, end }: Omit<List<Row>, 'rowBytes'>,
  lane: WorkLane,
): AsyncGenerator<string, void> {
  const wordsAt = (at: number) => () => words(rows.slice(at, at + ROWS_PER_PIECE))
  yield head + (await lane.first(wordsAt(0)))
  for (let at = ROWS_PER_PIECE; at < rows.length; at += ROWS_PER_PIECE) {
    yield `,${await lane.further(wordsAt(at))}`
  }
  yield end
}
