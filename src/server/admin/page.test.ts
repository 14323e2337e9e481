import { expect, test } from 'bun:test'
import { openAdminFixture } from './admin.fixture.ts'
import { pageOf } from './page.ts'

const name = (entry: string): string => entry

test('pages have every entry once, in order, whatever their size', () => {
  const entries = ['a', 'b', 'c', 'd', 'e']
  expect(pageOf(entries, {}, name)).toEqual(entries)
  for (const limit of [1, 2, 3, 5, 9]) {
    const found: string[] = []
    for (;;) {
      const page = pageOf(entries, { after: found.at(-1), limit }, name)
      if (page.length === 0) break
      expect(page.length).toBeLessThanOrEqual(limit)
      found.push(...page)
    }
    expect(found).toEqual(entries)
  }
})

test('two entries of one name are skipped together, and an unknown one is refused', () => {
  expect(pageOf(['a', 'b', 'b', 'c'], { after: 'b' }, name)).toEqual(['c'])
  expect(() => pageOf(['a'], { after: 'x' }, name)).toThrow('after: expected an entry of the list, found x')
})

test('every list of operators that can grow takes after and limit', async () => {
  const server = await openAdminFixture()
  try {
    const asset = (code: string) => ({ code, name: code, fraction: 8 })
    for (const code of ['AAA', 'BBB', 'CCC']) await server.done('asset/add', asset(code))
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3'])
      await server.done('ban/add', { address, minutes: 5 })
    await server.done('account/add', { name: 'paged' })
    for (const label of ['1', '2', '3']) await server.done('key/add', { account: 'paged', label })
    for (const tier of ['one', 'two', 'three'])
      await server.done('tier/set', { name: tier, makerShare: '1', takerShare: '1' })
    for (const token of ['ann', 'ben', 'cat'])
      await server.done('token/add', { name: token, role: 'READ_ONLY' })
    for (const role of ['desk', 'deposits']) await server.done('role/set', { name: role, rights: ['read'] })
    const lists = [
      ['asset/list', {}, 'code'],
      ['symbol/list', {}, 'symbol'],
      ['tier/list', {}, 'name'],
      ['key/list', { account: 'paged' }, 'apiKey'],
      ['token/list', {}, 'name'],
      ['role/list', {}, 'name'],
      ['ban/list', {}, 'address'],
      ['approval/list', {}, 'reference'],
    ] as const
    for (const [operation, request, field] of lists) {
      const all = (await server.done(operation, request)) as Record<string, string>[]
      const last = all.at(-1)?.[field]
      const second = all[1]
      if (second === undefined) {
        expect([operation, await server.done(operation, { ...request, limit: 1 })]).toEqual([operation, all])
        continue
      }
      const page = await server.done(operation, { ...request, after: all[0]?.[field], limit: 1 })
      expect([operation, page]).toEqual([operation, [second]])
      expect(await server.done(operation, { ...request, after: last })).toEqual([])
    }
  } finally {
    await server.stop()
  }
})
