import { afterEach, describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { startMemoryEngine } from '../../../sim/memory/engine.ts'
import type { EventBatch } from '../../core/events/event.ts'
import { enginePortContract, faultKindOf } from '../../engine/port/engine-port.contract.ts'
import type { EnginePort, EngineSubscriber } from '../../engine/port/ports.ts'
import { changedEngine } from '../../engine/writer/changed-engine.fixture.ts'
import { account } from '../../engine/writer/commands.fixture.ts'
import type { ClockReading } from '../../engine/writer/journal-clock.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { price, seq, type TimeMs } from '../../units/quantities.ts'
import { type Link, openLink } from './asking/link-client.ts'
import { type LinkedEngine, SECRET, startLinkedEngine } from './linked-engine.fixture.ts'
import type { LinkFault } from './protocol/link-fault.ts'

enginePortContract('linked', async ({ inFlightMax }) => {
  const linked = await startLinkedEngine()
  const { engine, lost } = await linked.link({ inFlightMax })
  const lose = async (): Promise<void> => {
    await linked.server.stop()
    await lost
  }
  return { port: engine, lose, stop: linked.stop }
})

describe('a link', () => {
  let linked: LinkedEngine
  const open = async (...changes: Parameters<typeof startLinkedEngine>): Promise<LinkedEngine> => {
    linked = await startLinkedEngine(...changes)
    return linked
  }
  afterEach(() => linked.stop())

  greetings(open)
  ends(open)
  several(open)
})

type Open = typeof startLinkedEngine

const linkFault = (opening: Promise<Link>): Promise<LinkFault | undefined> =>
  opening.then(
    () => undefined,
    (cause: unknown) => cause as LinkFault,
  )

function greetings(open: Open): void {
  test('its socket is for its owner alone', async () => {
    const { socketPath } = await open()
    expect(statSync(socketPath).mode & 0o777).toBe(0o600)
  })

  test('a gateway with another secret is refused with the reason, and one with either of two is admitted', async () => {
    const old = 'the secret of before, at least 32 characters'
    const { link, noted } = await open({ secrets: [old, SECRET] })
    expect(await linkFault(link({ secret: 'another secret of at least 32 characters' }))).toMatchObject({
      kind: 'WRONG_SECRET',
      message: "this engine does not accept the gateway's shared secret",
    })
    expect(await noted('LinkClosed')).toMatchObject({ name: undefined, fault: { kind: 'WRONG_SECRET' } })
    for (const secret of [old, SECRET]) {
      const { engine } = await link({ secret })
      expect(await faultKindOf(engine.submit(account(secret)))).toBeUndefined()
    }
  })

  test('cannot be opened where no process listens', async () => {
    const { socketPath } = await open()
    const fault = await linkFault(
      openLink({ address: { socketPath: `${socketPath}.not` }, secret: SECRET, name: 'a' }),
    )
    expect(fault?.kind).toBe('UNREACHABLE')
  })

  test('of a peer that connects and does not greet is closed', async () => {
    const { socketPath } = await open({ limits: { greetingTimeoutMs: 20 } })
    const silent = new WebSocket(`ws+unix://${socketPath}`)
    const code = await new Promise<number>((resolve) => {
      silent.onclose = (event) => resolve(event.code)
    })
    expect(code).toBe(4408)
  })

  test('of a peer that greets with other bytes is closed', async () => {
    const { socketPath, noted } = await open()
    const strange = new WebSocket(`ws+unix://${socketPath}`)
    const closed = new Promise<string>((resolve) => {
      strange.onclose = (event) => resolve(`${event.code}: ${event.reason}`)
    })
    strange.onopen = () => strange.send(new Uint8Array([1, 2, 3]))
    expect(await closed).toContain('4400: the greeting cannot be read')
    expect(await noted('LinkClosed')).toMatchObject({ fault: { kind: 'BAD_FRAME' } })
  })

  test('to an engine that never greets is given up', async () => {
    await open()
    const socketPath = `${linkedPath()}.mute`
    const mute = Bun.serve({
      unix: socketPath,
      fetch: (request, server) => (server.upgrade(request) ? undefined : new Response()),
      websocket: { message: () => {} },
    })
    const opening = openLink({ address: { socketPath }, secret: SECRET, name: 'a', openTimeoutMs: 20 })
    expect((await linkFault(opening))?.kind).toBe('SILENT')
    await mute.stop(true)
  })

  test('of a gateway beyond the limit is refused with the reason', async () => {
    const { link } = await open({ limits: { linksMax: 2 } })
    await Promise.all([link(), link()])
    expect(await linkFault(link())).toMatchObject({
      kind: 'TOO_MANY',
      message: 'the engine has 2 gateways already',
    })
  })

  let directory = 0
  const linkedPath = (): string => `/tmp/bourse-link-${process.pid}-${++directory}`
}

function ends(open: Open): void {
  test('announces the stop of an engine', async () => {
    const { link, server, noted } = await open()
    const { lost } = await link({ name: 'gateway 1' })
    expect(server.gateways).toEqual(['gateway 1'])
    await server.stop()
    expect(await lost).toMatchObject({ kind: 'STOPPING', message: 'the engine is stopping' })
    expect(await noted('LinkClosed')).toMatchObject({ name: 'gateway 1' })
  })

  test('is lost when its engine is silent for too long, and not when the engine sends only the time', async () => {
    const { link } = await open({ clock: () => undefined })
    const fault = await (await link({ silenceMs: 20 })).lost
    expect(fault.kind).toBe('SILENT')
  })

  test('to an engine that has fallen silent is lost after one timeout and a quarter, not after two', async () => {
    const { link } = await open({ clock: () => undefined })
    const looks: (() => void)[] = []
    const later = (task: () => void, ms: number): (() => void) => {
      if (ms !== 1_000) return runtimeScheduler.later(task, ms)
      looks.push(task)
      return () => {}
    }
    const { lost, engine } = await link({ silenceMs: 4_000, scheduler: { ...runtimeScheduler, later } })
    let isLost = false
    void lost.then(() => {
      isLost = true
    })
    let taken = 0
    // Waits until the first messages of the engine have arrived.
    await engine.ask('balances', { accountId: 0 as AccountId })
    for (let look = looks.shift(); look !== undefined; look = looks.shift()) {
      expect(isLost).toBe(false)
      look()
      taken++
      await Bun.sleep(0)
    }
    // The first listener also receives the messages sent at the beginning.
    expect([taken, isLost]).toEqual([5, true])
  })

  test('carries the clock of the engine at once, and then every second', async () => {
    const due: (() => void)[] = []
    const readings = [1_000, 2_000].map((time) => ({
      isTrusted: time === 1_000,
      time: time as TimeMs,
      wall: 9 as TimeMs,
    }))
    const [first, second] = readings as [ClockReading, ClockReading]
    let reading: ClockReading | undefined
    const clock = (): ClockReading | undefined => reading
    const later: Scheduler['later'] = (task) => {
      due.push(task)
      return () => {}
    }
    const { link } = await open({ clock, scheduler: { soon: setImmediate, later } })
    reading = first
    const opened = await link()
    await opened.engine.ask('balances', { accountId: 0 as AccountId })
    expect(opened.clock()).toEqual(first)
    reading = second
    due[0]?.()
    await opened.engine.ask('balances', { accountId: 0 as AccountId })
    expect(opened.clock()).toEqual(second)
  })
}

function several(open: Open): void {
  test('gives each of several gateways its own answers and all events, which are encoded once', async () => {
    const { link, server } = await open()
    const links = await Promise.all(['a', 'b', 'c'].map((name) => link({ name })))
    const seen = links.map((): number[] => [])
    await Promise.all(links.map(({ engine }, i) => engine.follow(({ seq }) => seen[i]?.push(seq))))
    const names = Array.from({ length: 90 }, (_, i) => `account ${i}`)
    const replies = await Promise.all(
      names.map((name, i) => (links[i % 3] as Link).engine.submit(account(name))),
    )
    const opened = replies.map((reply) => (reply.kind === 'AccountOpened' ? Number(reply.accountId) : reply))
    expect(new Set(opened).size).toBe(90)
    for (const { engine } of links) await engine.ask('balances', { accountId: 3 as AccountId })
    expect(seen[0]?.at(-1)).toBe(90)
    expect(seen[1]).toEqual(seen[0] as number[])
    expect(seen[2]).toEqual(seen[0] as number[])
    expect(server.encodedBatches).toBe((seen[0] as number[]).length)
  })

  test('gives a gateway that waits for everything given out before all of it, however long reading takes', async () => {
    const memory = await startMemoryEngine()
    const followers: EngineSubscriber[] = []
    const subscribe: EnginePort['subscribe'] = (subscriber) => {
      followers.push(subscriber)
      return memory.port.subscribe(subscriber)
    }
    const { link } = await open({ engine: changedEngine(memory.port, { subscribe }) })
    const reader = await link()
    const seen: number[] = []
    await reader.engine.follow((batch) => seen.push(batch.seq))
    for (let number = 1; number <= 10; number++) {
      followers[0]?.batch(manyEvents(number, 9_000))
      const [first, second] = [reader.untilFresh(), reader.untilFresh()]
      expect(seen).toHaveLength(number - 1)
      await first
      expect(seen).toHaveLength(number)
      await second
    }
    await memory.stop()
  })

  test('of a gateway that does not read what it is sent is closed, and another one continues', async () => {
    const memory = await startMemoryEngine()
    const followers: EngineSubscriber[] = []
    const subscribe: EnginePort['subscribe'] = (subscriber) => {
      followers.push(subscriber)
      return memory.port.subscribe(subscriber)
    }
    const engine = changedEngine(memory.port, { subscribe })
    const { link, noted } = await open({ engine, limits: { queueBytesMax: 1_000_000 } })
    const [slow, other] = await Promise.all([link({ name: 'slow' }), link({ name: 'other' })])
    await slow.engine.follow(() => {})
    // Neither end can receive anything within one turn of the event loop.
    for (let number = 1; number <= 10; number++) followers[0]?.batch(manyEvents(number, 50_000))
    expect(await noted('LinkClosed')).toMatchObject({ name: 'slow', fault: { kind: 'TOO_SLOW' } })
    expect((await slow.lost).kind).toBe('UNREACHABLE')
    expect(await faultKindOf(slow.engine.submit(account('a')))).toBe('ENGINE_DOWN')
    expect(await faultKindOf(other.engine.submit(account('a')))).toBeUndefined()
    await memory.stop()
  })

  test('of a gateway with more in flight than allowed is OVERLOADED, whatever the gateway counts itself', async () => {
    const { link } = await open({ limits: { inFlightMax: 10 } })
    const [{ engine }, other] = await Promise.all([link(), link()])
    const asked = Array.from({ length: 15 }, (_, i) => faultKindOf(engine.submit(account(`${i}`))))
    const others = faultKindOf(other.engine.submit(account('other')))
    expect((await Promise.all(asked)).filter((kind) => kind === 'OVERLOADED')).toHaveLength(5)
    expect(await others).toBeUndefined()
  })

  test('of a gateway that leaves still carries out its requests, and another one sees the result', async () => {
    const { link, noted, engine } = await open()
    const gone = await link()
    const asked = faultKindOf(gone.engine.submit(account('alice')))
    // The request is sent before the socket is closed.
    await new Promise(setImmediate)
    gone.close()
    expect(await asked).toBe('OUTCOME_UNKNOWN')
    await noted('LinkClosed')
    expect(await faultKindOf(engine.submit(account('bob')))).toBeUndefined()
    const { accounts } = await (await link()).engine.follow(() => {})
    expect(accounts.map(({ name }) => name).slice(-2)).toEqual(['alice', 'bob'])
  })
}

/** Events of about 10 bytes each. */
function manyEvents(number: number, count: number): EventBatch {
  const events = Array.from({ length: count }, (_, i) => ({
    kind: 'LevelChanged' as const,
    symbolId: 0 as SymbolId,
    side: 'SELL' as const,
    price: price(i + 1),
    quantity: 0n,
  }))
  return { seq: seq(number), time: number as TimeMs, events }
}
