/** Slips in what of somebody else's texts is read, and how much of it. */
import type { Slip } from '../slips.ts'

export const OUTSIDE_TEXTS: readonly Slip[] = [
  {
    wrong: 'lists inside one another are not bounded',
    file: 'src/units/bounded-json.ts',
    before: 'if (++depth > depthMax) return',
    after: 'if (++depth < 0) return',
  },
  {
    wrong: 'the end of a text behind a backslash ends it',
    file: 'src/units/bounded-json.ts',
    before: 'if (((at - first) & 1) === 0) return at',
    after: 'return at',
  },
  {
    wrong: 'empty lists cost nothing',
    file: 'src/units/bounded-json.ts',
    before: 'if (++values > valuesMax) return',
    after: 'if (values > valuesMax) return',
  },
  {
    wrong: 'a long frame is read before a login',
    file: 'src/server/stream/session.ts',
    before: 'return bytes > max && !this.isLoggedIn ?',
    after: 'return bytes > max && this.isLoggedIn ?',
  },
  {
    wrong: 'before a login every message of a frame is answered',
    file: 'src/server/stream/session.ts',
    before: 'if (this.#refusals > before && !this.isLoggedIn) return',
    after: 'if (this.#refusals > before && this.isLoggedIn) return',
  },
  {
    wrong: 'messages of an address are not counted on a plain WebSocket',
    file: 'src/server/stream/session.ts',
    before: '!this.#budget.admitsMessages(messagesIn(text, shape), this.#now())',
    after: 'messagesIn(text, shape) < 0',
  },
  {
    wrong: 'frames of an address are not counted',
    file: 'src/server/stream/intake/intake.ts',
    before: "this.#options.address?.admits(bytes, frames, now) === false) this.cut('ADDRESS')",
    after: "this.#options.address?.admits(0, 0, now) === false) this.cut('ADDRESS')",
  },
  {
    wrong: 'who closes a connection and opens another begins anew',
    file: 'src/server/stream/intake/address-intakes.ts',
    before: 'if (this.#gone.size <= GONE_MAX) return',
    after: 'if (this.#gone.size <= 0) return',
  },
  {
    wrong: 'a network of IPv6 sends as much as all its addresses',
    file: 'src/server/stream/intake/address-intakes.ts',
    before: 'return this.#wider.every((network) => network.admits(bytes, frames, now))',
    after: 'return this.#wider.every((network) => network.admits(bytes, 0, now))',
  },
  {
    wrong: 'a costly packet hides behind a namespace',
    file: 'src/server/stream/transport/engine-packets.ts',
    before: '(?:(\\/[^,"[\\]{}]*)(?:,|$))?',
    after: '(?:(\\/[^,[\\]{}]*),?)?',
  },
  {
    wrong: 'an acknowledgement number comes back as another',
    file: 'src/server/stream/transport/engine-packets.ts',
    before: 'Number.isSafeInteger(Number(number))',
    after: 'Number.isInteger(Number(number))',
  },
  {
    wrong: 'who is more than an answer behind is told that this was all',
    file: 'src/storage/sqlite/history/updates.ts',
    before: 'upTo: rows.length < rowsMax ? end : upTo',
    after: 'upTo: rows.length <= rowsMax ? end : upTo',
  },
  {
    wrong: 'updates let go of pass for known',
    file: 'src/engine/history/recent-updates.ts',
    before: 'this.#after = oldest.last',
    after: 'void oldest.last',
  },
  {
    wrong: 'the later of window and deadline counts',
    file: 'src/server/order-entry/deadline.ts',
    before: 'window.until <= deadline',
    after: 'window.until >= deadline',
  },
  {
    wrong: 'pages of an account’s past events overlap',
    file: 'src/storage/sqlite/history/events.ts',
    before: 'WHERE kind = ? AND number < ? AND account = ?',
    after: 'WHERE kind = ? AND number <= ? AND account = ?',
  },
  {
    wrong: 'webhooks of a later version are opened',
    file: 'src/storage/sqlite/webhooks.ts',
    before: 'version === FORMAT_VERSION) return',
    after: 'version >= FORMAT_VERSION) return',
  },
  {
    wrong: 'the name of a webhook is looked up again for TLS',
    file: 'src/server/admin/webhooks/deliver.ts',
    before: 'connectTls({ host: address, port',
    after: 'connectTls({ host, port',
  },
  {
    wrong: 'a webhook that was moved sends what it had read',
    file: 'src/server/admin/webhooks/sender.ts',
    before: 'this.#waiting = []\n    this.#readTo = position',
    after: 'this.#readTo = position',
  },
  {
    wrong: 'failed attempts of one event count for the next',
    file: 'src/server/admin/webhooks/sender.ts',
    before: 'this.#waiting = this.#waiting.slice(1)\n    this.#attempts = 0',
    after: 'this.#waiting = this.#waiting.slice(1)',
  },
]
