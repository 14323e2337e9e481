import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type LinkedEngine, SECRET, startLinkedEngine } from '../linked-engine.fixture.ts'
import type { LinkFault } from '../protocol/link-fault.ts'
import { openLeaderLink } from './leader-link.ts'

const engines: LinkedEngine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop()
})

/** An engine that leads in an epoch; epoch 0 means that it follows. */
async function engineOf(name: string, epoch: number): Promise<LinkedEngine> {
  const engine = await startLinkedEngine({ name, epoch })
  engines.push(engine)
  if (epoch === 0) engine.server.unserve()
  return engine
}

function open(epochMin = 0, secret = SECRET, silent: readonly string[] = []) {
  const serving = engines.map(({ socketPath }, i) => ({ name: `engine-${i + 1}`, address: { socketPath } }))
  const vanished = silent.map((socketPath) => ({ name: 'vanished', address: { socketPath } }))
  const named = [...vanished, ...serving]
  return openLeaderLink({ engines: named, epochMin, secret, name: 'gateway', openTimeoutMs: 30_000 })
}

const faultOf = (opening: Promise<unknown>): Promise<LinkFault> =>
  opening.catch((cause: unknown) => cause) as never

test('a link is opened to the one of several engines that leads', async () => {
  for (const [name, epoch] of [
    ['a', 0],
    ['b', 3],
    ['c', 0],
  ] as const)
    await engineOf(name, epoch)
  const link = await open()
  expect(link.welcome).toMatchObject({ leader: 'b', epoch: 3 })
  link.close()
})

test('an engine that does not know yet that it was deposed is not used, whatever others there are', async () => {
  await engineOf('a', 3)
  expect(await faultOf(open(4))).toMatchObject({ kind: 'NOT_LEADER' })
  await engineOf('b', 4)
  const link = await open(4)
  expect(link.welcome.leader).toBe('b')
  link.close()
})

test('where none leads, each engine’s message is reported, with the kind that needs an operator first', async () => {
  await engineOf('a', 0)
  const { server } = await engineOf('b', 0)
  await server.stop()
  const fault = await faultOf(open())
  expect(fault.kind).toBe('NOT_LEADER')
  expect(fault.message).toMatch(/^engine-1: the engine does not lead, .*; engine-2: /)
  const wrong = await faultOf(open(0, 'another secret of at least 32 characters'))
  expect(wrong.kind).toBe('WRONG_SECRET')
})

test('one link is kept where two engines both lead for a moment', async () => {
  const [one, two] = [await engineOf('a', 3), await engineOf('b', 3)]
  const link = await open()
  const kept = link.welcome.leader === 'a' ? one : two
  const other = kept === one ? two : one
  expect(await other.noted('LinkClosed')).toMatchObject({ name: 'gateway' })
  expect([kept.server.gateways, other.server.gateways]).toEqual([['gateway'], []])
  link.close()
})

test('an engine that begins to lead is found while another, whose machine has vanished, is still waited for', async () => {
  const engine = await engineOf('a', 0)
  const socketPath = path.join(mkdtempSync(path.join(tmpdir(), 'bourse-vanished-')), 'socket')
  const vanished = createServer(() => {}).listen(socketPath)
  try {
    const opening = open(0, SECRET, [socketPath])
    await engine.noted('LinkClosed')
    await engine.server.stop()
    engine.serve({ name: 'a', epoch: 3 })
    const link = await opening
    expect(link.welcome.leader).toBe('a')
    link.close()
  } finally {
    vanished.close()
    rmSync(path.dirname(socketPath), { recursive: true })
  }
})
