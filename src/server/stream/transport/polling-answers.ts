/**
 * Long answers to the polls of one session. The runtime does not report how much it still holds of an answer
 * that it received in one piece, and holds it while the client keeps the connection. So a long answer is
 * passed to it in slices, as the client reads them. The answer counts until the client has read all of it,
 * and the end of the session ends it too.
 */

/**
 * Maximum length of an answer that is passed to the runtime in one piece: the system's socket buffer takes
 * it.
 */
export const WHOLE_ANSWER_BYTES_MAX = 16 * 1024

const SLICE_BYTES = 64 * 1024

type Answer = {
  /** The time at which the client last read a slice, or at which the answer was started. */
  takenAt: number
  readonly cut: () => void
}

export class PollingAnswers {
  readonly #now: () => number
  readonly #underWay = new Set<Answer>()
  #bytes = 0

  /** `now`: milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Bytes of answers that have been started and not read to the end. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether the client has read nothing of some answer for longer than `ms`. */
  isStuckFor(ms: number): boolean {
    const now = this.#now()
    for (const { takenAt } of this.#underWay) if (now - takenAt > ms) return true
    return false
  }

  /** The answer in slices; its body has about `bytes`. */
  inSlices(whole: Response, bytes: number): Response {
    const { status, headers } = whole
    return new Response(this.#body(whole, bytes), { status, headers })
  }

  /** Aborts every answer: their connections are closed. */
  cut(): void {
    for (const answer of this.#underWay) answer.cut()
  }

  #body(whole: Response, bytes: number): ReadableStream<Uint8Array> {
    let content: Uint8Array | undefined
    let sent = 0
    const end = () => {
      if (this.#underWay.delete(answer)) this.#bytes -= bytes
      content = undefined
    }
    let fail: (cause: Error) => void = () => {}
    const answer: Answer = {
      takenAt: this.#now(),
      cut: () => {
        end()
        fail(new PollEndedFault('the session ended before the client had read the answer'))
      },
    }
    this.#underWay.add(answer)
    this.#bytes += bytes
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          fail = (cause) => controller.error(cause)
        },
        pull: async (controller) => {
          content ??= new Uint8Array(await whole.arrayBuffer())
          // Meanwhile the session may have ended.
          if (!this.#underWay.has(answer)) return
          answer.takenAt = this.#now()
          if (sent < content.length) {
            controller.enqueue(content.subarray(sent, sent + SLICE_BYTES))
            sent += SLICE_BYTES
          } else {
            end()
            controller.close()
          }
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    )
  }
}

/** A session ended while an answer was being sent. */
export class PollEndedFault extends Error {
  override readonly name = 'PollEndedFault'
}
