import { expect, test } from 'bun:test'
import { randomNumbers } from '../support/random-numbers.ts'
import { growth, unevenness, type Window } from './flatness.ts'

const MIB = 1024 * 1024
const COUNT = 12

/** A healthy run: memory that settles, noise on everything, one window in which the machine was busy. */
function run(change: (window: Window, i: number) => Partial<Window> = () => ({})): Window[] {
  const random = randomNumbers(1)
  return Array.from({ length: COUNT }, (_, i) => {
    const window: Window = {
      rssBytes: (300 + 100 * (1 - 0.5 ** i) + random() * 20 + (i === 8 ? 200 : 0)) * MIB,
      p50Ms: i >= 7 && i <= 9 ? 900 : 1 + random(),
      p99Ms: i === 8 ? 2_000 : 5 + random() * 5,
      accepted: 50_000,
      refused: i === 8 ? 20_000 : 0,
      diskBytes: i * 9 * MIB + random() * MIB,
    }
    return { ...window, ...change(window, i) }
  })
}

test('a run that settles is flat, whatever its noise', () => {
  expect(unevenness(run())).toEqual([])
})

test('memory that grows by half a kilobyte an order is found in two minutes', () => {
  const leaking = run(({ rssBytes }, i) => ({ rssBytes: rssBytes + i * 50_000 * 512 }))
  expect(unevenness(leaking)).toEqual([expect.stringMatching(/^memory grew by \d+\.\d MiB/)])
})

test('memory that grows with the files until the page caches are full is not a leak; beyond them it is', () => {
  const filling = run(({ rssBytes, diskBytes }) => ({ rssBytes: rssBytes + Math.min(diskBytes, 80 * MIB) }))
  expect(unevenness(filling)).toEqual([])
  const growing = run(({ rssBytes }, i) => ({ rssBytes: rssBytes + i * 40 * MIB, diskBytes: i * 100 * MIB }))
  expect(unevenness(growing)).toHaveLength(1)
})

test('answers that take longer and longer are found', () => {
  const slowing = run((_, i) => ({ p50Ms: 1 + i ** 4 }))
  expect(unevenness(slowing)).toEqual([
    expect.stringMatching(/^the median latency at the best of times went from/),
  ])
})

test('an order that takes more of the disk than an earlier one is found', () => {
  const swelling = run((_, i) => ({ diskBytes: i * i * 9 * MIB }))
  expect(unevenness(swelling)).toEqual([expect.stringMatching(/^an order took/)])
})

test('a run that refused most orders proves nothing, and is reported', () => {
  expect(unevenness(run(() => ({ accepted: 1_000, refused: 50_000, diskBytes: 0 })))).toEqual([
    'only 12000 of 612000 orders were accepted: this was no soak',
  ])
  expect(unevenness(run().slice(0, 5))).toEqual(['expected 6 windows or more, found 5'])
})

test('growth is that of most windows, not that of a single one', () => {
  expect(growth([1, 2, 3, 4, 5])).toBe(4)
  expect(growth([1, 2, 300, 4, 5])).toBe(4)
  expect(growth([7, 7, 7])).toBe(0)
})
