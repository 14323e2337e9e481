/**
 * The phase of the whole exchange, as operators set and plan it
 * (docs/reference/admin.md#phases-of-the-exchange).
 */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { openAdminFixture } from '../admin.fixture.ts'

const server = await openAdminFixture()
const { done, error } = server
afterAll(() => server.stop())
beforeEach(async () => {
  await done('exchange/halt')
  await done('exchange/open')
})

const PLAN = ['cancel-only@+30m', 'CLOSED@+40m', 'CANCEL_ONLY@+70m', 'TRADING@2100-01-01T02:00:00+02:00']

test('each phase is set at once, shown with actor and note, and ends what is planned', async () => {
  const audit = { actor: 'eve', note: 'prices are wrong' }
  await done('exchange/plan', { steps: ['CLOSED@+1h'] })
  const halted = await done('exchange/halt', audit)
  expect(halted).toMatchObject({
    phase: 'CANCEL_ONLY',
    by: 'local:eve',
    note: 'prices are wrong',
    planned: [],
  })
  expect(await done('exchange/show')).toEqual(halted)
  expect(await done('exchange/close')).toMatchObject({ phase: 'CLOSED', by: 'local:operator' })
  expect(await error('exchange/open')).toMatchObject({ status: 400, reason: 'PHASE_SEQUENCE' })
  expect(await done('exchange/halt')).toMatchObject({ phase: 'CANCEL_ONLY' })
  expect(await done('exchange/open')).toMatchObject({ phase: 'TRADING' })
})

test('a plan is given in moments or in times from now, and withdrawn', async () => {
  const steps = PLAN.slice(0, 3)
  const { planned } = (await done('exchange/plan', { steps, note: 'upgrade' })) as {
    planned: { phase: string; at: string }[]
  }
  expect(planned).toMatchObject([
    { phase: 'CANCEL_ONLY', note: 'upgrade' },
    { phase: 'CLOSED' },
    { phase: 'CANCEL_ONLY' },
  ])
  const at = planned.map((step) => Date.parse(step.at))
  expect(at.map((time) => time - (at[0] as number))).toEqual([0, 600_000, 2_400_000])
  const [first = ''] = planned.map((step) => step.at)
  const again = await done('exchange/plan', { steps: [`CLOSED@${first.replace('+00:00', 'Z')}`] })
  expect(again).toMatchObject({ phase: 'TRADING', planned: [{ phase: 'CLOSED', at: first }] })
  expect(await done('exchange/unplan')).toMatchObject({ phase: 'TRADING', planned: [] })
})

test('a wrong plan is refused with the wrong step, and the previous one stays', async () => {
  const before = await done('exchange/plan', { steps: ['CLOSED@+1h'] })
  const wrong = async (...steps: string[]) => {
    const refused = await error('exchange/plan', { steps })
    const { status, field, message } = refused as { status: number; field: string; message: string }
    expect([status, field]).toEqual([400, 'steps'])
    return message
  }
  const form = 'expected a phase and its time, such as CLOSED@2026-12-01T02:00:00Z or CLOSED@+30m'
  expect(await wrong('OPEN@+1h')).toBe(
    `steps: ${form}, with one of TRADING, CANCEL_ONLY, CLOSED; found OPEN@+1h`,
  )
  expect(await wrong('CLOSED')).toBe(`steps: ${form}; found CLOSED`)
  // Without an offset from UTC, the time is ambiguous.
  expect(await wrong('CLOSED@2100-01-01T02:00:00')).toBe(`steps: ${form}; found CLOSED@2100-01-01T02:00:00`)
  expect(await wrong('CLOSED@2100-13-01T02:00:00Z')).toContain(form)
  expect(await wrong('CLOSED@+1h@+2h')).toContain(form)
  expect(await wrong('CLOSED@2001-01-01T00:00:00Z')).toContain("expected a time after the node's time, ")
  expect(await wrong('CLOSED@+2h', 'CANCEL_ONLY@+2h')).toBe(
    "steps: expected a time after the previous step's time; found CANCEL_ONLY@+2h",
  )
  expect(await wrong('CLOSED@+367d')).toBe('steps: expected a time within 366 days; found CLOSED@+367d')
  const sequence = { steps: ['CLOSED@+2h', 'TRADING@+3h'] }
  expect(await error('exchange/plan', sequence)).toMatchObject({ status: 400, reason: 'PHASE_SEQUENCE' })
  expect(await error('exchange/plan', { steps: [] })).toMatchObject({ status: 400, field: 'steps' })
  const five = ['1', '2', '3', '4', '5'].map((hours) => `CLOSED@+${hours}h`)
  expect(await error('exchange/plan', { steps: five })).toMatchObject({ status: 400, field: 'steps' })
  expect(await done('exchange/show')).toEqual(before)
})

test('the audit trail has every change of phase, with its note', async () => {
  await done('exchange/plan', { steps: ['CLOSED@+1h', 'CANCEL_ONLY@+2h'], note: 'upgrade' })
  const [planned] = (await done('audit/list', { kind: 'PlanPhases', limit: 1 })) as object[]
  expect(planned).toMatchObject({ note: 'upgrade', outcome: 'done' })
  expect((planned as { fields: { steps: string[] } }).fields.steps.map((step) => step.slice(0, 16))).toEqual([
    expect.stringContaining('CLOSED@20'),
    expect.stringContaining('CANCEL_ONLY@20'),
  ])
  await done('exchange/close', { note: 'at once' })
  const entries = (await done('audit/list', { kind: 'SetPhase', limit: 1 })) as object[]
  expect(entries).toMatchObject([{ note: 'at once', fields: { phase: 'CLOSED' } }])
})
