import { expect, test } from 'bun:test'
import type { AdminAuditSearch } from '../../../contract/admin/admin.ts'
import type { AdminAuditPage } from '../../../contract/admin/audit.ts'
import type { AdminAction } from '../../../contract/admin/records.ts'
import { ANYTHING, findAll, nextFound, searchOf } from './audit-search.ts'
import type { Answer } from './page-session.ts'

test('a search has the typed values, and takes a time without an offset as UTC', () => {
  expect(searchOf(ANYTHING)).toEqual({})
  const typed = { ...ANYTHING, actor: ' anna ', from: '2026-01-31T14:05', to: '2026-02-01' }
  expect(searchOf(typed)).toEqual({ actor: 'anna', from: '2026-01-31T14:05:00Z', to: '2026-02-01' })
  expect(searchOf({ ...ANYTHING, from: 'yesterday' })).toEqual({ from: 'yesterday' })
})

const action = (seq: number): AdminAction => ({
  ...{ seq, time: '', kind: 'Credit', actor: 'anna', outcome: 'done', fields: {}, note: '' },
})

/** A trail of `count` commands, of which every third matches; it searches ten at a time. */
function trail(count: number) {
  const asked: AdminAuditSearch[] = []
  const ask = async (request: AdminAuditSearch): Promise<Answer<AdminAuditPage>> => {
    asked.push(request)
    const start = (request.before ?? count + 1) - 1
    const looked = Array.from({ length: Math.min(10, start) }, (_, i) => start - i)
    const found = looked.filter((seq) => seq % 3 === 0).slice(0, request.limit)
    const last = found.length === request.limit ? found.at(-1) : looked.at(-1)
    const next = last === undefined || last === 1 ? null : last
    return { ok: true, result: { actions: found.map(action), next, lookedBackTo: null } }
  }
  return { asked, ask }
}

test('all results are collected from page to page, each once, up to a limit', async () => {
  const { ask } = trail(100)
  const seqs = async (max: number) => {
    const answer = await findAll(ask, { kind: 'Credit' }, max, 7)
    if (!answer.ok) throw new Error('refused')
    return [answer.result.actions.map(({ seq }) => seq), answer.result.isCut] as const
  }
  const every = Array.from({ length: 33 }, (_, i) => 99 - 3 * i)
  expect(await seqs(1_000)).toEqual([every, false])
  expect(await seqs(20)).toEqual([every.slice(0, 20), true])
})

test('a refusal on the way is the result', async () => {
  const refused = { ok: false, error: { reason: 'SESSION_ENDED', message: 'over' } } as const
  expect(await findAll(async () => refused, {}, 10, 10)).toEqual(refused)
})

test('a search continues by itself until something is found, and ends where the trail does', async () => {
  const { ask, asked } = trail(100)
  expect(await nextFound(ask, {}, 100)).toBe(100)
  const rare = async (request: AdminAuditSearch): Promise<Answer<AdminAuditPage>> => {
    const answer = await ask({ ...request, limit: 10 })
    if (!answer.ok) return answer
    return {
      ok: true,
      result: { ...answer.result, actions: answer.result.actions.filter(({ seq }) => seq === 3) },
    }
  }
  asked.length = 0
  const before = await nextFound(rare, {}, 100)
  expect(before).toBeGreaterThan(3)
  expect(before).toBeLessThanOrEqual(13)
  expect(asked.length).toBe(10)
  expect(
    await nextFound(
      async () => ({ ok: true, result: { actions: [], next: null, lookedBackTo: null } }),
      {},
      9,
    ),
  ).toBe(9)
})
