import { beforeEach, expect, test } from 'bun:test'
import { ExchangeFault } from '../../customers/ports.ts'
import { PAUSE_MS_MAX, RepeatedSteps } from './repeated-steps.ts'

let nowMs: number
let logged: object[]
let tries: Record<string, number[]>
let fault: ExchangeFault | undefined

beforeEach(() => {
  nowMs = 0
  logged = []
  tries = { first: [], refused: [], last: [] }
  fault = new ExchangeFault('refused', { refusal: 'CUSTOMERS_DAY_LIMIT' })
})

function steps(): RepeatedSteps {
  const note = (name: string, problem: () => ExchangeFault | undefined) => ({
    name,
    run: async () => {
      tries[name]?.push(nowMs)
      const thrown = problem()
      if (thrown !== undefined) throw thrown
    },
  })
  const log = { warn: (fields: object) => logged.push(fields), error: () => {}, info: () => {} }
  const never = () => undefined
  return new RepeatedSteps([note('first', never), note('refused', () => fault), note('last', never)], {
    monotonicMs: () => nowMs,
    log: { ...log, warn: (fields) => void logged.push(fields) },
  })
}

/** Runs the steps as the process does, once a second. */
async function runFor(seconds: number, of: RepeatedSteps): Promise<void> {
  for (const untilMs = nowMs + seconds * 1_000; nowMs < untilMs; nowMs += 1_000) await of.run()
}

test('a refused step is retried after growing pauses, logged once, and delays no other step', async () => {
  const all = steps()
  await runFor(600, all)
  expect([tries.first?.length, tries.last?.length]).toEqual([600, 600])
  const at = tries.refused ?? []
  expect(at.slice(0, 7)).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 63_000])
  expect((at[8] ?? 0) - (at[7] ?? 0)).toBe(PAUSE_MS_MAX)
  expect(at.length).toBeLessThan(20)
  expect(logged).toEqual([{ step: 'refused', problem: 'refused' }])
})

test('a step that is accepted again is retried at once, and logged again when it is next refused', async () => {
  const all = steps()
  await runFor(10, all)
  fault = undefined
  await runFor(60, all)
  const before = tries.refused?.length ?? 0
  await runFor(30, all)
  expect(tries.refused?.length).toBe(before + 30)
  fault = new ExchangeFault('again', { refusal: 'UNKNOWN_ACCOUNT' })
  await runFor(3, all)
  expect(logged).toHaveLength(2)
})

test('an exchange that does not answer is asked once per round, and again in the next', async () => {
  const all = steps()
  fault = new ExchangeFault('no answer')
  for (let round = 0; round < 3; round++, nowMs += 1_000) await expect(all.run()).rejects.toThrow('no answer')
  expect([tries.first?.length, tries.refused?.length, tries.last?.length]).toEqual([3, 3, 0])
})
