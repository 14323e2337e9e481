import { expect, test } from 'bun:test'
import type { Command } from '../../core/exchange/command.ts'
import { startMemoryEngine } from '../../drivers/memory/engine.ts'
import { FollowerHandle } from '../../drivers/thread/follower-handle.ts'
import { HistoryClient } from '../../drivers/thread/history-client.ts'
import { market } from '../../engine/commands.fixture.ts'
import type { HistoryPort } from '../../engine/ports.ts'
import type { Rate } from '../../units/quantities.ts'
import { startNodeViews, startViews } from './views.ts'

const alive = new Promise<never>(() => {})

test('a batch is given on once every view has taken it in, and only once', async () => {
  const { port, stop } = await startMemoryEngine()
  const history = { recentTrades: async () => [] } as unknown as HistoryPort
  const given: (readonly [number, boolean])[] = []
  const views = await startViews(port, history)
  const { accounts, backOffice } = views
  views.batches.subscribe((batch) => {
    const hasEach = batch.events.every((event) => {
      if (event.kind === 'AccountCreated') return accounts.accountByName(event.account.name) !== undefined
      if (event.kind === 'FeeTierChanged') return backOffice.feeTierByName.has(event.feeTier.name)
      return true
    })
    given.push([batch.seq, hasEach && views.market.seq === batch.seq])
  })
  const operator = { actor: 'test', note: '' }
  const share = 50_000_000 as Rate
  const shares = { makerShare: share, takerShare: share }
  const tier: Command = { kind: 'SetFeeTier', operator, name: 'half', ...shares }
  const commands = [...market(), tier]
  for (const command of commands) await port.submit(command)
  expect(given).toEqual(commands.map((_, i) => [i + 1, true]))
  await stop()
})

test('a follower that fails while the views wait for its history ends the start, with its own cause', async () => {
  const { port, stop } = await startMemoryEngine()
  for (const command of market()) await port.submit(command)
  const control = new MessageChannel()
  const questions = new MessageChannel()
  const follower = new FollowerHandle(control.port1, () => {})
  const history = new HistoryClient(questions.port1)
  control.port2.postMessage({ kind: 'started', seq: 0 })
  // It fails with the first question unanswered.
  questions.port2.onmessage = () => follower.lose('its thread has ended')
  const engine = Object.assign(port, { ended: alive })
  const starting = startNodeViews(engine, { follower, history })
  const fault = await starting.catch((error: unknown) => error)
  expect(fault).toMatchObject({ name: 'FollowerFault', message: 'its thread has ended' })
  const later = await history.recentTrades(0 as never, 1, 0 as never).catch((error: unknown) => error)
  expect(later).toMatchObject({ kind: 'ENGINE_DOWN' })
  for (const { port1, port2 } of [control, questions]) for (const end of [port1, port2]) end.close()
  await stop()
})

test('a follower or an engine that fails before the follower has started ends the start as well', async () => {
  const { port, stop } = await startMemoryEngine()
  const history = new HistoryClient(new MessageChannel().port1)
  const cause = new Error('gone')
  const dead = Promise.reject(cause)
  for (const [follower, ended] of [
    [dead, alive],
    [alive, dead],
  ] as const) {
    const engine = Object.assign(port, { ended })
    const thread = { follower: { started: alive, ended: follower }, history }
    expect(await startNodeViews(engine, thread).catch((error: unknown) => error)).toBe(cause)
  }
  await stop()
})
