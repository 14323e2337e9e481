import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Seq } from '../../units/quantities.ts'
import { EngineFault } from '../port/fault.ts'
import { WaitingList } from './waiting.ts'

const at = (seq: number): Seq => seq as Seq

test('a question is answered exactly when the history has reached its command', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(20)), fc.array(fc.integer({ min: 1, max: 5 })), async (asked, steps) => {
      const list = new WaitingList(at(0), 100)
      const answered: number[] = []
      for (const seq of asked) void list.reach(at(seq)).then(() => answered.push(seq))
      let reached = 0
      for (const step of steps) {
        reached += step
        list.advance(at(reached))
        await Promise.resolve()
        const due = asked.filter((seq) => seq <= reached)
        expect(answered.toSorted((a, b) => a - b)).toEqual(due.sort((a, b) => a - b))
        expect(list.size).toBe(asked.length - due.length)
      }
    }),
  )
})

test('beyond its bound it refuses at once, and accepts again when there is room', async () => {
  const list = new WaitingList(at(0), 2)
  const waiting = [list.reach(at(5)), list.reach(at(5))]
  const fault = await list.reach(at(5)).catch((cause: unknown) => cause)
  expect((fault as EngineFault).kind).toBe('OVERLOADED')
  await list.reach(at(0))
  list.advance(at(5))
  await Promise.all(waiting)
  expect(list.size).toBe(0)
})

test('all that waits for a history that fails, and all that comes later, is answered with the failure', async () => {
  const list = new WaitingList(at(0), 2)
  const down = new EngineFault('ENGINE_DOWN', 'gone')
  const waiting = list.reach(at(5))
  list.fail(down)
  await expect(waiting).rejects.toBe(down)
  await expect(list.reach(at(0))).rejects.toBe(down)
})
