/** A customers process finds the engine that leads, and follows a change of leaders. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { until } from '../../../test/support/until.ts'
import { ExchangeFault } from '../../customers/ports.ts'
import { ExchangeClient } from './exchange-client.ts'
import { LeaderAccess } from './leader-access.ts'
import { LEAD_PATH, NOT_LEADING } from './order.ts'

/** Longer than a test may take: only the next leader ends a call. */
const NEVER_MS = 3_600_000
const log = { debug() {}, info() {}, warn() {}, error() {} }

setDefaultTimeout(300_000)

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

/** An engine's port for customers. */
function engine(name: string) {
  const state = { epoch: undefined as number | undefined, isFrozen: false, asked: 0 }
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0 },
    fetch: async (request) => {
      if (state.isFrozen) await new Promise(() => {})
      if (state.epoch === undefined) return new Response(null, { status: NOT_LEADING })
      if (new URL(request.url).pathname === LEAD_PATH)
        return Response.json({ name, epoch: state.epoch, journal: 'j' })
      state.asked++
      return Response.json({ ok: true, result: { ended: 0 } })
    },
  })
  ends.push(() => void server.stop(true))
  const address = { host: '127.0.0.1', port: server.port ?? 0, tls: 'off' as const }
  return { state, named: { name, address } }
}

function accessTo(...engines: readonly ReturnType<typeof engine>[]): LeaderAccess {
  const links = { engines: engines.map(({ named }) => named), secret: 'a secret' }
  const access = new LeaderAccess(() => links, log, NEVER_MS)
  ends.push(() => access.stop())
  return access
}

/** Calls until an engine has led: a search that began earlier may still be under way. */
async function endSessions(exchange: ExchangeClient): Promise<void> {
  for (;;) {
    const fault = await exchange.endSessions([]).catch((cause: unknown) => cause)
    if (!(fault instanceof ExchangeFault)) return
  }
}

test('operations go to the engine that leads, and each leadership has a name of its own', async () => {
  const [one, two] = [engine('one'), engine('two')]
  const access = accessTo(one, two)
  const exchange = new ExchangeClient(access.call)
  await expect(exchange.endSessions([])).rejects.toBeInstanceOf(ExchangeFault)
  await expect(access.lead()).rejects.toBeInstanceOf(ExchangeFault)
  two.state.epoch = 1
  await endSessions(exchange)
  expect([await access.lead(), two.state.asked]).toEqual(['j 1', 1])
  // The engine no longer leads; an answer of another kind is not a refusal by the exchange.
  two.state.epoch = undefined
  const fault = await exchange.endSessions([]).catch((cause: ExchangeFault) => cause)
  expect([fault instanceof ExchangeFault, (fault as ExchangeFault).refusal]).toEqual([true, undefined])
  one.state.epoch = 2
  await endSessions(exchange)
  expect([await access.lead(), one.state.asked]).toEqual(['j 2', 1])
})

test('an engine that hangs is dropped for the next leader, and one of an earlier epoch is never followed again', async () => {
  const [one, two] = [engine('one'), engine('two')]
  const access = accessTo(one, two)
  const exchange = new ExchangeClient(access.call)
  one.state.epoch = 3
  await endSessions(exchange)
  one.state.isFrozen = true
  const hangs = exchange.endSessions([]).catch((cause: unknown) => cause)
  two.state.epoch = 4
  expect(await hangs).toBeInstanceOf(ExchangeFault)
  await endSessions(exchange)
  expect(two.state.asked).toBe(1)
  two.state.epoch = undefined
  one.state.isFrozen = false
  await expect(exchange.endSessions([])).rejects.toBeInstanceOf(ExchangeFault)
  await expect(exchange.endSessions([])).rejects.toBeInstanceOf(ExchangeFault)
  one.state.epoch = 5
  await until('it is followed again', () => access.seen?.epoch === 5)
})
