import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { pickLanguage } from './language.ts'

test.each([
  [undefined, 'en'],
  [null, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['tr', 'tr'],
  ['TR-tr', 'tr'],
  ['tr-TR,tr;q=0.9,en;q=0.8', 'tr'],
  ['en-US,en;q=0.9,tr;q=0.8', 'en'],
  ['en;q=0.5, tr ; q=0.6', 'tr'],
  ['de,fr;q=0.9,tr;q=0.1', 'tr'],
  ['tr;q=0,en', 'en'],
  ['tr;q=0', 'en'],
  ['tr;q=2', 'en'],
  ['tr;q=abc', 'en'],
  ['trk', 'en'],
  ['en,tr', 'en'],
  ['tr,en', 'tr'],
] as const)('Accept-Language %p is answered in %p', (header, language) => {
  expect(pickLanguage(header)).toBe(language)
})

test('any header is answered in a supported language', () => {
  fc.assert(fc.property(fc.string(), (header) => ['en', 'tr'].includes(pickLanguage(header))))
})
