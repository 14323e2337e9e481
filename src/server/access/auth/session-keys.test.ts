import { expect, test } from 'bun:test'
import type { AccountId } from '../../../units/ids.ts'
import {
  isSessionKeyName,
  SESSION_KEY_IDLE_MS,
  SESSION_KEYS_PER_ACCOUNT_MAX,
  SESSION_ORDERS_PER_SECOND_MAX,
  SessionKeys,
} from './session-keys.ts'

const DAY_MS = 86_400_000
const letters = 'abcdefghijklmnopqrstuvwxyz'
const named = (number: number) =>
  `s-${letters[Math.floor(number / 26)]}${letters[number % 26]}${'a'.repeat(24)}`
const key = (number: number, account = 7) => ({
  name: named(number),
  accountId: account as AccountId,
  publicKey: new Uint8Array(32),
})

function rig() {
  let nowMs = 0
  const keys = new SessionKeys(() => nowMs)
  const ended: string[] = []
  keys.onEnded = (name) => ended.push(name)
  return {
    keys,
    ended,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

test('a session key signs strictly, never withdraws, and is the same record as long as it exists', () => {
  const { keys } = rig()
  keys.open(key(1), DAY_MS)
  const record = keys.find(named(1))
  expect(record).toMatchObject({ strictSignature: true, permissions: ['TRADE', 'WALLET', 'USER_DATA'] })
  keys.open(key(1), DAY_MS)
  expect(keys.find(named(1))).toBe(record)
  expect([isSessionKeyName(named(1)), isSessionKeyName('alice')]).toEqual([true, false])
})

test('a key ends when its time is over, when it is unused, and when it is ended', () => {
  const { keys, ended, pass } = rig()
  keys.open(key(1), DAY_MS)
  pass(SESSION_KEY_IDLE_MS - 1)
  expect(keys.find(named(1))).toBeDefined()
  pass(SESSION_KEY_IDLE_MS - 1)
  expect(keys.find(named(1))).toBeDefined()
  pass(2)
  expect(keys.find(named(1))).toBeUndefined()
  keys.open(key(2), DAY_MS)
  pass(SESSION_KEY_IDLE_MS)
  expect(keys.find(named(2))).toBeUndefined()
  keys.open(key(3), DAY_MS)
  expect([keys.end(named(3)), keys.end(named(3)), keys.size]).toEqual([true, false, 0])
  expect(ended).toEqual([named(1), named(2), named(3)])
})

test('a session key places a bounded number of orders in a second, and other keys are not counted by it', () => {
  const { keys, pass } = rig()
  keys.open(key(1), DAY_MS)
  keys.open(key(2), DAY_MS)
  const orders = () => keys.ordersOf(named(1)) ?? expect.unreachable()
  expect(orders().take(SESSION_ORDERS_PER_SECOND_MAX - 1)).toBe(true)
  // Two more would exceed the limit, so neither is counted.
  expect([orders().take(2), orders().take(1), orders().take(1)]).toEqual([false, true, false])
  expect(keys.ordersOf(named(2))?.take(1)).toBe(true)
  pass(1_000)
  expect(orders().take(SESSION_ORDERS_PER_SECOND_MAX)).toBe(true)
  expect(keys.ordersOf('a'.repeat(64))).toBeUndefined()
})

test('an account has a limited number of keys, of which the oldest is dropped', () => {
  const { keys } = rig()
  keys.open(key(600, 8), DAY_MS)
  for (let i = 0; i <= SESSION_KEYS_PER_ACCOUNT_MAX; i++) keys.open(key(i), DAY_MS)
  expect([keys.find(named(0)), keys.size]).toEqual([undefined, SESSION_KEYS_PER_ACCOUNT_MAX + 1])
  expect(keys.find(named(600))).toBeDefined()
})

test('a key that no page of an announcement names has ended, and then all keys are known', () => {
  const { keys } = rig()
  keys.open(key(1), DAY_MS)
  keys.open(key(2), DAY_MS)
  keys.beginPage('FIRST')
  keys.open(key(2), DAY_MS)
  keys.endPage('FIRST')
  // A customer signs in between two pages.
  keys.open(key(3), DAY_MS)
  expect(keys.isTold).toBe(false)
  keys.beginPage('LAST')
  keys.open(key(4), DAY_MS)
  keys.endPage('LAST')
  expect([keys.isTold, ...[1, 2, 3, 4].map((number) => keys.find(named(number)) !== undefined)]).toEqual([
    ...[true, false, true, true, true],
  ])
  expect(keys.list('', 2).map(({ name }) => name)).toEqual([named(2), named(3)])
})
