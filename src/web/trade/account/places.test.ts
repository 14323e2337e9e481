import { expect, test } from 'bun:test'
import { placesOf, zerosBehind } from './places.ts'

test('the figures of one market have as many decimals as the longest of them, regardless of other markets', () => {
  const places = placesOf([
    ['BTC/USDT', '59389.75'],
    ['BTC/USDT', '59390'],
    ['BTC/USDT', undefined],
    ['ETH/BTC', '0.050001'],
  ])
  expect([places.of('BTC/USDT'), places.of('ETH/BTC'), places.of('USDT/TRY')]).toEqual([2, 6, 0])
})

test('prices have the decimals of their market, and more where one of them is longer', () => {
  const least = () => 2
  expect(placesOf([['BTC/USDT', '900']], least).of('BTC/USDT')).toBe(2)
  expect(placesOf([['BTC/USDT', '900.1234']], least).of('BTC/USDT')).toBe(4)
  expect(placesOf([], least).of('BTC/USDT')).toBe(2)
})

test.each([
  ['900', 2, '.00'],
  ['900.5', 2, '0'],
  ['900.25', 2, ''],
  ['900.125', 2, ''],
  ['900', 0, ''],
  ['-7', 1, '.0'],
])('the decimal %s shown with %d decimals has the zeros "%s" behind it', (decimal, places, zeros) => {
  expect(zerosBehind(decimal, places)).toBe(zeros)
})
