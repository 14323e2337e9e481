import { expect, test } from 'bun:test'
import { AnswersUnderWay } from './answers-under-way.ts'

const CONFIG = { answerBytesMax: 1_000, answerBytesPerAddressMax: 300 }

test('an address has answers under way up to its own bound, and all addresses together up to the common one', () => {
  const answers = new AnswersUnderWay(CONFIG)
  expect(answers.reserve('a', 200)).toBeDefined()
  expect(answers.reserve('a', 100)).toBeDefined()
  expect(answers.reserve('a', 1)).toBeUndefined()
  for (const address of ['b', 'c']) expect(answers.reserve(address, 300)).toBeDefined()
  expect(answers.reserve('d', 101)).toBeUndefined()
  expect(answers.reserve('d', 100)).toBeDefined()
  expect(answers.bytes).toBe(1_000)
})

test('what has been taken makes room, once', () => {
  const answers = new AnswersUnderWay(CONFIG)
  const release = answers.reserve('a', 300)
  answers.reserve('b', 300)
  release?.()
  release?.()
  expect(answers.bytes).toBe(300)
  expect(answers.reserve('a', 300)).toBeDefined()
})
