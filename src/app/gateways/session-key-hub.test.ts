/** Session keys of customers in gateways in processes of their own, over real links. */
import { afterEach, expect, test } from 'bun:test'
import { until } from '../../../test/support/until.ts'
import { MemoryNonces } from '../../server/access/auth/memory-nonces.ts'
import { SESSION_KEY_IDLE_MS, SessionKeys } from '../../server/access/auth/session-keys.ts'
import { DEFAULT_LIMITS } from '../../server/access/limits/limits-config.ts'
import type { Link } from '../../transport/link/asking/link-client.ts'
import { type LinkedEngine, startLinkedEngine } from '../../transport/link/linked-engine.fixture.ts'
import type { AccountId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { CountHub } from './count-hub.ts'
import type { GatewayMeters } from './count-messages.ts'
import { CONFIRM_MS, SessionKeyHub, type SessionKeysMessage } from './session-key-hub.ts'
import { SharedCounts } from './shared-counts.ts'

const DAY_MS = 86_400_000
const name = (number: number) => `s-${'abcdefgh'[number]}${'a'.repeat(25)}`
const key = (number: number) => ({
  name: name(number),
  accountId: number as AccountId,
  publicKey: new Uint8Array(32).fill(number),
})

let linked: LinkedEngine | undefined
afterEach(async () => {
  await linked?.stop()
  linked = undefined
})

type Gateway = { readonly keys: SessionKeys; readonly counts: SharedCounts; readonly link: Link }

function newMain(more: { readonly confirmMs?: number; readonly lingerMs?: number } = {}) {
  let nowMs = 0
  const tasks: { readonly task: () => void; readonly delayMs: number }[] = []
  const scheduler = {
    later: (task: () => void, delayMs: number) => {
      const entry = { task, delayMs }
      tasks.push(entry)
      return () => void tasks.splice(tasks.indexOf(entry), 1)
    },
  }
  const keys = new SessionKeys(() => nowMs)
  const cut: string[] = []
  const hub = new SessionKeyHub({ keys, cut: (gateway) => cut.push(gateway), scheduler, ...more })
  /** Advances the time and runs what is due. */
  const pass = (ms: number): void => {
    nowMs += ms
    for (const entry of tasks.filter(({ delayMs }) => delayMs <= ms)) {
      tasks.splice(tasks.indexOf(entry), 1)
      entry.task()
    }
  }
  return { keys, hub, cut, pass }
}

async function start() {
  const main = newMain()
  const counts = new CountHub({
    limits: DEFAULT_LIMITS,
    orderTerms: () => undefined,
    nonces: new MemoryNonces(0),
    now: () => 0 as TimeMs,
    onServing: () => {},
    onMeters: () => {},
    onGone: () => {},
    sessionKeys: main.hub,
  })
  const exchange = await startLinkedEngine({ openCounts: (gateway, send) => counts.open(gateway, send) })
  linked = exchange
  const join = async (gateway: string): Promise<Gateway> => {
    const sessionKeys = new SessionKeys(() => 0, Number.POSITIVE_INFINITY)
    const shared = new SharedCounts({
      ...{ limits: DEFAULT_LIMITS, gateways: 2, now: () => 0 as TimeMs, sessionKeys },
      ...{ meters: () => ({}) as GatewayMeters, scheduler: { later: () => () => {} } },
    })
    const link = await exchange.link({ name: gateway })
    shared.join(link)
    await link.untilFresh()
    return { keys: sessionKeys, counts: shared, link }
  }
  return { ...main, join }
}

const known = (gateways: readonly Gateway[], number: number): boolean[] =>
  gateways.map(({ keys }) => keys.find(name(number)) !== undefined)

test('every gateway accepts a key once its opening is settled, and none once its end is', async () => {
  const { keys, hub, join } = await start()
  keys.open(key(1), DAY_MS)
  const gateways = [await join('gateway-1'), await join('gateway-2')]
  // Not all keys have been announced yet: an unknown key may be valid.
  expect(gateways.map((gateway) => gateway.keys.isTold)).toEqual([false, false])
  keys.beginPage('WHOLE')
  keys.open(key(2), DAY_MS)
  keys.endPage('WHOLE')
  await hub.settled()
  expect(gateways.map((gateway) => gateway.keys.isTold)).toEqual([true, true])
  expect([...known(gateways, 1), ...known(gateways, 2)]).toEqual([false, false, true, true])
  const ended: string[] = []
  for (const gateway of gateways) gateway.keys.onEnded = (each) => ended.push(each)
  keys.end(name(2))
  await hub.settled()
  expect(known(gateways, 2)).toEqual([false, false])
  expect(ended).toEqual([name(2), name(2)])
})

test('a gateway that comes later accepts all current keys, and none of those that it had before', async () => {
  const { keys, hub, join } = await start()
  for (const number of [1, 2, 3]) keys.open(key(number), DAY_MS)
  keys.beginPage('WHOLE')
  for (const number of [1, 2]) keys.open(key(number), DAY_MS)
  keys.endPage('WHOLE')
  const late = await join('gateway-1')
  await hub.settled()
  expect([1, 2, 3].map((number) => known([late], number)[0])).toEqual([true, true, false])
  expect(late.keys.isTold).toBe(true)
})

test('a gateway without its link accepts no key, and calls none wrong', async () => {
  const { keys, hub, join } = await start()
  keys.open(key(1), DAY_MS)
  keys.endPage('LAST')
  const gateway = await join('gateway-1')
  await hub.settled()
  expect(gateway.keys.isTold).toBe(true)
  gateway.link.close()
  await until('the gateway has lost its link', () => !gateway.keys.isTold)
  expect(known([gateway], 1)).toEqual([false])
  // Nothing waits for the closed gateway.
  keys.end(name(1))
  await hub.settled()
})

test('a gateway that does not confirm an end in time is disconnected, and the end is settled when it is gone', async () => {
  const { keys, hub, cut, pass } = newMain()
  keys.open(key(1), DAY_MS)
  const told: SessionKeysMessage[] = []
  const [prompt, silent] = [hub.join('prompt', (one) => told.push(one)), hub.join('silent', () => {})]
  keys.end(name(1))
  let isSettled = false
  const settled = hub.settled().then(() => {
    isSettled = true
  })
  prompt.taken(told.at(-1)?.number ?? 0)
  await Promise.resolve()
  expect([isSettled, cut]).toEqual([false, []])
  pass(CONFIRM_MS)
  expect(cut).toEqual(['silent'])
  expect(isSettled).toBe(false)
  silent.left()
  await settled
})

test('a gateway that is slow to confirm anything but an end is waited for, and not disconnected', async () => {
  const { keys, hub, cut, pass } = newMain()
  keys.open(key(1), DAY_MS)
  keys.end(name(1))
  const told: SessionKeysMessage[] = []
  // A gateway is not sent the ends of sessions that ended before its link.
  const slow = hub.join('slow', (one) => told.push(one))
  keys.open(key(2), DAY_MS)
  keys.endPage('LAST')
  let isSettled = false
  const settled = hub.settled().then(() => {
    isSettled = true
  })
  pass(CONFIRM_MS)
  await Promise.resolve()
  expect([isSettled, cut]).toEqual([false, []])
  slow.taken(told.at(-1)?.number ?? 0)
  await settled
})

test('a gateway confirms what was sent to it, and nothing that was sent to another alone', async () => {
  const { keys, hub, cut, pass } = newMain()
  const told: [SessionKeysMessage[], SessionKeysMessage[]] = [[], []]
  const gateways = told.map((messages, n) => hub.join(`gateway-${n + 1}`, (one) => messages.push(one)))
  for (const [n, gateway] of gateways.entries()) gateway.taken(told[n]?.at(-1)?.number ?? 0)
  // The pages that the second one received first were sent to it alone.
  await hub.settled()
  keys.open(key(1), DAY_MS)
  keys.end(name(1))
  for (const [n, gateway] of gateways.entries()) gateway.taken(told[n]?.at(-1)?.number ?? 0)
  const third = hub.join('gateway-3', (one) => told[0].push(one))
  third.taken(told[0].at(-1)?.number ?? 0)
  await hub.settled()
  pass(CONFIRM_MS)
  expect(cut).toEqual([])
})

test('a key that some gateway uses stays valid, and one that none uses ends everywhere', () => {
  const { keys, hub, pass } = newMain()
  for (const number of [1, 2]) keys.open(key(number), 7 * DAY_MS)
  const told: SessionKeysMessage[] = []
  hub.join('gateway-1', (one) => told.push(one))
  pass(SESSION_KEY_IDLE_MS / 2)
  hub.used(name(1))
  pass(SESSION_KEY_IDLE_MS / 2)
  expect(told.flatMap(({ ended }) => ended)).toEqual([name(2)])
  expect(keys.find(name(1))).toBeDefined()
})

test('where a gateway may notice its disconnection late, an end is settled after that time, and an opening at once', async () => {
  const LINGER_MS = 4_000
  const { keys, hub, pass } = newMain({ confirmMs: 3_000, lingerMs: LINGER_MS })
  const states: string[] = []
  const settling = (what: string): void => void hub.settled().then(() => states.push(what))
  const turn = (): Promise<void> => Bun.sleep(0)
  // Gateways of an engine that led before are not known here.
  keys.open(key(1), DAY_MS)
  settling('opening')
  await turn()
  expect(states).toEqual(['opening'])
  keys.end(name(1))
  settling('end after a change of leaders')
  await turn()
  expect(states).toHaveLength(1)
  pass(LINGER_MS)
  await turn()
  expect(states.at(-1)).toBe('end after a change of leaders')
  const told: SessionKeysMessage[] = []
  const gateway = hub.join('gateway-1', (one) => told.push(one))
  keys.open(key(2), DAY_MS)
  gateway.taken(told.at(-1)?.number ?? 0)
  gateway.left()
  keys.open(key(3), DAY_MS)
  settling('opening beside a lost gateway')
  await turn()
  expect(states.at(-1)).toBe('opening beside a lost gateway')
  keys.end(name(2))
  settling('end beside a lost gateway')
  await turn()
  expect(states).toHaveLength(3)
  pass(LINGER_MS)
  await turn()
  expect(states.at(-1)).toBe('end beside a lost gateway')
})
