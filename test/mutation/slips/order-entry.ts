/** Slips in logins and orders over the stream. */
import type { Slip } from '../slips.ts'

export const ORDER_ENTRY: readonly Slip[] = [
  {
    wrong: 'a strict key logs in without a nonce',
    file: 'src/server/access/auth/authenticate.ts',
    before: "return claim?.kind === 'PLAIN' && apiKey?.strictSignature ? refuse",
    after: "return claim?.kind === 'PLAIN' && !apiKey ? refuse",
  },
  {
    wrong: 'a login outlives the time of its key',
    file: 'src/server/order-entry/login.ts',
    before: 'return isKnown && now < this.#goodUntil ?',
    after: 'return isKnown || now < this.#goodUntil ?',
  },
  {
    wrong: 'a login outlives a change of its key',
    file: 'src/server/order-entry/login.ts',
    before: 'const isKnown = record === this.#record && ',
    after: 'const isKnown = ',
  },
  {
    wrong: 'a login outlives the secret that signed it',
    file: 'src/server/order-entry/login.ts',
    before: 'return isPresent ? keyEnd :',
    after: 'return isPresent || keyEnd > 0 ? keyEnd :',
  },
  {
    wrong: 'what was not given is signed as empty',
    file: 'src/server/order-entry/login.ts',
    before: 'SIGNED.filter((name) => parameters.has(name))',
    after: 'SIGNED.filter((name) => name.length > 0)',
  },
  {
    wrong: 'a ban leaves logins alone',
    file: 'src/server/public/gateway.ts',
    before: 'entry.banned(address, refusal)',
    after: 'void [address, refusal]',
  },
  {
    wrong: 'a request needs no permission',
    file: 'src/server/order-entry/entry-session.ts',
    before: 'permission === undefined || mayUse(key.permissions, permission)',
    after: 'permission === undefined || key.permissions.length > 0',
  },
  {
    wrong: 'one request more than may be is under way on a connection',
    file: 'src/server/order-entry/entry-session.ts',
    before: 'return requests > requestsMax ?',
    after: 'return requests > requestsMax + 1 ?',
  },
  {
    wrong: 'logins of a connection may be under way in any number',
    file: 'src/server/order-entry/entry-session.ts',
    before: 'return this.#underWayRefusal() ?? this.#logIn(',
    after: 'return this.#logIn(',
  },
  {
    wrong: 'what a closed connection had under way stays under way',
    file: 'src/server/order-entry/entry-session.ts',
    before: '    underWay.ended()\n',
    after: '    if (!this.#isEnded) underWay.ended()\n',
  },
  {
    wrong: 'a parameter that does not belong is passed over',
    file: 'src/server/order-entry/entry-session.ts',
    before: '    if (untakenName !== undefined) return untakenName\n',
    after: '',
  },
  {
    wrong: 'a refused login does not count as malformed',
    file: 'src/server/order-entry/entry-session.ts',
    before: 'if (isMalformed(reason))',
    after: "if (isMalformed(reason) && reason === 'WAF')",
  },
  {
    wrong: 'a number of 16 digits is taken',
    file: 'src/server/trading/fields.ts',
    before: 'const DIGITS_MAX = 15',
    after: 'const DIGITS_MAX = 16',
  },
  {
    wrong: 'a login is a request over HTTP',
    file: 'src/server/http/request-parameters.ts',
    before: 'CONTROL_CHARACTER.test(text)',
    after: 'CONTROL_CHARACTER.test(text.slice(8))',
  },
  {
    wrong: 'the first of many answers is lost',
    file: 'src/server/stream/transport/answer-output.ts',
    before: 'writer.textFrom(this.#messages > 1 ? 0 : 1)',
    after: 'writer.textFrom(this.#messages > 2 ? 0 : 1)',
  },
  {
    wrong: 'answers are left out for who does not read',
    file: 'src/server/stream/session.ts',
    before: 'if (!this.#send(frames, this.#heldBytes(frames, length), pending)) this.#link.abort()',
    after: 'if (pending === 0) this.#send(frames, this.#heldBytes(frames, length), pending)',
  },
  {
    wrong: 'where too much is kept for the slow, whoever comes next ends',
    file: 'src/server/private-feed/held-memory.ts',
    before: 'if (bytes <= most) continue',
    after: 'if (bytes < most) continue',
  },
  {
    wrong: 'what others have read before is given to whoever has it already',
    file: 'src/server/private-feed/shared-readings.ts',
    before: 'kept.updates.filter(({ seq }) => seq > after)',
    after: 'kept.updates',
  },
  {
    wrong: 'a slow client is cut without a word',
    file: 'src/server/stream/feed-sender.ts',
    before: '    if (this.#isWarned) return true\n',
    after: '    return true\n',
  },
]
