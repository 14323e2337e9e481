/**
 * Slips of one pattern: refusals that need a hostile peer. Each slip trusts data that the program's own peer
 * would never send.
 */
import type { Slip } from '../slips.ts'

export const REFUSAL_SLIPS: readonly Slip[] = [
  {
    wrong: 'a piece of a snapshot that is longer than what is missing overruns it',
    file: 'src/transport/link/asking/snapshot-copy.ts',
    before: 'piece.length === 0 || piece.length > payloadBytes - at',
    after: 'piece.length === 0',
  },
  {
    wrong: 'who greets may have a name of any length',
    file: 'src/transport/link/protocol/greeting.ts',
    before: 'hello.name.length > PEER_NAME_LENGTH_MAX',
    after: 'hello.name.length > 4 * PEER_NAME_LENGTH_MAX',
  },
  {
    wrong: 'an engine passes over texts of a gateway',
    file: 'src/transport/link/serving/link-end.ts',
    before: "if (typeof frame === 'string') throw new LinkFault('BAD_FRAME', 'expected bytes, found a text')",
    after: "if (typeof frame === 'string') return",
  },
  {
    wrong: 'what comes before the welcome is lost in silence',
    file: 'src/transport/link/serving/link-end.ts',
    before: "throw new LinkFault('BAD_FRAME', 'a frame before the welcome')",
    after: 'return',
  },
  {
    wrong: 'a leader serves ends of any role',
    file: 'src/transport/link/serving/link-end.ts',
    before: 'if (!serves(services, hello.role)) {',
    after: "if (services.kind === 'historian' && !serves(services, hello.role)) {",
  },
  {
    wrong: 'a stranger sends the port of links a body of any size',
    file: 'src/transport/link/serving/link-server.ts',
    before: '      maxRequestBodySize: BODY_BYTES_MAX,\n',
    after: '',
  },
  {
    wrong: 'another program may take part of the links of a port',
    file: 'src/transport/link/serving/link-server.ts',
    before: 'reusePort: false,',
    after: 'reusePort: true,',
  },
  {
    wrong: 'counts of a gateway are taken where nothing is counted',
    file: 'src/transport/link/serving/link-session.ts',
    before:
      "if (this.#options.counts === undefined) throw new LinkFault('BAD_FRAME', 'expected no count frame')\n",
    after: 'if (this.#options.counts === undefined) return\n',
  },
  {
    wrong: 'a barrier may have anything behind it',
    file: 'src/transport/link/protocol/frames.ts',
    before: '      new ByteReader(bytes, 1).end()\n',
    after: '',
  },
  {
    wrong: 'a number is read from a form that is not its own',
    file: 'src/transport/link/protocol/plain-values.ts',
    before: 'if (!isItsForm) throw',
    after: 'if (!isItsForm && value < 0) throw',
  },
  {
    wrong: 'the rest of one command is taken from another',
    file: 'src/client/stream/feed-subscription.ts',
    before: 'return prevSeq === seq && seq === this.#pending.seq',
    after: 'return prevSeq === seq',
    tests: ['src/client/stream/feed-subscription.test.ts'],
  },
  {
    wrong: 'a message of the feed without a place is taken',
    file: 'src/client/stream/feed-subscription.ts',
    before: 'if (!Number.isSafeInteger(seq) || typeof journal',
    after: 'if (typeof journal',
    tests: ['src/client/stream/feed-subscription.test.ts'],
  },
  {
    wrong: 'a shutdown that lies in the past brings all clients back at once',
    file: 'src/client/stream/stream-connection.ts',
    before: 'Math.max(0, Number.isFinite(asked) ? asked : 0)',
    after: 'Number.isFinite(asked) ? asked : 0',
    tests: ['src/client/stream/stream-connection.test.ts'],
  },
  {
    wrong: 'a wait that only begins with a number is taken',
    file: 'src/client/http/answer-body.ts',
    before: 'text !== null && /^\\d{1,9}$/.test(text)',
    after: 'text !== null && /^\\d{1,9}/.test(text)',
    tests: ['src/client/client.test.ts'],
  },
  {
    wrong: 'a gateway gives back what addresses have used',
    file: 'src/app/gateways/count-messages.ts',
    before: 'const COUNT = z.int().nonnegative()',
    after: 'const COUNT = z.int()',
    tests: ['src/app/gateways/shared-counts.test.ts'],
  },
  {
    wrong: 'whatever answers with ok is taken for an admin server',
    file: 'src/cli/admin/client.ts',
    before: "ok === true || (ok === false && typeof error?.reason === 'string')",
    after: 'ok === true || ok === false',
    tests: ['src/cli/admin/client.test.ts'],
  },
  {
    wrong: 'another database is accepted again and again',
    file: 'src/storage/postgres/identity.ts',
    before: '    this.#accepts = false\n',
    after: '',
    tests: ['src/storage/postgres/identity.test.ts'],
  },
  {
    wrong: 'any file under the name of an archive is read for it',
    file: 'src/storage/sqlite/archived-batches.ts',
    before: 'if (!sameBytes(file.digest, digest)) {',
    after: 'if (file.digest.length !== digest.length) {',
    tests: ['src/storage/sqlite/archived-batches.test.ts'],
  },
]
