import { expect, test } from 'bun:test'
import { targetOf } from './target.ts'

test.each([
  ['http://h/api/v3/depth?symbol=BTC%2fUSDT&a', '/api/v3/depth', 'symbol=BTC%2fUSDT&a'],
  ['http://h:80/a', '/a', ''],
  ['http://h/a?', '/a', ''],
  ['http://h', '/', ''],
  ['http://h/a?b?c/d', '/a', 'b?c/d'],
  ['/a?b', '/a', 'b'],
  ['//evil/a?b', '//evil/a', 'b'],
])('%p has path %p and query %p', (url, path, query) => {
  expect(targetOf(url)).toEqual({ path, query })
})

test('a URL has its own path, whatever came before it', () => {
  for (const [url, path] of [
    ['http://h/a', '/a'],
    ['http://h/a', '/a'],
    ['http://h/b', '/b'],
    ['http://h/a?b', '/a'],
    ['http://h/b', '/b'],
  ] as const)
    expect(targetOf(url).path).toBe(path)
})
