/**
 * Slips in the limits on opening connections of the stream, which protect others, and in their accounting.
 */
import type { Slip } from '../slips.ts'

export const OPENING_SLIPS: readonly Slip[] = [
  {
    wrong: 'all sessions that wait open in one turn of the event loop',
    file: 'src/server/stream/transport/opening-turns.ts',
    before: 'if (this.#waiting.size === 1) this.#soon',
    after: 'this.#soon',
  },
  {
    wrong: 'sessions that waited for their turn together pass the limit of connections together',
    file: 'src/server/stream/stream.ts',
    before:
      'return this.#refusedOpening(client) ?? this.#socketIo.handle(request, server, sessionId, client)',
    after: 'return this.#socketIo.handle(request, server, sessionId, client)',
    tests: ['src/server/stream/transport/opening-turns.test.ts'],
  },
  {
    wrong: 'openings of stream connections are not refused',
    file: 'src/server/stream/stream.ts',
    before: 'if (uncounted !== undefined) return this.#fail(uncounted, client)',
    after: '',
    tests: ['test/order-entry/openings.test.ts'],
  },
  {
    wrong: 'the upgrade of a session that polls is one more opening',
    file: 'src/server/stream/stream.ts',
    before: 'const uncounted = isNew ?',
    after: "const uncounted = isNew || request.headers.has('upgrade') ?",
    tests: ['test/order-entry/openings.test.ts'],
  },
  {
    wrong: 'what opens a connection, and is refused, counts as no opening',
    file: 'src/server/access/limits/address-limits.ts',
    before: "return this.#take(address, use, 'openings', 1, now)",
    after: "return this.#take(address, use, 'openings', 0, now)",
  },
  {
    wrong: 'a banned address lengthens its ban by opening more',
    file: 'src/server/access/limits/address-limits.ts',
    before: 'const until = this.#config.isEnabled ? this.#bannedUntil(address, use, now) : undefined',
    after: 'const until: TimeMs | undefined = undefined',
  },
  {
    wrong: 'openings are not told to other gateways',
    file: 'src/app/gateways/count-messages.ts',
    before: 'if (counts.openings > 0) openings.push([address, counts.openings])',
    after: '',
  },
  {
    wrong: 'a gateway without a link allows all openings of the whole',
    file: 'src/app/gateways/shared-counts.ts',
    before: 'openingsPerMinuteMax: part(limits.openingsPerMinuteMax),',
    after: '',
  },
  {
    wrong: 'the stream’s refusals are in no metric',
    file: 'src/server/stream/stream.ts',
    before: 'this.#options.addresses?.refused(client.address, refusal.reason)',
    after: '',
    tests: ['test/order-entry/openings.test.ts'],
  },
  {
    wrong: 'a frame that the runtime does not read counts for nothing',
    file: 'src/server/stream/stream.ts',
    before: 'if (cause !== undefined) this.#cutByRuntime(socket, cause)',
    after: '',
    tests: ['src/server/stream/runtime-cuts.test.ts'],
  },
  {
    wrong: 'a client that says goodbye in the words of the runtime is counted as one that was cut off',
    file: 'src/server/stream/intake/intake.ts',
    before: 'if (code !== ENDED_BY_RUNTIME || !reason',
    after: 'if (!reason',
    tests: ['src/server/stream/runtime-cuts.test.ts'],
  },
  {
    wrong: 'a session that posts too much ends, and counts for nothing',
    file: 'src/server/stream/transport/engine-link.ts',
    before: "if (reason === 'BODY_TOO_LARGE') this.intake.cut('BYTES')",
    after: "if (reason === 'BODY_TOO_LARGE') this.abort()",
    tests: ['src/server/stream/runtime-cuts.test.ts'],
  },
]
