/** Slips along a pattern: the second of two twins. Each forgets it, or takes it for the first. */
import type { Slip } from '../slips.ts'

const LINK = 'src/drivers/link'

export const TWIN_SLIPS: readonly Slip[] = [
  {
    wrong: 'an engine that is overloaded is not told again that a session is gone',
    file: `${LINK}/link-sessions.ts`,
    before: "(fault.kind === 'OVERLOADED' || fault.kind === 'STORAGE_FULL')",
    after: "fault.kind === 'STORAGE_FULL'",
  },
  {
    wrong: 'an engine that is full is not told again that a session is gone',
    file: `${LINK}/link-sessions.ts`,
    before: "(fault.kind === 'OVERLOADED' || fault.kind === 'STORAGE_FULL')",
    after: "fault.kind === 'OVERLOADED'",
  },
  {
    wrong: 'the end of the connection before ends the session of the one behind it',
    file: `${LINK}/link-sessions.ts`,
    before:
      'if (this.#attachments.get(sessionNumber) === attachment) this.#attachments.delete(sessionNumber)',
    after: 'this.#attachments.delete(sessionNumber)',
  },
  {
    wrong: 'the later of two ends is the one with more commands, not with more batches',
    file: `${LINK}/journal-positions.ts`,
    before: 'other.position > known.position ? other : known',
    after: 'other.seq > known.seq ? other : known',
  },
  {
    wrong: 'an order that is refused for its rate is carried out all the same',
    file: `${LINK}/link-session.ts`,
    before: "      this.#fault(request, 'ORDER_RATE_LIMITED')\n      return\n",
    after: "      this.#fault(request, 'ORDER_RATE_LIMITED')\n",
  },
]
