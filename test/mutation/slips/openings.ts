/** Slips in what it costs others that somebody opens connections of the stream, and in what counts against who does. */
import type { Slip } from '../slips.ts'

export const OPENING_SLIPS: readonly Slip[] = [
  {
    wrong: 'all sessions that wait open in one turn of the event loop',
    file: 'src/gateway/stream/opening-turns.ts',
    before: 'if (this.#waiting.size === 1) this.#soon',
    after: 'this.#soon',
  },
  {
    wrong: 'sessions that waited for their turn together pass the limit of connections together',
    file: 'src/gateway/stream/stream.ts',
    before:
      'return this.#refusedOpening(client) ?? this.#socketIo.handle(request, server, sessionId, client)',
    after: 'return this.#socketIo.handle(request, server, sessionId, client)',
    tests: ['src/gateway/stream/opening-turns.test.ts'],
  },
]
