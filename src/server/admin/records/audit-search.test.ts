import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminAction } from '../../../contract/admin/records.ts'
import { type AdminFixture, openAdminFixture } from '../admin.fixture.ts'
import { COMMANDS_READ_MAX } from './audit-search.ts'

let server: AdminFixture
let all: readonly AdminAction[]

beforeAll(async () => {
  server = await openAdminFixture()
  await server.done('asset/add', { code: 'BTC', fraction: 8 })
  for (const name of ['alice', 'bob']) await server.done('account/add', { name, actor: 'anna' })
  for (let i = 1; i <= 12; i++) {
    const account = i % 3 === 0 ? 'bob' : 'alice'
    const actor = i % 2 === 0 ? 'anna' : 'bela'
    const note = i === 7 ? 'from the Bank' : ''
    const credit = { account, asset: 'BTC', amount: String(i), reference: `deposit-${i}`, actor, note }
    await server.done('money/credit', credit)
  }
  await server.done('account/freeze', { account: 'bob', actor: 'bela' })
  all = (await server.done('audit/list')) as AdminAction[]
})
afterAll(() => server.stop())

const find = async (request: object) =>
  (await server.done('audit/find', request)) as AdminResults['audit/find']
const wanted = (isWanted: (action: AdminAction) => boolean) => all.filter(isWanted)

describe('a search of the audit trail', () => {
  test('finds by actor, operation and account, each alone and all together', async () => {
    const byBela = { actor: 'local:bela' }
    const ofBob = ({ fields }: AdminAction) => fields.account === 'bob'
    expect((await find(byBela)).actions).toEqual(wanted(({ actor }) => actor === 'local:bela'))
    expect((await find({ kind: 'credit' })).actions).toEqual(wanted(({ kind }) => kind === 'Credit'))
    expect((await find({ account: 'bob' })).actions).toEqual(wanted(ofBob))
    const both = wanted((one) => ofBob(one) && one.actor === 'local:bela' && one.kind === 'Credit')
    expect(both.length).toBeGreaterThan(1)
    expect((await find({ ...byBela, account: 'bob', kind: 'Credit' })).actions).toEqual(both)
  })

  test('finds a text in any letter case, in the note, the outcome, the reference and every other field', async () => {
    for (const text of ['FROM THE BANK', 'deposit-7', 'amount 7'])
      expect([text, (await find({ text })).actions]).toEqual([
        text,
        wanted(({ fields }) => fields.reference === 'deposit-7'),
      ])
    expect((await find({ text: 'no such words' })).actions).toEqual([])
  })

  test('finds operations within a time, its ends included', async () => {
    const times = all.map(({ time }) => Date.parse(time))
    for (const from of [undefined, ...times, Number(times.at(-1)) - 1])
      for (const to of [undefined, ...times, Number(times[0]) + 1]) {
        const iso = (moment: number | undefined) =>
          moment === undefined ? undefined : new Date(moment).toISOString()
        const { actions, next } = await find({ from: iso(from), to: iso(to), limit: 500 })
        const isIn = (at: number) => at >= (from ?? 0) && at <= (to ?? Number.MAX_SAFE_INTEGER)
        expect([from, to, actions, next]).toEqual([
          from,
          to,
          wanted(({ time }) => isIn(Date.parse(time))),
          null,
        ])
      }
  })

  test('returns as many as requested, and continues where it stopped, so that each is found once', async () => {
    const found: AdminAction[] = []
    let before: number | null | undefined
    do {
      const page = await find({ kind: 'Credit', text: 'deposit', limit: 5, before: before ?? undefined })
      expect(page.actions.length).toBeLessThanOrEqual(5)
      found.push(...page.actions)
      before = page.next
    } while (before !== null)
    expect(found).toEqual(wanted(({ kind }) => kind === 'Credit'))
  })

  test('reads a bounded number of commands at a time, and says how far back it has read', async () => {
    const many = await openAdminFixture()
    try {
      await many.done('account/add', { name: 'needle' })
      const note = (i: number) => many.done('ban/lift', { address: '192.0.2.1', note: `nothing ${i}` })
      for (let i = 0; i < COMMANDS_READ_MAX; i += 100)
        await Promise.all(Array.from({ length: 100 }, (_, k) => note(i + k)))
      const ask = async (before: number | undefined) =>
        (await many.done('audit/find', { text: 'needle', before })) as AdminResults['audit/find']
      const first = await ask(undefined)
      expect([first.actions, first.next === null]).toEqual([[], false])
      expect(first.lookedBackTo).not.toBeNull()
      const second = await ask(first.next ?? undefined)
      expect([second.actions.length, second.next]).toEqual([1, null])
    } finally {
      await many.stop()
    }
  })

  test('refuses an invalid search, with the field', async () => {
    for (const [request, field] of [
      [{ from: 'yesterday' }, 'from'],
      [{ to: '2026-13-01' }, 'to'],
      [{ to: '2026-01-31T10:00:00' }, 'to'],
      [{ kind: 'PlaceOrder' }, 'kind'],
      [{ account: 'nobody' }, 'account'],
      [{ limit: 501 }, 'limit'],
    ] as const)
      expect(await server.error('audit/find', request)).toMatchObject({ field })
  })
})
