import { expect, test } from 'bun:test'
import { Barrier } from './barrier.ts'

function open() {
  let asked = 0
  const passed: string[] = []
  const barrier = new Barrier(() => {
    asked++
  })
  return {
    barrier,
    passed,
    asked: () => asked,
    wait: (name: string) => void barrier.wait().then(() => passed.push(name)),
  }
}

const settled = (): Promise<void> => new Promise(setImmediate)

test('a barrier that arrives while a question is in flight waits for the next question, which serves all of them', async () => {
  const { barrier, passed, asked, wait } = open()
  wait('a')
  wait('b')
  wait('c')
  expect(asked()).toBe(1)
  barrier.answered()
  await settled()
  expect([passed, asked()]).toEqual([['a'], 2])
  barrier.answered()
  await settled()
  expect([passed, asked()]).toEqual([['a', 'b', 'c'], 2])
  wait('d')
  expect(asked()).toBe(3)
})

test('no barrier waits for a link that is lost', async () => {
  const { barrier, passed, asked, wait } = open()
  wait('a')
  wait('b')
  barrier.end()
  wait('c')
  await settled()
  expect([passed, asked()]).toEqual([['a', 'b', 'c'], 1])
})
