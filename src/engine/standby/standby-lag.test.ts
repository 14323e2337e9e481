import { expect, test } from 'bun:test'
import { seq } from '../../units/quantities.ts'
import { StandbyLag } from './standby-lag.ts'

test('a standby that has never heard from its node does not say how far it is behind', () => {
  expect(new StandbyLag().read(1_000)).toEqual({ behindCommands: 0, lagMs: undefined })
})

test('a standby that has everything it was sent is not behind while its node speaks', () => {
  const lag = new StandbyLag()
  lag.heard(seq(10), 1_000)
  lag.stored(seq(10))
  expect(lag.read(2_900)).toEqual({ behindCommands: 0, lagMs: 0 })
})

test('the time behind is that since the first thing that it does not have', () => {
  const lag = new StandbyLag()
  lag.stored(seq(5))
  lag.heard(seq(7), 1_000)
  lag.heard(seq(9), 1_400)
  lag.stored(seq(7))
  expect(lag.read(1_500)).toEqual({ behindCommands: 2, lagMs: 500 })
  lag.stored(seq(9))
  expect(lag.read(1_600)).toEqual({ behindCommands: 0, lagMs: 0 })
})

test('a silent node, and a lost link, count: the node may have continued', () => {
  const lag = new StandbyLag()
  lag.heard(seq(3), 1_000)
  lag.stored(seq(3))
  expect(lag.read(5_000).lagMs).toBe(4_000)
  lag.heard(seq(3), 6_000)
  expect(lag.read(6_100).lagMs).toBe(0)
  lag.lost()
  expect(lag.read(6_100).lagMs).toBe(100)
  lag.heard(seq(3), 7_000)
  expect(lag.read(7_000).lagMs).toBe(0)
})
