/** Lifting a customer's freeze by two operators, on real files. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Browser, Rig } from '../customers.fixture.ts'
import { answerOperator } from './answer-operator.ts'

const DAY_MS = 86_400_000
const HOLDERS = ['dan', 'eve', 'fay']
let rig: Rig
let account: string
let madeMs: number

beforeEach(async () => {
  rig = new Rig()
  madeMs = rig.nowMs
  const browser = new Browser(rig)
  account = String((await browser.signUp('jo@example.org')).data.account)
  await browser.post('freeze')
})
afterEach(() => rig.close())

function ask(by: string, more: { readonly madeMs?: number; readonly holders?: readonly string[] } = {}) {
  rig.nowMs++
  const request = { account, reason: 'identity shown', madeMs, holders: HOLDERS, ...more }
  return answerOperator(rig.context, 'unfreeze', { by, request })
}
const restricted = () => [...(rig.exchange.restrictions.get(account) ?? [])]

test('one operator alone lifts no freeze, however often', async () => {
  expect(await ask('dan')).toMatchObject({ ok: true, result: { isDone: false, askedBy: 'dan' } })
  expect(await ask('dan')).toMatchObject({ ok: true, result: { isDone: false, askedBy: 'dan' } })
  expect(restricted()).toEqual(['TRADE', 'WITHDRAW', 'LOGIN'])
})

test('two operators lift it, withdrawals rest, and the next freeze takes two again', async () => {
  await ask('dan')
  expect(await ask('eve')).toMatchObject({ ok: true, result: { isDone: true, askedBy: 'dan' } })
  expect(restricted()).toEqual(['WITHDRAW'])
  expect(rig.mails()[0]?.kind).toBe('UNFROZEN')
  expect(await ask('fay')).toMatchObject({ result: { isDone: false, askedBy: 'fay' } })
})

test('a token that was created after the first request is not a second person', async () => {
  await ask('dan')
  expect(await ask('eve', { madeMs: rig.nowMs + 1 })).toMatchObject({ ok: false, reason: 'TOKEN_TOO_NEW' })
  expect(restricted().length).toBe(3)
})

test('a request from a day ago, or by a token no longer in use, does not count', async () => {
  await ask('dan')
  expect(await ask('eve', { holders: ['eve', 'fay'] })).toMatchObject({
    result: { isDone: false, askedBy: 'eve' },
  })
  rig.nowMs += DAY_MS
  expect(await ask('fay')).toMatchObject({ result: { isDone: false, askedBy: 'fay' } })
  expect(restricted().length).toBe(3)
})

test('an unreachable exchange leaves the freeze and the request, and the second operator asks again', async () => {
  await ask('dan')
  rig.exchange.isAway = true
  await expect(ask('eve')).rejects.toThrow('the exchange is away')
  rig.exchange.isAway = false
  expect(restricted().length).toBe(3)
  expect(await ask('eve')).toMatchObject({ result: { isDone: true, askedBy: 'dan' } })
})
