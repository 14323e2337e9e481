/** Slips along a pattern: bounds that only much data reaches. Each leaves one out, or far too wide. */
import type { Slip } from '../slips.ts'

const LINK = 'src/drivers/link'

export const BOUND_SLIPS: readonly Slip[] = [
  {
    wrong: 'a replica is given as many bytes of batches as it asks for',
    file: `${LINK}/replica-session.ts`,
    before: 'Math.min(maxBytes, PULL_BYTES_MAX)',
    after: 'maxBytes',
  },
  {
    wrong: 'a replica is given a piece of a snapshot of any size',
    file: `${LINK}/replica-session.ts`,
    before: 'Math.min(bytes, PIECE_BYTES_MAX)',
    after: 'bytes',
  },
  {
    wrong: 'a snapshot of any size is copied into memory',
    file: `${LINK}/snapshot-copy.ts`,
    before: 'if (payloadBytes > bytesMax)',
    after: 'if (payloadBytes > 2 * bytesMax)',
  },
  {
    wrong: 'a snapshot that is never right is asked for without end',
    file: `${LINK}/snapshot-copy.ts`,
    before: 'tried < TRIES; tried++',
    after: 'tried < 1_000 * TRIES; tried++',
  },
  {
    wrong: 'a gateway collects what its engine does not take without end',
    file: `${LINK}/link-connection.ts`,
    before: 'if (queued <= queueBytesMax) {',
    after: 'if (queued <= 1_000 * queueBytesMax) {',
  },
  {
    wrong: 'queries of a gateway are not counted among what it has under way',
    file: `${LINK}/link-session.ts`,
    before: 'if (this.#inFlight >= this.#options.inFlightMax) this.#fault',
    after: "if (request.kind === 'command' && this.#inFlight >= this.#options.inFlightMax) this.#fault",
  },
]
