import { expect, test } from 'bun:test'
import { AnswersUnderWay } from './answers-under-way.ts'

const CONFIG = { answerBytesMax: 1_000, answerBytesPerAddressMax: 300 }

test('an address has answers in flight up to its own bound, and all addresses together up to the common one', () => {
  const answers = new AnswersUnderWay(CONFIG)
  expect(answers.reserve('a', 200)).toBeDefined()
  expect(answers.reserve('a', 100)).toBeDefined()
  expect(answers.reserve('a', 1)).toBeUndefined()
  for (const address of ['b', 'c']) expect(answers.reserve(address, 300)).toBeDefined()
  expect(answers.reserve('d', 101)).toBeUndefined()
  expect(answers.reserve('d', 100)).toBeDefined()
  expect(answers.bytes).toBe(1_000)
})

test('an answer that was read makes room, once', () => {
  const answers = new AnswersUnderWay(CONFIG)
  const release = answers.reserve('a', 300)
  answers.reserve('b', 300)
  release?.()
  release?.()
  expect(answers.bytes).toBe(300)
  expect(answers.reserve('a', 300)).toBeDefined()
})

test('the networks of an IPv6 address have four and sixteen times as much as one address, together', () => {
  const answers = new AnswersUnderWay({ answerBytesMax: 10_000, answerBytesPerAddressMax: 100 })
  const at = (fourth: number) => `2001:db8:1:${fourth.toString(16)}::/64`
  const releases = Array.from({ length: 4 }, (_, i) => answers.reserve(at(0x100 + i), 100))
  expect(releases.every((release) => release !== undefined)).toBe(true)
  expect(answers.reserve(at(0x1ff), 1)).toBeUndefined()
  // Uses another /56 of the same /48.
  for (let network = 2; network < 5; network++)
    for (let i = 0; i < 4; i++) expect(answers.reserve(at(0x100 * network + i), 100)).toBeDefined()
  expect(answers.reserve(at(0x900), 1)).toBeUndefined()
  expect(answers.reserve('2001:db8:2:1::/64', 100)).toBeDefined()
  releases[0]?.()
  releases[0]?.()
  expect(answers.reserve(at(0x1ff), 100)).toBeDefined()
  expect(answers.reserve(at(0x900), 1)).toBeUndefined()
  expect(answers.bytes).toBe(1_700)
})
