/** A key whose person was removed is destroyed, and no other. */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { type Browser, Rig } from './customers.fixture.ts'
import { NOBODYS_MS_MIN, NobodysKeys } from './nobodys-keys.ts'
import { refuseCustomer } from './operators/admission.ts'
import { sweepSignUps } from './people/sign-up.ts'

const HOUR_MS = NOBODYS_MS_MIN
const JO = 'jo@example.org'
let rig: Rig
let browser: Browser

beforeEach(() => {
  rig = new Rig()
  browser = rig.browser()
})
afterEach(() => rig.close())

const keys = () => rig.context.store.keys
const owners = () => keys().owners().toSorted()
const sweep = () => rig.context.nobodysKeys.sweep()

/** Kills the process when the work would destroy a key, and starts it again. */
function endsAtDestruction(work: () => void): void {
  const destroy = spyOn(keys(), 'destroy').mockImplementation(() => {
    throw new Error('the process ends')
  })
  expect(work).toThrow('the process ends')
  destroy.mockRestore()
  rig.restart()
}

test('the key of a sign-up whose removal was interrupted is destroyed within two hours, and the keys of others stay', async () => {
  await browser.signUp(JO)
  const others = owners()
  await rig.browser().begin('ann@example.org')
  expect(owners()).toHaveLength(others.length + 1)
  // A sign-up in progress has its key.
  expect(sweep()).toBe(0)
  rig.nowMs += HOUR_MS
  expect(sweep()).toBe(0)
  expect(owners()).toHaveLength(others.length + 1)
  endsAtDestruction(() => sweepSignUps(rig.context))
  expect(rig.context.store.people.signUpCount()).toBe(0)
  expect(owners()).toHaveLength(others.length + 1)
  expect(sweep()).toBe(0)
  rig.nowMs += HOUR_MS - 1
  expect(sweep()).toBe(0)
  rig.nowMs += 1
  expect(sweep()).toBe(1)
  expect(owners()).toEqual(others)
  rig.nowMs += 2 * HOUR_MS
  expect(sweep()).toBe(0)
})

test('the key of a person whose refusal was interrupted is destroyed', async () => {
  rig.close()
  rig = new Rig({ ...rig.config, signUp: 'APPROVAL' })
  browser = rig.browser()
  await browser.signUp(JO)
  const { store } = rig.context
  const person = store.people.byMail(store.keys.mailIndex(JO)) ?? expect.unreachable()
  endsAtDestruction(() => {
    refuseCustomer(rig.context, { account: person.account })
  })
  expect(keys().keyOf(person.owner)).toBeDefined()
  sweep()
  rig.nowMs += HOUR_MS
  expect(sweep()).toBe(1)
  expect(keys().keyOf(person.owner)).toBeUndefined()
})

test('a store that lacks customers of the journal, or is older, keeps all keys: a newer copy needs them', () => {
  const { owner } = keys().newOwner()
  const { found } = rig.context
  for (const name of ['missing', 'old', 'trailDiffers'] as const) {
    sweep()
    rig.nowMs += HOUR_MS
    found[name] = 1
    expect([name, sweep()]).toEqual([name, 0])
    found[name] = 0
  }
  // The hour starts over.
  expect(sweep()).toBe(0)
  expect(keys().keyOf(owner)).toBeDefined()
  rig.nowMs += HOUR_MS
  expect(sweep()).toBe(1)
})

test('all keys are looked at, a page with each call, again and again', () => {
  const paged = new NobodysKeys(rig.context, 2)
  const made = Array.from({ length: 5 }, () => keys().newOwner().owner)
  for (let call = 0; call < 3; call++) paged.sweep()
  const late = keys().newOwner().owner
  rig.nowMs += HOUR_MS
  expect(paged.sweep()).toBe(made.length)
  expect(owners()).toEqual([late])
  for (let call = 0; call < 3; call++) paged.sweep()
  rig.nowMs += HOUR_MS
  expect(paged.sweep()).toBe(1)
  expect(owners()).toEqual([])
})
