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
  {
    wrong: 'a savings deposit without money is said to lack savings',
    file: 'src/gateway/admin/submit.ts',
    before: "if (command.kind === 'MoveSavings' && !command.isDeposit)",
    after: "if (command.kind === 'MoveSavings' && command.isDeposit)",
    tests: ['src/gateway/admin/submit.test.ts'],
  },
  {
    wrong: 'what is lacking is said to lack where it was to go',
    file: 'src/gateway/admin/submit.ts',
    before: 'command.from}.`',
    after: 'command.to}.`',
    tests: ['src/gateway/admin/submit.test.ts'],
  },
  {
    wrong: 'rates of an account are taken away by an empty maker rate alone',
    file: 'src/gateway/admin/support/accounts.ts',
    before: "if (makerRate === '' && takerRate === '') return undefined",
    after: "if (makerRate === '') return undefined",
    tests: ['src/gateway/admin/support/accounts.test.ts'],
  },
  {
    wrong: 'an order rate that is over is given again with other terms',
    file: 'src/gateway/admin/support/accounts.ts',
    before: '? isKept(before.orderRate)',
    after: '? before.orderRate',
    tests: ['src/gateway/admin/support/accounts.test.ts'],
  },
  {
    wrong: 'a limit of open orders that is over is given again with other terms',
    file: 'src/gateway/admin/support/accounts.ts',
    before: '? isKept(before.openOrders)',
    after: '? before.openOrders',
    tests: ['src/gateway/admin/support/accounts.test.ts'],
  },
  {
    wrong: 'a value of a note ends at its second equals sign',
    file: 'src/gateway/admin/support/accounts.ts',
    before: 'value: text.slice(at + 1)',
    after: "value: text.split('=')[1] ?? ''",
    tests: ['src/gateway/admin/support/accounts.test.ts'],
  },
  {
    wrong: 'an account that two words of a question name is found twice',
    file: 'src/gateway/admin/support/account-search.ts',
    before: 'found.filter(({ id }, index) => found.findIndex((one) => one.id === id) === index)',
    after: 'found',
    tests: ['src/gateway/admin/support/account-search.test.ts'],
  },
  {
    wrong: "an account's story has the approvals of all accounts",
    file: 'src/gateway/admin/support/story.ts',
    before: '      .filter((one) => one.account === name)\n',
    after: '',
    tests: ['src/gateway/admin/support/story.test.ts'],
  },
  {
    wrong: 'a password in the address of an exchange is sent along',
    file: 'src/client/http/attempt.ts',
    before: "base.username !== '' || base.password !== '' ||",
    after: "base.username !== '' ||",
    tests: ['src/client/client.test.ts'],
  },
  {
    wrong: 'an exchange with TLS is no exchange',
    file: 'src/client/http/attempt.ts',
    before: '!/^https?:$/.test(base.protocol)',
    after: '!/^http:$/.test(base.protocol)',
    tests: ['src/client/client.test.ts'],
  },
  {
    wrong: 'a shorter wait ends a longer one',
    file: 'src/client/http/caller.ts',
    before: 'Math.max(this.#quietUntil, this.#platform.now() + error.retryAfterMs)',
    after: 'this.#platform.now() + error.retryAfterMs',
    tests: ['src/client/client.test.ts'],
  },
  {
    wrong: 'an amendment over the stream is a cancel',
    file: 'src/client/stream/stream-orders.ts',
    before: "[ENDPOINTS.amendOrder, 'order.amend']",
    after: "[ENDPOINTS.amendOrder, 'order.cancel']",
    tests: ['src/client/stream/routed-sender.test.ts'],
  },
  {
    wrong: 'the ledger is read from its newest entry, wherever the caller begins',
    file: 'src/client/pages.ts',
    before: 'const asked = { ...parameters, before: before ?? parameters.before }',
    after: 'const asked = { ...parameters, before }',
    tests: ['src/client/pages.test.ts'],
  },
  {
    wrong: "decimals of different places are compared by the first one's",
    file: 'src/client/decimal.ts',
    before: 'const places = Math.max(this.#places, to.#places)\n    const [a, b]',
    after: 'const places = this.#places\n    const [a, b]',
    tests: ['src/client/decimal.test.ts'],
  },
]
