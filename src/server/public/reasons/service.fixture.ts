/** Reasons of the service: its state, its engine and its limits. */

import type { Reason } from '../../../contract/reasons/catalogue.ts'
import { OPEN_ORDERS_PAGE_MAX } from '../../../core/questions/view.ts'
import { EngineFault, type EngineFaultKind } from '../../../engine/port/fault.ts'
import type { EnginePort } from '../../../engine/port/ports.ts'
import { changedEngine } from '../../../engine/writer/changed-engine.fixture.ts'
import { SANDBOX_LIMITS } from '../../access/limits/limits-config.ts'
import { SANDBOX_GATEWAY } from '../gateway-config.ts'
import { elsewhere, get, LIMIT, order, type Provoke } from './provoke.fixture.ts'

const engineSays = (submit: EnginePort['submit'], provoke: Provoke = order(LIMIT)): Provoke =>
  elsewhere(
    {
      wrap: (services) => ({
        ...services,
        engine: changedEngine(services.engine, { submit }),
      }),
    },
    provoke,
  )

const engineFault = (kind: EngineFaultKind): Provoke =>
  engineSays(() => Promise.reject(new EngineFault(kind, 'provoked')))

const withLimits = (limits: Partial<typeof SANDBOX_LIMITS>, provoke: Provoke) =>
  elsewhere({ config: { ...SANDBOX_GATEWAY, limits: { ...SANDBOX_LIMITS, ...limits } } }, provoke)

export const OF_SERVICE = {
  INTERNAL_ERROR: engineSays(async () => ({ kind: 'Refused', reason: 'INTERNAL_ERROR' })),
  STARTING: elsewhere({ isStarting: true }, get('/api/v3/exchangeInfo')),
  STOPPING: elsewhere({}, (f, headers) => {
    f.gateway.close()
    return get('/api/v3/exchangeInfo')(f, headers)
  }),
  OVERLOADED: engineFault('OVERLOADED'),
  ANSWERS_UNDER_WAY: withLimits({ answerBytesPerAddressMax: 1 }, async (f, headers) => {
    for (let i = 0; i <= OPEN_ORDERS_PAGE_MAX; i++) await f.place(f.alice, LIMIT)
    return get('/api/v3/order/active')(f, headers)
  }),
  STORAGE_FULL: engineFault('STORAGE_FULL'),
  ENGINE_DOWN: engineFault('ENGINE_DOWN'),
  NO_LEADER: engineFault('NO_LEADER'),
  OUTCOME_UNKNOWN: engineFault('OUTCOME_UNKNOWN'),
  CLOCK_NOT_TRUSTED: engineFault('CLOCK_NOT_TRUSTED'),
  RATE_LIMITED: withLimits({ weightPerMinuteMax: 10 }, get('/api/v3/exchangeInfo')),
  ORDER_RATE_LIMITED: withLimits(
    { orderWindows: [{ name: '10S', windowMs: 10_000, ordersMax: 0 }] },
    order(LIMIT),
  ),
  BANNED: withLimits({ weightPerMinuteMax: 10, refusalsBeforeBan: 0 }, get('/api/v3/exchangeInfo')),
} as const satisfies Partial<Record<Reason, Provoke>>
