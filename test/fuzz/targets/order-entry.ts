/**
 * Frames of a logged-in connection: whatever they contain, each message has one answer or one error, as
 * documented.
 */

import { parseClientFrame } from '../../../src/contract/stream/stream.ts'
import { EntryBudget } from '../../../src/server/order-entry/entry-budget.ts'
import { openFixture } from '../../../src/server/public/gateway.fixture.ts'
import { SANDBOX_GATEWAY } from '../../../src/server/public/gateway-config.ts'
import { STREAM_DEFAULTS } from '../../../src/server/stream/config.ts'
import { ConnectionBudget } from '../../../src/server/stream/intake/limits.ts'
import type { Frame } from '../../../src/server/stream/link.ts'
import { NO_PAUSE } from '../../../src/server/stream/pace.ts'
import { Rooms } from '../../../src/server/stream/rooms.ts'
import { Session } from '../../../src/server/stream/session.ts'
import { loginFields } from '../../order-entry/support/entry-clients.ts'
import { NO_HISTORY } from '../../support/no-history.ts'
import { mutateText } from '../mutate.ts'
import { expectThat, type Target } from '../target.ts'
import { reasonOf } from './error-body.ts'

const LIMIT = '{"symbol":"BTC/USDT","side":"BUY","type":"LIMIT","quantity":"0.01","price":"60000"}'
const SAMPLES = [
  `["order.place",1,${LIMIT}]`,
  '["order.place","a",{"symbol":"BTC/USDT","side":"SELL","type":"LIMIT","quantity":0.01,"price":60000,"timeInForce":"IOC"}]',
  '["order.place",2,{"symbol":"BTC/USDT","side":"BUY","type":"MARKET","total":"60"}]',
  `[["order.place",3,${LIMIT}],["order.place",4,${LIMIT}]]`,
  '["order.cancel","b",{"id":"01a0c450-6c7b-7100-8000-000000000001"}]',
  '["order.cancel",5,{"id":"x","timestamp":1}]',
  '["order.place",6,{"symbol":"BTC/USDT","side":"BUY","type":"LIMIT","quantity":1e21,"price":0.1234567890123456}]',
  '["order.amend",7,{"orderId":"01a0c450-6c7b-7100-8000-000000000001","newQty":"0.005","deadline":1}]',
  '["order.cancelReplace",8,{"symbol":"BTC/USDT","side":"BUY","type":"LIMIT","quantity":"0.01","price":"60000","cancelReplaceMode":"ALLOW_FAILURE","cancelOrigClientOrderId":"a","newClientOrderId":"b"}]',
  '["login",{"apiKey":"x","timestamp":1,"signature":"y","frames":"many"}]',
  '["login",{"apiKey":"x","timestamp":1,"signature":"y","cancelOnDisconnect":true,"graceMs":5,"session":"01a0c450-6c7b-7400-8000-000000000001"}]',
]
const TOKENS = [
  '"order.place"',
  '"order.cancel"',
  '"order.amend"',
  '"deadline":1,',
  '"cancelOnDisconnect":true,',
  '"graceMs":60000,',
  '"price":',
  '"quantity":1e-7,',
  '"__proto__":"x",',
  '"total":5,',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  '0',
  '9',
  '.',
  '-1',
  'null',
]

export async function orderEntry(): Promise<Target<string>> {
  const limits = { ...SANDBOX_GATEWAY.limits, isEnabled: false }
  const fixture = await openFixture({ config: { limits } })
  const { alice, gateway, clock, services } = fixture
  const rooms = new Rooms({ market: services.market, history: NO_HISTORY, tradesOnJoin: 500, pace: NO_PAUSE })
  const login = JSON.stringify(['login', loginFields(alice, clock.time)])

  /** The answers to a frame after a login, without the login's own. */
  async function answersTo(frame: string): Promise<[string, ...unknown[]][]> {
    const messages: [string, ...unknown[]][] = []
    const client = { remoteAddress: '127.0.0.1', limitKey: '127.0.0.1', language: 'en' } as const
    const session = new Session({
      link: {
        messageBytes: 0,
        pendingBytes: () => 0,
        send: (frames: readonly Frame[]) => void messages.push(...frames.map(({ text }) => JSON.parse(text))),
        abort: () => messages.push(['aborted']),
      },
      rooms,
      budget: new ConnectionBudget(),
      config: STREAM_DEFAULTS,
      language: 'en',
      now: () => clock.time,
      entry: {
        open: (outputs) =>
          gateway.entry.open(client, outputs, new EntryBudget(STREAM_DEFAULTS.requestsUnderWayMax)),
        hasFrames: true,
      },
    })
    session.receiveText(login)
    session.receiveText(frame)
    await gateway.entry.untilIdle()
    // The last answer is sent at the end of the turn.
    await Promise.resolve()
    session.end()
    return messages.filter(([event, id, status]) => event !== 'answer' || id !== 'login' || status !== 200)
  }

  return {
    name: 'order-entry',
    executions: 30_000,
    samples: SAMPLES,
    generate: (random) => mutateText(random, random.pick(SAMPLES), random.pick(SAMPLES), TOKENS),
    tokens: TOKENS,
    check: async (text) => {
      const answers = await answersTo(text)
      const outcomes = answers.map(checkAnswer)
      const asked = parseClientFrame(text).length
      // A frame may contain more messages than a second allows.
      const isAnswered = answers.length === asked || asked > STREAM_DEFAULTS.messagesPerSecondMax
      expectThat(
        isAnswered && gateway.entry.logins === 0,
        () => `${answers.length} answers to ${asked} messages`,
      )
      return outcomes.length === 1 ? (outcomes[0] ?? '') : 'several'
    },
    outcomes: [
      '200',
      'several',
      'UNREADABLE_MESSAGE',
      'UNKNOWN_MESSAGE',
      'ALREADY_LOGGED_IN',
      'INVALID_PARAMETER',
      'MISSING_PARAMETER',
      'UNKNOWN_ORDER',
      'UNKNOWN_SYMBOL',
    ],
    close: () => fixture.stop(),
  }
}

function checkAnswer([event, ...payload]: [string, ...unknown[]]): string {
  if (event === 'error') return reasonOf(payload[0], undefined)
  if (event !== 'answer') return event === 'aborted' ? 'aborted' : 'market data'
  const [id, status, body, marked = { repeated: true }, ...more] = payload
  const isMarked = JSON.stringify(marked) === '{"repeated":true}' && more.length === 0
  expectThat(payload.length >= 3 && isMarked, () => `elements behind answer: ${JSON.stringify(payload)}`)
  expectThat(typeof id === 'string' || Number.isSafeInteger(id), () => `id ${id}`)
  return status === 200 ? '200' : reasonOf(body, Number(status))
}
