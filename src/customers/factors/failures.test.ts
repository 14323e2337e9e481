import { expect, test } from 'bun:test'
import type { Store } from '../store/store.ts'
import { type Attempt, BUDGETS, Failures } from './failures.ts'

const ATTEMPT: Attempt = { account: 'a', network: '192.0.2.0/24', password: 'secret', device: undefined }

function failures() {
  const clock = { nowMs: 0 }
  const now = () => clock.nowMs
  const world = { now, monotonicMs: now, randomBytes: (size: number) => new Uint8Array(size) }
  const fullMs = new Map<string, number>()
  const store = {
    failures: {
      fullMs: (subject: string) => fullMs.get(subject),
      add: (subject: string, nowMs: number, everyMs: number) =>
        void fullMs.set(subject, Math.max(nowMs, fullMs.get(subject) ?? 0) + everyMs),
    },
  } as unknown as Pick<Store, 'failures'>
  const newProcess = () => new Failures(world, store)
  return { clock, newProcess, counts: newProcess() }
}

/** The number of attempts that are allowed if each one fails. */
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

test('one network that tries many accounts in turn is slowed down, and never locked out permanently', () => {
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

test('a browser that has signed in before can still try while strangers have used up everything else', () => {
  const { counts } = failures()
  tried(counts, 500, (n) => ({ password: `${n}` }))
  expect(counts.begin(ATTEMPT)).toBeUndefined()
  expect(tried(counts, 500, () => ({ device: 'd' }))).toBe(BUDGETS.device.most)
})

test('an attempt that succeeds costs nothing', () => {
  const { counts } = failures()
  for (let n = 0; n < 500; n++) counts.begin(ATTEMPT)?.succeed()
  expect(tried(counts, 500, () => ({}))).toBe(BUDGETS.account.most)
})

test('several processes together allow as many attempts on an account as one does', () => {
  const { clock, newProcess } = failures()
  const processes = [newProcess(), newProcess(), newProcess()]
  const strange = (n: number) => ({ ...ATTEMPT, network: `net ${n}`, password: `${n}` })
  const failed = (from: number) => {
    let count = 0
    for (let n = from; n < from + 300; n++) {
      const begun = processes[n % 3]?.begin(strange(n))
      if (begun === undefined) continue
      begun.fail()
      count++
    }
    return count
  }
  expect(failed(0)).toBe(BUDGETS.account.most)
  clock.nowMs += 3 * 60_000
  expect(failed(1_000)).toBe(1)
})

test('attempts that are checked at the same time in several processes exceed the limit once, and are fewer for as long afterwards', () => {
  const { clock, newProcess } = failures()
  const processes = [newProcess(), newProcess(), newProcess()]
  const strange = (n: number) => ({ ...ATTEMPT, network: `net ${n}`, password: `${n}` })
  const begun = processes.flatMap((one, i) =>
    Array.from({ length: 20 }, (_, n) => one.begin(strange(100 * i + n))),
  )
  const most = processes.length * BUDGETS.account.most
  expect(begun.filter((each) => each !== undefined)).toHaveLength(most)
  for (const each of begun) each?.fail()
  const untilMs = (most - BUDGETS.account.most + 1) * BUDGETS.account.everyMs
  clock.nowMs += untilMs - 1
  expect(processes.map((one) => one.begin(strange(9_000)))).toEqual([undefined, undefined, undefined])
  clock.nowMs += 1
  expect(processes[0]?.begin(strange(9_001))).toBeDefined()
})
