import { expect, test } from 'bun:test'
import { untilMet } from './random-rounds.fixture.ts'

test('random rounds continue until everything is met as often as required', async () => {
  const met = { often: 0, seldom: 0 }
  let rounds = 0
  const round = () => {
    met.often++
    if (++rounds % 3 === 0) met.seldom++
  }
  await untilMet(met, round)
  expect(rounds).toBe(3)
  await untilMet(met, async () => round(), { least: 4 })
  expect(rounds).toBe(12)
})

test('one round is run even if everything was met before', async () => {
  let rounds = 0
  await untilMet({ met: 1 }, () => rounds++)
  expect(rounds).toBe(1)
})

test('a case that no round meets is an error that names it, after a limited number of rounds', async () => {
  let rounds = 0
  const found = await untilMet({ met: 1, never: 0 }, () => rounds++, { roundsMax: 7 }).catch(String)
  expect(found).toContain('never')
  expect(rounds).toBe(7)
})

test('an error that a round finds is not swallowed', async () => {
  const wrong = new Error('wrong')
  const found = await untilMet({ met: 0 }, () => Promise.reject(wrong)).catch((error: unknown) => error)
  expect(found).toBe(wrong)
})
