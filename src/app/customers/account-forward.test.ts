/** Requests without a session on their way to the customers process, over a real socket. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AccountForward, UNDER_WAY_MAX } from './account-forward.ts'
import { OF_ADDRESS_MAX } from './address-places.ts'

let directory: string
let server: Bun.Server<undefined>
let forward: AccountForward
/** The process answers nothing until this resolves. */
let release: () => void
let reached: number

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'bourse-forward-'))
  const { promise, resolve } = Promise.withResolvers<void>()
  release = resolve
  reached = 0
  const socketPath = path.join(directory, 'customers.sock')
  server = Bun.serve({
    unix: socketPath,
    fetch: async () => {
      reached++
      await promise
      return new Response('{}')
    },
  })
  forward = new AccountForward({ socketPath, secret: 'secret' })
})
afterEach(async () => {
  release()
  await server.stop(true)
  rmSync(directory, { recursive: true })
})

const ask = (address: string): Promise<number> => {
  const request = new Request('http://localhost/account/v1/me')
  return forward
    .answer({ request, path: '/account/v1/me', body: undefined, address })
    .then(({ status }) => status)
}
const refusedOf = (statuses: readonly number[]) => statuses.filter((status) => status === 503).length

test('a flood from one address leaves room for others, and its places are free again once it is answered', async () => {
  const flood = Array.from({ length: UNDER_WAY_MAX * 2 }, () => ask('192.0.2.1'))
  const other = ask('192.0.2.2')
  release()
  expect(await other).toBe(200)
  expect(refusedOf(await Promise.all(flood))).toBe(UNDER_WAY_MAX * 2 - OF_ADDRESS_MAX)
  expect(reached).toBe(OF_ADDRESS_MAX + 1)
  expect(await ask('192.0.2.1')).toBe(200)
})

test('addresses of one IPv6 network count as one, and a wider network leaves half of the places to others', async () => {
  const ofOne = Array.from({ length: UNDER_WAY_MAX }, (_, n) => ask(`2001:db8::${n.toString(16)}`))
  const ofWider = Array.from({ length: UNDER_WAY_MAX }, (_, n) => ask(`2001:db8:1:${n.toString(16)}::1`))
  const other = ask('192.0.2.2')
  release()
  expect(await other).toBe(200)
  expect(refusedOf(await Promise.all(ofOne))).toBe(UNDER_WAY_MAX - OF_ADDRESS_MAX)
  expect(refusedOf(await Promise.all(ofWider))).toBe(UNDER_WAY_MAX / 2)
})

test('all addresses together have a bounded number of requests in flight', async () => {
  const asked = Array.from({ length: UNDER_WAY_MAX + 9 }, (_, n) => ask(`192.0.2.${n}`))
  release()
  expect(refusedOf(await Promise.all(asked))).toBe(9)
})
