import { describe, expect, test } from 'bun:test'
import { FAULTS_MAX, type FaultRequest } from '../../../contract/admin/operations/faults.ts'
import { type Fault, type FaultSubject, FaultTable } from './fault-table.ts'

const SUBJECT: FaultSubject = { account: 'alice', apiKey: 'key', endpoint: 'POST /api/v3/order' }

function rig() {
  const clock = { nowMs: 0 }
  const ended: Fault[] = []
  const table = new FaultTable({
    monotonicMs: () => clock.nowMs,
    spared: new Set(['demo-maker-1']),
    onEnded: (fault) => ended.push(fault),
  })
  return { clock, ended, table }
}

/** The indexes of the requests, among this number, that the fault affects. */
function struckOf(request: FaultRequest, requests: number): readonly number[] {
  const { table } = rig()
  table.add(request)
  return Array.from({ length: requests }, (_, place) => place).filter(
    () => table.strike(request.kind, SUBJECT) !== undefined,
  )
}

describe('a table of faults', () => {
  test('a fault strikes in its share of the cases, and its seed repeats which', () => {
    const request: FaultRequest = { kind: 'LOST_ANSWER', percent: 20, seed: 5 }
    const struck = struckOf(request, 5_000)
    expect(struck.length).toBeGreaterThan(850)
    expect(struck.length).toBeLessThan(1_150)
    expect(struckOf(request, 5_000)).toEqual(struck)
    expect(struckOf({ ...request, seed: 6 }, 5_000)).not.toEqual(struck)
  })

  test.each<[keyof FaultSubject, string, FaultRequest]>([
    ['account', 'bob', { kind: 'DISCONNECT', account: 'alice' }],
    ['apiKey', 'other', { kind: 'DISCONNECT', apiKey: 'key' }],
    ['endpoint', 'DELETE /api/v3/order', { kind: 'DISCONNECT', endpoint: 'POST /api/v3/order' }],
  ])('a fault that names an %s does not meet another', (field, other, request) => {
    const { table } = rig()
    table.add(request)
    expect(table.strike('DISCONNECT', { ...SUBJECT, [field]: other })).toBeUndefined()
    expect(table.strike('DISCONNECT', { ...SUBJECT, [field]: undefined })).toBeUndefined()
    expect(table.strike('DISCONNECT', SUBJECT)?.struck).toBe(1)
  })

  test('the demo market is spared by faults that name no account, and hit by those that name its account', () => {
    const { table } = rig()
    const maker = { ...SUBJECT, account: 'demo-maker-1' }
    table.add({ kind: 'LATENCY', latencyMs: 1 })
    expect(table.strike('LATENCY', maker)).toBeUndefined()
    expect(table.strike('LATENCY', { ...SUBJECT, account: undefined })).toBeDefined()
    table.add({ kind: 'LATENCY', latencyMs: 1, account: 'demo-maker-1' })
    expect(table.strike('LATENCY', maker)).toBeDefined()
  })

  test('a fault ends when its time is over, when it has struck often enough, and when it is cleared', () => {
    const { table, clock, ended } = rig()
    table.add({ kind: 'LATENCY', latencyMs: 1, seconds: 10 })
    table.add({ kind: 'DISCONNECT', times: 2 })
    table.add({ kind: 'HALT' })
    clock.nowMs = 9_999
    expect(table.strike('LATENCY', SUBJECT)).toBeDefined()
    clock.nowMs = 10_000
    expect(table.strike('LATENCY', SUBJECT)).toBeUndefined()
    for (const isStruck of [true, true, false]) {
      expect(table.strike('DISCONNECT', SUBJECT) !== undefined).toBe(isStruck)
    }
    expect(table.list().map(({ request }) => request.kind)).toEqual(['HALT'])
    expect(ended.map(({ number }) => number)).toEqual([2, 1])
    expect([table.clear(3), table.clear(3), table.isEmpty]).toEqual([1, 0, true])
  })

  test('a clock offset replaces an earlier one, and the clock is right again at its end', () => {
    const { table, clock } = rig()
    table.add({ kind: 'CLOCK', aheadMs: 5_000 })
    table.add({ kind: 'CLOCK', behindMs: 700, seconds: 1 })
    expect(table.clockOffsetMs()).toBe(-700)
    expect(table.list()).toHaveLength(1)
    clock.nowMs = 1_000
    expect(table.clockOffsetMs()).toBe(0)
  })

  test('there are 100 faults at most', () => {
    const { table } = rig()
    for (let i = 0; i < FAULTS_MAX; i++) expect(table.add({ kind: 'HALT' })).toBeDefined()
    expect(table.add({ kind: 'HALT' })).toBeUndefined()
    expect(table.clear(undefined)).toBe(FAULTS_MAX)
    expect(table.add({ kind: 'HALT' })?.number).toBe(FAULTS_MAX + 1)
  })
})
