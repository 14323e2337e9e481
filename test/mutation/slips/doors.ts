/** Slips in authentication, limits, views and stream. */
import type { Slip } from '../slips.ts'

export const DOORS: readonly Slip[] = [
  {
    wrong: 'recvWindow is one millisecond too long',
    file: 'src/gateway/auth/time-window.ts',
    before: 'now - timestamp > recvWindowMs',
    after: 'now - timestamp > recvWindowMs + 1',
  },
  {
    wrong: 'recvWindow is exclusive',
    file: 'src/gateway/auth/time-window.ts',
    before: 'now - timestamp > recvWindowMs',
    after: 'now - timestamp >= recvWindowMs',
  },
  {
    wrong: 'a timestamp one second ahead is accepted',
    file: 'src/gateway/auth/time-window.ts',
    before: 'timestamp >= now + AHEAD_MS',
    after: 'timestamp > now + AHEAD_MS',
  },
  {
    wrong: 'any timestamp ahead is accepted',
    file: 'src/gateway/auth/time-window.ts',
    before: 'if (timestamp >= now + AHEAD_MS) {',
    after: 'if (timestamp < 0) {',
  },
  {
    wrong: 'a recvWindow above a minute is accepted',
    file: 'src/gateway/auth/time-window.ts',
    before: 'parseWholeNumber(text, 0, RECV_WINDOW_MAX_MS)',
    after: 'parseWholeNumber(text, 0, RECV_WINDOW_MAX_MS * 2)',
  },
  {
    wrong: 'only the first half of a signature is compared',
    file: 'src/gateway/auth/signature.ts',
    before: 'timingSafeEqual(hasher.digest(), claimed)',
    after: 'timingSafeEqual(hasher.digest().subarray(0, 16), claimed.subarray(0, 16))',
  },
  {
    wrong: 'the body is not signed',
    file: 'src/gateway/auth/signature.ts',
    before: '    if (body !== undefined) hasher.update(body)\n',
    after: '',
  },
  {
    wrong: 'the query string is not signed',
    file: 'src/gateway/auth/signature.ts',
    before: '.copy().update(query)',
    after: '.copy()',
  },
  {
    wrong: "a key's list of addresses is ignored",
    file: 'src/gateway/auth/authenticate.ts',
    before: 'if (apiKey.addresses.length === 0) return true',
    after: 'if (apiKey.addresses.length >= 0) return true',
  },
  {
    wrong: 'a disabled key is let in',
    file: 'src/gateway/auth/authenticate.ts',
    before: "  if (!apiKey.enabled) return refuse('KEY_DISABLED', {})\n",
    after: '',
  },
  {
    wrong: 'a missing permission does not matter',
    file: 'src/gateway/auth/authenticate.ts',
    before: 'apiKey.permissions.includes(permission) ? undefined',
    after: 'permission !== undefined ? undefined',
  },
  {
    wrong: 'cancelling needs the permission to read only',
    file: 'src/gateway/http/endpoints/cancel-order.ts',
    before: 'security: TRADE,',
    after: "security: { kind: 'SIGNED', permission: 'USER_DATA' },",
  },
  {
    wrong: 'cancelling needs no signature',
    file: 'src/gateway/gateway.ts',
    before: "const isSigned = security.kind === 'SIGNED'",
    after: "const isSigned = security.kind === 'SIGNED' && request.method !== 'DELETE'",
  },
  {
    wrong: 'an IPv6 allow-list matches by its first half',
    file: 'src/gateway/auth/address.ts',
    before: 'BigInt(WIDTH[range.family] - range.prefix)',
    after: 'BigInt(WIDTH[range.family] - Math.min(range.prefix, 64))',
  },
  {
    wrong: 'a ban ends at once',
    file: 'src/gateway/limits/address-limits.ts',
    before: 'now < ban.until',
    after: 'now > ban.until',
  },
  {
    wrong: 'one request too many a minute',
    file: 'src/gateway/limits/address-limits.ts',
    before: 'use.weight + weight <= this.#config.weightPerMinuteMax',
    after: 'use.weight < this.#config.weightPerMinuteMax',
  },
  {
    wrong: 'one order too many in a window',
    file: 'src/gateway/limits/order-limits.ts',
    before: '(this.#countByAccount.get(accountId) ?? 0) < this.#window.ordersMax',
    after: '(this.#countByAccount.get(accountId) ?? 0) <= this.#window.ordersMax',
  },
  {
    wrong: 'depth leaves out its last level',
    file: 'src/views/depth.ts',
    before: 'at >= end; at--',
    after: 'at > end; at--',
  },
  {
    wrong: 'a level that has gone is still shown',
    file: 'src/views/depth.ts',
    before: 'if (!found) return',
    after: 'return',
  },
  {
    wrong: 'recent trades are oldest first',
    file: 'src/views/recent-trades.ts',
    before: '(this.#oldest + length - back) % length',
    after: '(this.#oldest + back - 1) % length',
  },
  {
    wrong: 'a change is sent before the book that it changes',
    file: 'src/gateway/stream/session.ts',
    before: '    if (this.#stale.has(room)) return\n',
    after: '',
  },
  {
    wrong: 'a book is sent that is older than the changes sent after it',
    file: 'src/gateway/stream/room.ts',
    before: '    this.#snapshot = undefined\n',
    after: '',
  },
]
