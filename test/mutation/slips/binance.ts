/** Slips in the port for clients of Binance. */
import type { Slip } from '../slips.ts'

export const BINANCE: readonly Slip[] = [
  {
    wrong: 'a signature in capitals is another one than in small letters',
    file: 'src/server/binance/access/signature-use.ts',
    before: '? signature.toLowerCase()',
    after: '? signature',
  },
  {
    wrong: 'a signature in base64 is another one than in hexadecimal',
    file: 'src/server/binance/access/signature-use.ts',
    before: "Buffer.from(signature, 'base64').toString('hex')",
    after: 'signature',
  },
  {
    wrong: 'a signature that has read opens an endpoint that changes something',
    file: 'src/server/binance/access/signature-use.ts',
    before: "row.security === 'TRADE' ? addressOf(row) : READING",
    after: 'READING',
  },
  {
    wrong: 'a signature that has opened one endpoint opens any other',
    file: 'src/server/access/auth/memory-nonces.ts',
    before: 'opens !== undefined && taken.get(nonce) === opens',
    after: 'opens !== undefined',
  },
  {
    wrong: 'a signature that subscribes reads at every endpoint too',
    file: 'src/server/binance/api/api-session.ts',
    before: 'this.#signedIn(context, row, message, method, services)',
    after: "this.#signedIn(context, row, message, 'READING', services)",
  },
  {
    wrong: 'a key of a secret may be logged on',
    file: 'src/server/binance/api/api-session.ts',
    before: '      if (signed.apiKey.publicKey === undefined) return notForSecrets()\n',
    after: '',
  },
  {
    wrong: 'the digits of a number are those that the program would write',
    file: 'src/units/bounded-json.ts',
    before: 'new WrittenNumber(source ?? String(value))',
    after: 'new WrittenNumber(String(value))',
  },
  {
    wrong: 'a key that is revoked stays logged on until its next request',
    file: 'src/server/binance/api/holders.ts',
    before: '        this.#check(this.#logins.ofKey(event.apiKey.apiKey), now)\n',
    after: '',
  },
  {
    wrong: 'a restricted account is followed on',
    file: 'src/server/binance/api/holders.ts',
    before: '        this.#check(this.#logins.ofAccount(event.account.id), now)\n',
    after: '',
  },
  {
    wrong: 'an order that was open before the subscription is reported as new',
    file: 'src/server/binance/user-data/user-data-reader.ts',
    before: '    this.#know(orders)\n',
    after: '',
  },
  {
    wrong: 'each fill is reported with the figures after the last one',
    file: 'src/server/binance/user-data/execution-reports.ts',
    before: '    order.quantity -= quantity\n',
    after: '',
  },
  {
    wrong: 'the first fill of an order that is filled in the end says FILLED',
    file: 'src/server/binance/user-data/execution-reports.ts',
    before: "order.left === 0 && order.shown.status === 'FILLED'",
    after: "order.shown.status === 'FILLED'",
  },
  {
    wrong: 'a client that takes nothing is followed without a limit',
    file: 'src/server/binance/user-data/user-data-reader.ts',
    before: 'this.#waitingRows > 0 && this.#waitingRows + rows > WAITING_ROWS_MAX',
    after: 'false',
  },
  {
    wrong: 'a connection goes on after its 24 hours',
    file: 'src/server/binance/wire-sockets.ts',
    before: 'if (age >= LIFE_MS) socket.close(',
    after: 'if (age >= 2 * LIFE_MS) socket.close(',
  },
  {
    wrong: 'an order is found by its number whatever id it is said to have',
    file: 'src/server/binance/orders/find-order.ts',
    before: 'clientIdOf(orderMembers(shown.order, shown.symbol)) !== clientOrderId',
    after: 'false',
  },
]
