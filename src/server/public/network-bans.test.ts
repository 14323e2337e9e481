/** Bans of IPv6 networks by operators, as seen by clients. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { timeMs } from '../../units/quantities.ts'
import { type Fixture, openFixture } from './gateway.fixture.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

let f: Fixture
beforeAll(async () => {
  f = await openFixture({ config: { ...SANDBOX_GATEWAY, trustedProxies: ['127.0.0.1'] } })
})
afterAll(() => f.stop())

test('an address in a banned network gets the later end of its bans, and one beside it is served', async () => {
  const operator = { actor: 'test', note: '' }
  const ban = (address: string, ms: number) =>
    f.submit({ kind: 'BanAddress', operator, address, until: timeMs(f.clock.time + ms) })
  await ban('2001:db8:5::/48', 90_000)
  await ban('2001:db8:5:1::/64', 30_000)
  await ban('2001:db8:6:200::/56', 60_000)
  const found = async (address: string) => {
    const headers = { 'X-Forwarded-For': address }
    const answer = await fetch(`${f.url}/api/v3/exchangeInfo`, { headers })
    return [answer.status, answer.headers.get('retry-after')]
  }
  expect(await found('2001:db8:5:1::9')).toEqual([418, '90'])
  expect(await found('2001:db8:5:abcd::9')).toEqual([418, '90'])
  expect(await found('2001:db8:6:2ff::9')).toEqual([418, '60'])
  for (const beside of ['2001:db8:6:300::9', '2001:db8:7::9', '192.0.2.1'])
    expect(await found(beside)).toEqual([200, null])
})
