import { afterEach, expect, test } from 'bun:test'
import { faultKindOf } from '../../engine/port/engine-port.contract.ts'
import type { RememberedPlace } from '../../engine/port/journal.ts'
import { account, market } from '../../engine/writer/commands.fixture.ts'
import { seq } from '../../units/quantities.ts'
import { type LinkedChanges, type LinkedEngine, startLinkedEngine } from './linked-engine.fixture.ts'
import type { LinkFault } from './protocol/link-fault.ts'
import type { LinkPeer } from './serving/link-end.ts'

let linked: LinkedEngine
afterEach(() => linked.stop())

async function open(changes: LinkedChanges = {}): Promise<LinkedEngine> {
  linked = await startLinkedEngine(changes)
  return linked
}

const faultOf = (opening: Promise<unknown>): Promise<LinkFault> =>
  opening.then(
    () => {
      throw new Error('expected a fault of the link')
    },
    (cause: unknown) => cause as LinkFault,
  )

const POSITION: RememberedPlace = {
  position: 9,
  epoch: 2,
  seq: seq(70),
  hash: new Uint8Array(32).fill(5),
  journal: 'j',
}

test('an engine that does not lead says so, and who does, only to an authenticated peer', async () => {
  const { server, link, replica } = await open()
  server.unserve()
  expect(await faultOf(link())).toMatchObject({ kind: 'NOT_LEADER', leader: undefined })
  server.unserve('engine-2')
  for (const opening of [link(), replica()]) {
    expect(await faultOf(opening)).toMatchObject({
      kind: 'NOT_LEADER',
      leader: 'engine-2',
      message: 'the engine does not lead, engine-2 does',
    })
  }
  expect(await faultOf(link({ secret: 'another secret of at least 32 characters' }))).toMatchObject({
    kind: 'WRONG_SECRET',
    leader: undefined,
  })
})

test('an engine that no longer leads closes its links, and the outcome of requests in flight is unknown', async () => {
  const { server, link, replica, engine, history } = await open()
  const [gateway, follower] = [await link(), await replica()]
  const waits = faultKindOf(follower.feed.next(seq(0), 1))
  await gateway.engine.ask('balances', { accountId: 0 as never })
  const asked = faultKindOf(gateway.engine.submit(account('a')))
  server.unserve('engine-2')
  expect([(await gateway.lost).kind, (await follower.lost).kind]).toEqual(['NOT_LEADER', 'NOT_LEADER'])
  expect([await asked, await waits]).toEqual(['OUTCOME_UNKNOWN', 'ENGINE_DOWN'])
  server.serve({
    kind: 'leader',
    journal: 'j',
    name: 'engine',
    epoch: 4,
    engine,
    history,
    clock: () => undefined,
  })
  const again = await link()
  expect(again.welcome).toMatchObject({ kind: 'welcome', journal: 'j', epoch: 4, confirmed: undefined })
})

test('each answer comes after the confirmed position', async () => {
  const { link, journal } = await open()
  const opened = await link()
  const { engine } = opened
  expect(opened.confirmed()?.position).toBe(0)
  await engine.follow(() => {})
  for (const command of market()) {
    await engine.submit(command)
    expect(opened.confirmed()).toMatchObject({ position: journal.tail.position, hash: journal.tail.hash })
  }
})

test('the position that a gateway or a replica remembers is sent to an engine that follows too, so that it can claim by it', async () => {
  const presented: [RememberedPlace, LinkPeer][] = []
  const { server, link, replica } = await open({
    onRemembered: (remembered, peer) => presented.push([remembered, peer]),
  })
  server.unserve()
  await faultOf(link({ remembered: POSITION, name: 'gateway-1' }))
  await faultOf(replica({ remembered: POSITION, name: 'historian-1' }))
  await faultOf(link({ remembered: POSITION, secret: 'another secret of at least 32 characters' }))
  await faultOf(link())
  expect(presented).toEqual([
    [POSITION, { name: 'gateway-1', role: 'gateway' }],
    [POSITION, { name: 'historian-1', role: 'replica' }],
  ])
})

test('a leader whose journal lacks what a gateway remembers serves it nothing and says what is missing', async () => {
  const asked: RememberedPlace[] = []
  const { link, server, noted } = await open({
    lacks: async (remembered) => {
      asked.push(remembered)
      return remembered.position === POSITION.position ? 'the journal ends at position 8' : undefined
    },
  })
  expect(await faultOf(link({ remembered: POSITION }))).toMatchObject({
    kind: 'WITNESS',
    message: 'the journal ends at position 8',
  })
  expect(await noted('LinkClosed')).toMatchObject({ name: 'gateway', fault: { kind: 'WITNESS' } })
  expect(server.gateways).toEqual([])
  await link({ remembered: { ...POSITION, position: 8 } })
  expect(asked.map(({ position }) => position)).toEqual([9, 8])
})

test('a journal that cannot be read serves no peer that remembers a position', async () => {
  const { link } = await open({ lacks: () => Promise.reject(new Error('the database is gone')) })
  expect(await faultOf(link({ remembered: POSITION }))).toMatchObject({
    kind: 'STOPPING',
    message: 'the journal cannot be read: the database is gone',
  })
  expect((await link()).welcome.leader).toBe('engine')
})

test('an engine that loses leadership while it reads its journal does not serve', async () => {
  const looked = Promise.withResolvers<undefined>()
  const looking = Promise.withResolvers<void>()
  const lacks = (): Promise<undefined> => {
    looking.resolve()
    return looked.promise
  }
  const { link, server } = await open({ lacks })
  const opening = faultOf(link({ remembered: POSITION }))
  await looking.promise
  server.unserve('engine-3')
  looked.resolve(undefined)
  expect((await opening).kind).toBe('NOT_LEADER')
  expect(server.gateways).toEqual([])
})

test('changed secrets apply to new links; open ones stay', async () => {
  const { link, server } = await open()
  const opened = await link()
  const fresh = 'a fresh secret of at least 32 characters'
  server.takeSecrets([fresh])
  expect((await faultOf(link())).kind).toBe('WRONG_SECRET')
  await link({ secret: fresh })
  expect(await faultKindOf(opened.engine.submit(account('a')))).toBeUndefined()
})
