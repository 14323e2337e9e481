import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { nameProblem, nameWarnings } from './names.ts'

test.each([
  'mal',
  'mal mal',
  'Işıl Öz',
  'Иван',
  'Ελένη',
  '田中さん',
  '김철수',
  'محمد',
  'José',
  '😀',
  'a.b-c_d@e',
  'm1',
])('the name %j is accepted', (name) => {
  expect(nameProblem(name)).toBeUndefined()
})

test.each([
  ['mal ', 'space at either end'],
  [' mal', 'space at either end'],
  ['mal  x', 'two together'],
  ['mal\u00a0', 'found U+00A0'],
  ['mal\u3000x', 'found U+3000'],
  ['mal\u200b', 'found U+200B'],
  ['\u202emal', 'found U+202E'],
  ['mal\t', 'found U+0009'],
  ['mal\n', 'found U+000A'],
  ['mal\u001b', 'found U+001B'],
  ['mal\ufe0f', 'found U+FE0F'],
  ['mal\u3164', 'found U+3164'],
  ['mal\u{e0041}', 'found U+E0041'],
  ['mal\ue000', 'found U+E000'],
  ['e\u0301', 'NFC'],
  ['\u212b', 'NFC'],
  ['\u0301e', 'a combining mark'],
])('the name %j is refused: %s', (name, why) => {
  expect(nameProblem(name)).toContain(why)
})

test('no two accepted names differ only by invisible characters', () => {
  const hidden = fc.constantFrom(
    '\u200b',
    '\u00a0',
    '\ufeff',
    '\u202e',
    ' ',
    '\t',
    '\u{e0041}',
    '\u034f',
    '\u2800',
  )
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,8}$/), hidden, fc.boolean(), (name, extra, isAhead) => {
      expect(nameProblem(isAhead ? extra + name : name + extra)).toBeDefined()
    }),
  )
})

test.each([
  ['m\u0430l', 'several scripts (Latin, Cyrillic)'],
  ['\u03bfk', 'several scripts (Greek, Latin)'],
  ['Иvan', 'several scripts (Cyrillic, Latin)'],
  ['\u0441\u0430\u0440', 'is Cyrillic and looks like a Latin one'],
  ['\ua4df\ua4ee\ua4e1', 'is Lisu and looks like a Latin one'],
  ['\u13df\u13aa', 'is Cherokee and looks like a Latin one'],
  ['\u0570\u0578\u057d', 'is Armenian and looks like a Latin one'],
  ['ma\u0335l', 'a diacritical mark (U+0335)'],
  ['1\u20dd', 'a diacritical mark (U+20DD)'],
  ['\uff4d\uff41\uff4c', 'stand for others (mal)'],
  ['\u{1d426}al', 'stand for others (mal)'],
])('the name %j gives the warning: %s', (name, why) => {
  expect(nameWarnings(name)).toEqual([expect.stringContaining(why)])
})

test.each([
  'mal',
  'Işıl',
  'José',
  'Արմեն',
  'हिन्दी',
  'ไทย',
  'Иван',
  'Ελένη',
  'BTC株式会社',
  '田中さん',
  '김 Kim',
  'm1 2.3',
])('the name %j gives no warning', (name) => {
  expect(nameWarnings(name)).toEqual([])
})
