import { expect, test } from 'bun:test'
import { type Attempt, BUDGETS, Failures } from './failures.ts'

const ATTEMPT: Attempt = { account: 'a', network: '192.0.2.0/24', password: 'secret', device: undefined }

function failures() {
  const clock = { nowMs: 0 }
  const world = { monotonicMs: () => clock.nowMs, randomBytes: (size: number) => new Uint8Array(size) }
  return { clock, counts: new Failures(world) }
}

/** The number of attempts that are let through if each one fails. */
function tried(counts: Failures, attempts: number, of: (n: number) => Partial<Attempt>): number {
  let let_ = 0
  for (let n = 0; n < attempts; n++) if (counts.begin({ ...ATTEMPT, ...of(n) }) !== undefined) let_++
  return let_
}

test('one account is tried ten times, from however many networks, then every three minutes', () => {
  const { clock, counts } = failures()
  const strange = (n: number) => ({ network: `net ${n}`, password: `${n}` })
  expect(tried(counts, 500, strange)).toBe(BUDGETS.account.most)
  clock.nowMs += 3 * 60_000
  expect(tried(counts, 500, (n) => strange(n + 1_000))).toBe(1)
})

test('one network tries many accounts in turn slowly, and is never shut for good', () => {
  const { clock, counts } = failures()
  const strange = (n: number) => ({ account: `a${n}`, password: `${n}` })
  expect(tried(counts, 500, strange)).toBe(BUDGETS.network.most)
  clock.nowMs += 10_000
  expect(tried(counts, 500, (n) => strange(n + 1_000))).toBe(1)
})

test('one password is tried on few accounts, from however many networks', () => {
  const { counts } = failures()
  expect(tried(counts, 500, (n) => ({ account: `a${n}`, network: `net ${n}` }))).toBe(BUDGETS.password.most)
})

test('a browser that has signed in before tries on while strangers have used up everything else', () => {
  const { counts } = failures()
  tried(counts, 500, (n) => ({ password: `${n}` }))
  expect(counts.begin(ATTEMPT)).toBeUndefined()
  expect(tried(counts, 500, () => ({ device: 'd' }))).toBe(BUDGETS.device.most)
})

test('an attempt that succeeds costs nothing', () => {
  const { counts } = failures()
  for (let n = 0; n < 500; n++) counts.begin(ATTEMPT)?.()
  expect(tried(counts, 500, () => ({}))).toBe(BUDGETS.account.most)
})
