import { afterEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { effect } from '@preact/signals'
import { ENGLISH } from './english/english.ts'
import { startLanguage } from './language-choice.ts'
import { onLanguage, showLanguage, shownLanguage, TEXTS } from './texts.ts'
import { TURKISH } from './turkish/turkish.ts'

/** Rows that are the same word in both languages: traders of both use it. */
const EQUAL = [
  'account.history.maker',
  'account.history.taker',
  'chartTools.styles.heikin-ashi',
  'kindTabs.LIMIT',
  'kindTabs.STOP',
  'layout.zones.UTC',
  'lists.typed',
  'moves.line',
  'types.LIMIT',
  'types.LIMIT_MAKER',
  'types.STOP_LOSS_LIMIT',
]

/** What a row is given is one character of these, which no text has. */
const GIVEN_FIRST = 0xe000

type Row = { readonly path: string; readonly text: string; readonly given: number }

function rowsOf(table: object, path = ''): Row[] {
  return Object.entries(table).flatMap(([name, row]: [string, unknown]) => {
    const at = path === '' ? name : `${path}.${name}`
    if (typeof row === 'string') return [{ path: at, text: row, given: 0 }]
    if (typeof row === 'object' && row !== null) return rowsOf(row, at)
    const write = row as (...values: readonly string[]) => string
    const values = Array.from({ length: write.length }, (_, index) =>
      String.fromCharCode(GIVEN_FIRST + index),
    )
    return [{ path: at, text: write(...values), given: write.length }]
  })
}

const [english, turkish] = [rowsOf(ENGLISH), rowsOf(TURKISH)]

afterEach(() => showLanguage('en'))

test('both tables have the same rows, and every row has a text', () => {
  expect(turkish.map(({ path }) => path).toSorted()).toEqual(english.map(({ path }) => path).toSorted())
  const empty = [...english, ...turkish].filter(({ text }) => text.trim() === '' || text !== text.trim())
  expect(empty).toEqual([])
})

test('a Turkish row differs from the English one, but where the word is the same', () => {
  const textByPath = new Map(english.map(({ path, text }) => [path, text]))
  const same = turkish.filter(({ path, text }) => textByPath.get(path) === text && !EQUAL.includes(path))
  expect(same).toEqual([])
})

test('every row shows all that it is given, in both languages', () => {
  const lacking = [...english, ...turkish].filter(({ text, given }) =>
    Array.from({ length: given }, (_, index) => String.fromCharCode(GIVEN_FIRST + index)).some(
      (value) => !text.includes(value),
    ),
  )
  expect(lacking).toEqual([])
})

test('no Turkish suffix hangs on what a row is given: which one it would be depends on how that is read', () => {
  const hanging = turkish.filter(({ text }) =>
    /[\u{e000}-\u{e00f}](?:['’]|\p{L})|\p{L}[\u{e000}-\u{e00f}]/u.test(text),
  )
  expect(hanging).toEqual([])
})

test('no Turkish noun behind a number is in the plural', () => {
  expect(
    turkish.filter(({ text }) => /(?:\d|[\u{e000}-\u{e00f}])\s+\p{L}+l[ae]r(?!\p{L})/u.test(text)),
  ).toEqual([])
})

test('texts are those of the language that is shown, in groups that somebody has kept too', async () => {
  const { orders } = TEXTS
  expect([TEXTS.title, orders.title, shownLanguage()]).toEqual(['Trade', 'Open orders', 'en'])
  await showLanguage('tr')
  expect([TEXTS.title, orders.title, shownLanguage()]).toEqual([TURKISH.title, TURKISH.orders.title, 'tr'])
  expect(Object.keys(TEXTS.types)).toEqual(Object.keys(ENGLISH.types))
  expect(TEXTS.notices.placed('alış')).toBe(TURKISH.notices.placed('alış'))
})

test('what has read a text is told of another language, and so is whoever asked for it', async () => {
  const read: string[] = []
  const told: string[] = []
  const stop = effect(() => void read.push(TEXTS.title))
  onLanguage(() => told.push(shownLanguage()))
  await showLanguage('tr')
  stop()
  expect([read, told]).toEqual([
    [ENGLISH.title, TURKISH.title],
    ['en', 'tr'],
  ])
})

test.each([
  [undefined, ['de-DE', 'tr-TR', 'en'], 'tr'],
  [undefined, ['en-GB', 'tr'], 'en'],
  [undefined, ['de'], 'en'],
  [undefined, [], 'en'],
  ['en', ['tr'], 'en'],
  ['tr', ['en'], 'tr'],
  ['fr', ['tr'], 'tr'],
] as const)('a page where %p is kept, in a browser of %p, comes up in %p', (kept, preferred, language) => {
  expect(startLanguage(kept, preferred)).toBe(language)
})

test('a percent sign stands where each language has it: behind an English number without a space, before a Turkish one', () => {
  expect(english.filter(({ text }) => /\s%/.test(text))).toEqual([])
  expect(turkish.filter(({ text }) => /[\d\u{e000}-\u{e00f}]\s*%(?!\d)/u.test(text))).toEqual([])
  const signs = ['25', '+1.25', '-0.5']
  expect(signs.map(ENGLISH.percent)).toEqual(['25%', '+1.25%', '-0.5%'])
  expect(signs.map(TURKISH.percent)).toEqual(['%25', '+%1.25', '-%0.5'])
})

test('no view writes a percent sign by itself: the language does', () => {
  const folder = path.join(import.meta.dir, '../../market')
  const files = [...new Bun.Glob('{trade,view,state,connection,common}/**/*.{ts,tsx}').scanSync(folder)]
  const written = files
    .filter((file) => !/\.(?:test|fixture)\.tsx?$/.test(file))
    .filter((file) => /[}\s]%`|'%'/.test(readFileSync(path.join(folder, file), 'utf8')))
  expect([written, files.length > 100]).toEqual([['state/depth-bar.ts'], true])
})

test('one thing has one word: a market is no symbol, and an order is edited, neither amended nor replaced', () => {
  expect(english.filter(({ text }) => /\bsymbols?\b|\bamend|\breplace[ds]?\b/i.test(text))).toEqual([])
  expect(turkish.filter(({ text }) => /sembol|serbest/i.test(text))).toEqual([])
  expect(english.filter(({ text }) => /\bfree\b/i.test(text))).toEqual([])
})
