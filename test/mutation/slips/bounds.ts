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
  {
    wrong: 'one request seals the secrets of all keys anew',
    file: 'src/gateway/admin/master-key.ts',
    before: 'if (resealed + chunk.length < resealedMax) chunk',
    after: 'if (resealed + chunk.length < 1_000 * resealedMax) chunk',
    tests: ['src/gateway/admin/master-key.test.ts'],
  },
  {
    wrong: 'all secrets are sealed anew at once',
    file: 'src/gateway/admin/master-key.ts',
    before: 'if (chunk.length >= underWayMax) await flush()',
    after: 'if (chunk.length >= 1_000 * underWayMax) await flush()',
    tests: ['src/gateway/admin/master-key.test.ts'],
  },
  {
    wrong: 'a refusal names every holder of a role',
    file: 'src/gateway/admin/submit.ts',
    before: 'holders.slice(0, HOLDERS_NAMED)',
    after: 'holders.slice(0)',
    tests: ['src/gateway/admin/submit.test.ts'],
  },
  {
    wrong: 'a role with one holder more than is named has no others',
    file: 'src/gateway/admin/submit.ts',
    before: 'holders.length > HOLDERS_NAMED ?',
    after: 'holders.length > HOLDERS_NAMED + 1 ?',
    tests: ['src/gateway/admin/submit.test.ts'],
  },
  {
    wrong: 'a long name of whoever asks is refused by the journal',
    file: 'src/gateway/admin/submit.ts',
    before: '.slice(0, TEXT_MAX)',
    after: '',
    tests: ['src/gateway/admin/submit.test.ts'],
  },
  {
    wrong: "an account's story has the oldest withdrawals that wait",
    file: 'src/gateway/admin/support/story.ts',
    before: 'slice(-SHOWN).reverse(),\n    approvalsWaiting',
    after: 'slice(0, SHOWN).reverse(),\n    approvalsWaiting',
    tests: ['src/gateway/admin/support/story.test.ts'],
  },
  {
    wrong: "an account's story has the oldest approvals that wait",
    file: 'src/gateway/admin/support/story.ts',
    before: '.slice(-SHOWN)\n',
    after: '.slice(0, SHOWN)\n',
    tests: ['src/gateway/admin/support/story.test.ts'],
  },
  {
    wrong: 'a page that is just full has another one behind it',
    file: 'src/gateway/admin/support/orders.ts',
    before: 'page.orders.length > limit && last',
    after: 'page.orders.length >= limit && last',
    tests: ['src/gateway/admin/support/support.test.ts'],
  },
  {
    wrong: 'an update in many messages has any number of rows',
    file: 'src/client/stream/feed-subscription.ts',
    before: 'all.length + rows.length > (this',
    after: 'rows.length > (this',
    tests: ['src/client/stream/feed-subscription.test.ts'],
  },
  {
    wrong: 'a message of many changes of a book takes all other levels away',
    file: 'src/client/stream/book-side.ts',
    before: 'this.replace([...this.#levels, ...levels])',
    after: 'this.replace(levels)',
    tests: ['src/client/stream/book-side.test.ts'],
  },
  {
    wrong: 'a server that stops keeps a client away for as long as it says',
    file: 'src/client/stream/stream-connection.ts',
    before: 'Math.min(SHUTDOWN_MS_MAX, Math.max(0,',
    after: 'Math.min(Number.MAX_VALUE, Math.max(0,',
    tests: ['src/client/stream/stream-connection.test.ts'],
  },
  {
    wrong: 'a batch that is one operation too long is sent',
    file: 'src/client/http/batches.ts',
    before: 'operations.length > BATCH_MAX',
    after: 'operations.length > BATCH_MAX + 1',
    tests: ['src/client/client.test.ts'],
  },
]
