import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { hiddenCharacter, PrintablePieces, printable, printableLines, printableValue } from './printable.ts'

/**
 * Characters that control a terminal, reverse the text direction or are invisible, by Unicode's own
 * categories.
 */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
/** Examples of such characters, in case a runtime assigns another category to them. */
const KNOWN = [
  ...['\u0000', '\u0007', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009b', '\u009d', '\u00ad'],
  ...[
    '\u061c',
    '\u200b',
    '\u200d',
    '\u200e',
    '\u202a',
    '\u202e',
    '\u2028',
    '\u2029',
    '\u2060',
    '\u2066',
    '\u2069',
  ],
  ...[
    '\ufeff',
    '\ufff9',
    '\ufe0f',
    '\u3164',
    '\u115f',
    '\u2800',
    '\u00a0',
    '\u3000',
    '\ue000',
    '\ud800',
    '\udc00',
  ],
  ...['\u{e0041}', '\u{e0100}', '\u{1d173}'],
]

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.oneof(fc.constantFrom(...KNOWN, '\r\n', '😀', 'a', '"', '\\'), fc.string()), { maxLength: 12 })
    .map((parts) => parts.join('')),
)

test('every control character and invisible code point is shown as an escape, and letters of all languages are not', () => {
  for (let code = 0; code <= 0x10_ffff; code++) {
    const character = String.fromCodePoint(code)
    if (OBEYED.test(character) && !/^(?:\\u[0-9a-f]{4})+$/.test(printable(character)))
      throw new Error(`expected U+${code.toString(16)} as an escape, found it as it is`)
  }
  for (const character of KNOWN) expect(printable(character)).toMatch(/^(?:\\u[0-9a-f]{4})+$/)
  for (const text of [
    'añ ç ğ İ ß',
    'кошка',
    '漢字 かな',
    'مرحبا',
    'שלום',
    '한글',
    '😀 €',
    'e\u0301',
    '\\u001b',
  ])
    expect(printable(text)).toBe(text)
})

test('a printable text has no control characters, and stays as it is when it is made printable again', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = printable(text)
      expect(shown).not.toMatch(OBEYED)
      expect(printable(shown)).toBe(shown)
      const lines = printableLines(text)
      expect(lines.replaceAll(/\r?\n/g, '')).not.toMatch(OBEYED)
      expect(printableLines(lines)).toBe(lines)
    }),
  )
})

test('JSON made printable has the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), anyText, (value, text) => {
      const json = JSON.stringify([value, text], undefined, 1)
      expect(JSON.parse(printableLines(json))).toEqual(JSON.parse(json))
    }),
  )
})

test('lines stay lines, and a carriage return alone does not', () => {
  expect(printableLines('a\nb\r\nc\rd')).toBe('a\nb\r\nc\\u000dd')
  expect(printable('a\nb')).toBe('a\\u000ab')
})

test('lines that come in pieces are printed as in one, wherever they are cut', () => {
  fc.assert(
    fc.property(fc.array(anyText.filter((text) => text.isWellFormed())), (parts) => {
      const pieces = new PrintablePieces()
      const shown = parts.map((part) => pieces.next(part)).join('') + pieces.end()
      expect(shown).toBe(printableLines(parts.join('')))
    }),
  )
})

test('texts at any depth of a value are printable, and those named as lines keep their lines at the top alone', () => {
  const hostile = 'a\n\u001b[2K'
  expect(printableValue({ text: hostile, 'x\u202e': [{ text: hostile, n: 1, no: null }] }, ['text'])).toEqual(
    {
      text: 'a\n\\u001b[2K',
      'x\\u202e': [{ text: 'a\\u000a\\u001b[2K', n: 1, no: null }],
    },
  )
})

test('a character forbidden in new texts is named by its code point; emoji and letters of all languages are allowed', () => {
  expect(hiddenCharacter('ok \u202e')).toBe('U+202E')
  expect(hiddenCharacter('\u001b[2K')).toBe('U+001B')
  expect(hiddenCharacter('tag \u{e0041}')).toBe('U+E0041')
  expect(hiddenCharacter('\u3164')).toBe('U+3164')
  for (const text of ['', 'cold wallet', 'soğuk cüzdan', '冷钱包', '❤\ufe0f', '😀', 'e\u0301', 'a\u00a0b'])
    expect(hiddenCharacter(text)).toBeUndefined()
})
