/**
 * A long answer as the body of an HTTP response. A slice is produced when the client's connection has room
 * for it: a client that reads slowly causes one slice to stay in memory, and one that does not read is
 * disconnected.
 */
import type { Release } from '../access/limits/answers-under-way.ts'
import type { LongAnswer } from '../trading/long-answer.ts'

/** Time limit for a client to read one slice. */
export const SLICE_TIMEOUT_MS = 30_000

/** Calls `task` after `delayMs`; the returned function cancels the call. */
export type Later = (task: () => void, delayMs: number) => () => void

export type Sending = {
  /** Called once, when the memory is free again. */
  readonly release: Release
  /**
   * Called with the cause when an answer could not be finished; its connection is closed then, without the
   * end of the body.
   */
  readonly onBroken: (cause: unknown) => void
  readonly later: Later
}

const encoder = new TextEncoder()

/** The bytes of an answer, produced when the runtime requests them. */
export function bodyOf(
  { slices }: LongAnswer,
  { release, onBroken, later }: Sending,
): ReadableStream<Uint8Array> {
  let cancelTimeout = () => {}
  let isEnded = false
  const end = () => {
    isEnded = true
    cancelTimeout()
    release()
    void slices.return?.()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // The runtime does not even start an answer whose client has disconnected in the meantime.
        cancelTimeout = later(() => cut(controller), SLICE_TIMEOUT_MS)
      },
      async pull(controller) {
        cancelTimeout()
        try {
          const bytes = await nextOf(slices)
          // Meanwhile the client may have disconnected: the rest is not read.
          if (isEnded) return
          if (bytes !== undefined) {
            controller.enqueue(bytes)
            cancelTimeout = later(() => cut(controller), SLICE_TIMEOUT_MS)
            return
          }
          end()
          controller.close()
        } catch (cause) {
          end()
          onBroken(cause)
          controller.error(cause)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )

  function cut(controller: ReadableStreamDefaultController<Uint8Array>): void {
    end()
    controller.error(new SliceNotTakenFault(`the client did not read a slice within ${SLICE_TIMEOUT_MS} ms`))
  }
}

/** The client did not read in time. */
export class SliceNotTakenFault extends Error {
  override readonly name = 'SliceNotTakenFault'
}

/** The next slice that is not empty; undefined if there are no more. */
async function nextOf(slices: AsyncIterator<string | Uint8Array, void>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { value, done } = await slices.next()
    if (done === true || value === undefined) return undefined
    if (value.length > 0) return typeof value === 'string' ? encoder.encode(value) : value
  }
}
