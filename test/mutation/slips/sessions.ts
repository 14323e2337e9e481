/** Slips in orders that end with a connection. */
import type { Slip } from '../slips.ts'

export const SESSIONS: readonly Slip[] = [
  {
    wrong: 'a session ends with its connection, whatever grace it has',
    file: 'src/core/trading/timers/session-commands.ts',
    before: 'timeMs(time + session.graceMs)',
    after: 'time',
  },
  {
    wrong: 'the end of a connection that has lost its session disconnects the session',
    file: 'src/core/trading/timers/session-commands.ts',
    before: 'if (session?.attachment !== attachment || session.endsAt !== undefined)',
    after: 'if (session === undefined || session.endsAt !== undefined)',
  },
  {
    wrong: 'a session is resumed after its grace',
    file: 'src/core/trading/timers/session-commands.ts',
    before: ' || isOverAt(known, state.time)) return',
    after: ') return',
  },
  {
    wrong: 'a session is resumed by another key of its account',
    file: 'src/core/trading/timers/session-commands.ts',
    before: ' && known.apiKey === apiKey',
    after: '',
  },
  {
    wrong: 'the return of the service gives no session its grace anew that waits already',
    file: 'src/core/trading/timers/session-commands.ts',
    before: 'if (!isOverAt(session, before)) disconnect',
    after: 'if (session.endsAt === undefined) disconnect',
  },
  {
    wrong: 'the return of the service gives a grace back that was over',
    file: 'src/core/trading/timers/session-commands.ts',
    before: 'if (!isOverAt(session, before)) disconnect',
    after: 'disconnect',
  },
  {
    wrong: 'the end of a session ends all of its orders with one command',
    file: 'src/core/trading/timers/session-commands.ts',
    before: '    if (left-- === 0) break\n',
    after: '',
  },
  {
    wrong: 'orders of a session trade until the engine ends them',
    file: 'src/core/trading/timers/ended.ts',
    before:
      "return sessions.hasAnyAt(time) && sessions.isOver(order.number, time) ? 'DISCONNECT' : undefined",
    after: 'return undefined',
  },
  {
    wrong: 'pending orders of a list outlive its session',
    file: 'src/core/trading/lists/place-list.ts',
    before: '  if (sessionNumber !== undefined) state.sessions.join(sessionNumber, order.number)\n',
    after: '',
  },
  {
    wrong: 'an order that is sent again in another session is another order',
    file: 'src/core/trading/identified-order.ts',
    before: '    sessionNumber: undefined,\n',
    after: '',
  },
  {
    wrong: 'a session without a connection takes orders',
    file: 'src/core/trading/timers/session-commands.ts',
    before: ' && session.endsAt === undefined\n',
    after: '\n',
  },
  {
    wrong: 'a restart forgets that connections are gone',
    file: 'src/engine/writer/engine.ts',
    before: 'this.#hasEarlierSessions = machine.hasSessions',
    after: 'this.#hasEarlierSessions = false',
  },
  {
    wrong: 'a connection that ends leaves its session connected',
    file: 'src/server/order-entry/entry-session.ts',
    before: '    if (this.#session !== undefined) this.#parts.orderSessions.end(this.#session)\n',
    after: '',
  },
  {
    wrong: 'a login with a session counts as no order of its account',
    file: 'src/server/order-entry/entry-session.ts',
    before:
      '    const refusal = call.takeOrders(1)\n    if (refusal !== undefined) return refusal\n    const { orderSessions }',
    after: '    const { orderSessions }',
  },
  {
    wrong: 'a session that was taken and ended behind a connection seems to be its own for ever',
    file: 'src/server/order-entry/order-sessions.ts',
    before: 'if (held.session.attachment < attachment) held.holder.loseSession()',
    after: '',
  },
  {
    wrong: 'the end of a connection before the last one is told in place of the last one',
    file: 'src/server/order-entry/order-sessions.ts',
    before: '      if (other === undefined || other.attachment < command.attachment)\n',
    after: '',
  },
  {
    wrong: 'a session that opens late has a connection for ever',
    file: 'src/server/order-entry/order-sessions.ts',
    before: '(late) => this.end(late)',
    after: '() => {}',
  },
  {
    wrong: 'a snapshot may give a session the number of an order',
    file: 'src/core/snapshot/snapshot-sessions.ts',
    before: '!isTaken && ',
    after: '',
  },
]
