import { expect, test } from 'bun:test'
import type { DisconnectSession } from '../../core/commands/sessions.ts'
import { EngineClient } from '../../engine/port/client.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { OutgoingRequest } from '../../engine/port/requests.ts'
import type { AccountId, SessionNumber } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { Parameters } from '../common/parameters.ts'
import { Refusal } from '../common/refusal.ts'
import { Call } from '../trading/call.ts'
import type { Services } from '../trading/services.ts'
import { type HeldSession, OrderSessions } from './order-sessions.ts'

const NUMBER = 7 as SessionNumber
const TIME = 1_000 as TimeMs

function held(attachment: number): HeldSession {
  return {
    kind: 'SessionOpened',
    sessionNumber: NUMBER,
    time: TIME,
    attachment,
    graceMs: 0,
    isResumed: attachment > 1,
  }
}

const ended = (attachment: number): DisconnectSession => ({
  kind: 'DisconnectSession',
  sessionNumber: NUMBER,
  attachment,
})

const servicesWith = (engine: Partial<EnginePort>): Services => ({ engine }) as Services

test('an end of a connection that the engine has no room for is reported again: the last one, whichever came last', () => {
  let isFull = true
  const told: unknown[] = []
  const engine: Partial<EnginePort> = {
    hand: (command, { failed }) => {
      if (isFull) failed(new EngineFault('OVERLOADED', 'full'))
      else told.push(command)
    },
  }
  const sessions = new OrderSessions(() => servicesWith(engine))
  sessions.end(held(2))
  sessions.end(held(1))
  sessions.retry()
  expect(told).toEqual([])
  isFull = false
  sessions.retry()
  sessions.retry()
  expect(told).toEqual([ended(2)])
})

class PlainCall extends Call {
  override get language() {
    return 'en' as const
  }
  override charge = () => undefined
  override chargeRows = () => undefined
  override hasOrdersLeft = () => true
  override takeOrders = () => undefined
  override get orderCharge() {
    return undefined
  }
  override ordersRefused = (): never => {
    throw new Error('none were taken')
  }
  override noteRepeat = () => {}
  override limitUses = (): never => {
    throw new Error('not asked for')
  }
}

test('a session that opens after an answer with unknown outcome is ended, and its former connection is notified', async () => {
  const sent: OutgoingRequest[] = []
  const looks: (() => void)[] = []
  const later = (task: () => void) => {
    looks.push(task)
    return () => {}
  }
  const send = (_: number, request: OutgoingRequest) => void sent.push(request)
  const engine = new EngineClient({ inFlightMax: 10, send, patience: { timeoutMs: 1, later } })
  engine.open()
  const services = servicesWith(engine)
  const sessions = new OrderSessions(() => services)
  let lost = 0
  sessions.hold(held(1), { loseSession: () => lost++ })
  const options = { services, parameters: new Parameters(), accountId: 3 as AccountId, window: undefined }
  const call = new PlainCall(options as unknown as ConstructorParameters<typeof Call>[0])
  const terms = { graceMs: 0, resumes: { sessionNumber: NUMBER, sessionTime: TIME } }
  const opening = sessions.open(call, 'k', terms)
  for (let look = 0; look < 5; look++) looks[look]?.()
  const answer = await opening
  expect(answer instanceof Refusal && answer.reason).toBe('OUTCOME_UNKNOWN')
  expect([lost, sessions.count]).toEqual([0, 1])
  const { graceMs, isResumed, ...reply } = held(2)
  engine.receive({ events: undefined, answers: [{ kind: 'reply', request: 1, reply }] })
  expect(sent.at(-1)).toMatchObject({ kind: 'command', command: ended(2) })
  expect([lost, sessions.count]).toEqual([1, 0])
})
