/** The clock at the admin server: its state, and accepting its time. */
import { afterAll, expect, test } from 'bun:test'
import { NOW, openAdminFixture } from '../admin.fixture.ts'

const hands = { wall: NOW, elapsed: 0 }
const server = await openAdminFixture(hands)
const { done, error } = server
afterAll(() => server.stop())

const iso = (ms: number) => new Date(ms).toISOString().replace('Z', '+00:00')

test('a clock that has jumped is shown, accepted once, and actor and note stay in the trail', async () => {
  await done('account/add', { name: 'carol' })
  expect(await done('clock/show')).toEqual({
    trusted: true,
    serverTime: iso(NOW),
    clock: iso(NOW),
    aheadMs: 0,
  })
  expect(await error('clock/accept')).toMatchObject({ status: 409, reason: 'CLOCK_TRUSTED' })

  hands.elapsed += 1_000
  hands.wall += 86_400_000
  await done('account/add', { name: 'dora' })
  const late = iso(NOW + 86_400_000)
  expect(await done('clock/show')).toEqual({
    trusted: false,
    serverTime: iso(NOW + 1_000),
    clock: late,
    aheadMs: 86_399_000,
  })
  expect(await done('clock/accept', { actor: 'ann', note: 'suspended' })).toEqual({
    before: iso(NOW + 1_000),
    trusted: true,
    serverTime: late,
    clock: late,
    aheadMs: 0,
  })
  expect(await done('audit/list', { kind: 'AcceptClock' })).toMatchObject([
    { actor: 'local:ann', note: 'suspended', outcome: 'done', fields: { clock: late } },
  ])
})
