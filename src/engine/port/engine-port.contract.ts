/**
 * Rules for every connection to an engine as used by a gateway. A driver's test calls this with a function
 * that starts an engine without commands, and a port to it.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import type { EventBatch } from '../../core/events/event.ts'
import type { Bootstrap } from '../../core/questions/view.ts'
import type { AccountId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { account, limit, market } from '../writer/commands.fixture.ts'
import { EngineFault } from './fault.ts'
import type { EnginePort } from './ports.ts'

export type StartedPort = {
  readonly port: EnginePort
  /** Loses the engine, or the connection to it, without notice. */
  lose(): void | Promise<void>
  /** Ends everything that was started, also after a loss. */
  stop(): void | Promise<void>
}

export type StartPort = (options: { readonly inFlightMax: number }) => Promise<StartedPort>

const BALANCES = { accountId: 3 as AccountId }

/** The kind of fault with which `work` rejects; undefined if it does not reject. */
export async function faultKindOf(work: Promise<unknown>): Promise<string | undefined> {
  const fault = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  if (fault === undefined) return undefined
  return fault instanceof EngineFault ? fault.kind : String(fault)
}

/** Runs the contract on ports made by `start`. */
export function enginePortContract(name: string, start: StartPort): void {
  describe(`${name} engine port`, () => {
    let started: StartedPort
    const open = async (inFlightMax = 1_000): Promise<StartedPort> => {
      started = await start({ inFlightMax })
      return started
    }
    afterEach(() => started.stop())

    answers(open)
    following(open)
    faults(open)
  })
}

type Open = (inFlightMax?: number) => Promise<StartedPort>

function answers(open: Open): void {
  test('replies come in the order of the commands, and a question sees everything answered before', async () => {
    const { port } = await open()
    const replies = await Promise.all(market().map((command) => port.submit(command)))
    expect(replies.map(({ kind }) => kind)).not.toContain('Refused')
    await port.submit(limit(3, 'SELL', 100, 5_000))
    const { orders } = await port.ask('openOrders', { ...BALANCES, symbolId: undefined, after: undefined })
    expect(orders.map(({ price, remaining }) => [Number(price), Number(remaining)])).toEqual([[100, 5_000]])
    const balances = await port.ask('balances', BALANCES)
    expect(balances.map(({ assetId }) => Number(assetId))).toEqual([0, 1])
  })

  test('a refusal is an answer, with its reason', async () => {
    const { port } = await open()
    await Promise.all(market().map((command) => port.submit(command)))
    const reply = await port.submit(limit(3, 'SELL', 100, 10_000_000_001))
    expect(reply).toMatchObject({ kind: 'Refused', reason: 'INSUFFICIENT_FUNDS' })
  })

  test('a receiver gets its command’s outcome once, and sending many needs no promise', async () => {
    const { port } = await open()
    const told: string[] = []
    const all = Promise.withResolvers<void>()
    for (let i = 0; i < 500; i++) {
      const replied = (): void => {
        told.push(`${i}`)
        if (told.length === 500) all.resolve()
      }
      port.hand(account(`a${i}`), { replied, failed: all.reject })
    }
    await all.promise
    expect(told).toEqual(Array.from({ length: 500 }, (_, i) => `${i}`))
  })

  test('a command that arrives after its deadline is not done', async () => {
    const { port } = await open()
    expect(await faultKindOf(port.submit(account('late'), 1 as TimeMs))).toBe('DEADLINE_PASSED')
    expect((await port.follow(() => {})).seq as number).toBe(0)
  })

  test('a command that cannot be encoded is refused to its sender, and those around it are done', async () => {
    const { port } = await open()
    const asked = ['a', '\ud800', 'b'].map((name) => faultKindOf(port.submit(account(name))))
    const [first, broken, last] = await Promise.all(asked)
    expect([first, last]).toEqual([undefined, undefined])
    expect(broken).toContain('lone surrogate')
  })
}

function following(open: Open): void {
  test('a follower has the events of a command before its reply', async () => {
    const { port } = await open()
    const seen: string[] = []
    await port.follow(({ events }) => seen.push(...events.map(({ kind }) => kind)))
    const reply = port.submit(account('alice')).then(() => seen.push('reply'))
    await reply
    expect(seen).toEqual(['AccountCreated', 'reply'])
  })

  test('each of several subscribers has the state at one command, and every batch after it', async () => {
    const { port } = await open()
    const views = [0, 1, 2].map(() => new Names())
    const submitted: Promise<unknown>[] = []
    for (let i = 0; i < 60; i++) {
      submitted.push(port.submit(account(`name ${i}`)))
      if (i % 20 === 5) port.subscribe(views[Math.floor(i / 20)] as Names)
      if (i % 7 === 0) await submitted[i]
    }
    await Promise.all(submitted)
    await Promise.all(views.map((view) => view.begun))
    const names = Array.from({ length: 60 }, (_, i) => `name ${i}`)
    for (const view of views) expect(view.names.filter((name) => name.startsWith('name'))).toEqual(names)
  })

  test('a subscriber that has left gets nothing more', async () => {
    const { port } = await open()
    const [stays, leaves] = [new Names(), new Names()]
    const leave = port.subscribe(leaves)
    port.subscribe(stays)
    await Promise.all([stays.begun, leaves.begun])
    await port.submit(account('first'))
    leave()
    await port.submit(account('second'))
    expect(stays.names.slice(-2)).toEqual(['first', 'second'])
    expect(leaves.names.slice(-1)).toEqual(['first'])
  })
}

/** The accounts' names, as a read model has them. */
class Names {
  readonly names: string[] = []
  readonly #begun = Promise.withResolvers<void>()

  get begun(): Promise<void> {
    return this.#begun.promise
  }

  started({ accounts }: Bootstrap): void {
    this.names.push(...accounts.map(({ name }) => name))
    this.#begun.resolve()
  }

  batch({ events }: EventBatch): void {
    for (const event of events) if (event.kind === 'AccountCreated') this.names.push(event.account.name)
  }

  passed(): void {}

  failed(fault: unknown): void {
    this.#begun.reject(fault)
  }
}

function faults(open: Open): void {
  test('beyond its limit of requests in flight the answer is OVERLOADED at once, and the rest is done', async () => {
    const { port } = await open(10)
    const asked = Array.from({ length: 15 }, (_, i) => faultKindOf(port.submit(account(`${i}`))))
    const kinds = await Promise.all(asked)
    expect(kinds).toEqual([...Array(10).fill(undefined), ...Array(5).fill('OVERLOADED')])
    expect(await faultKindOf(port.submit(account('again')))).toBeUndefined()
  })

  test('once the engine is lost, commands in flight are unknown, and reads and later requests are down', async () => {
    const { port, lose } = await open()
    const asked = [faultKindOf(port.submit(account('a'))), faultKindOf(port.ask('balances', BALANCES))]
    await lose()
    const [command, read] = await Promise.all(asked)
    expect([undefined, 'OUTCOME_UNKNOWN']).toContain(command as string)
    expect([undefined, 'ENGINE_DOWN']).toContain(read as string)
    expect(await faultKindOf(port.submit(account('b')))).toBe('ENGINE_DOWN')
    expect(await faultKindOf(port.ask('balances', BALANCES))).toBe('ENGINE_DOWN')
    expect(await faultKindOf(port.follow(() => {}))).toBe('ENGINE_DOWN')
  })
}
