import { afterEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { effect } from '@preact/signals'
import { ENGLISH } from './english/english.ts'
import { startLanguage } from './language-choice.ts'
import { rowsOf, translationFaults } from './table-rows.fixture.ts'
import { onLanguage, showLanguage, shownLanguage, TEXTS } from './texts.ts'
import { TURKISH } from './turkish/turkish.ts'

/** Rows that are equal in both languages because traders of both use the word. */
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

const [english, turkish] = [rowsOf(ENGLISH), rowsOf(TURKISH)]

afterEach(() => showLanguage('en'))

test('the tables of both languages agree, and their rows show what they are given', () => {
  expect(translationFaults(english, turkish, EQUAL)).toEqual([])
})

test('texts are in the language of the page, also in groups that were stored in a variable', async () => {
  const { orders } = TEXTS
  expect([TEXTS.title, orders.title, shownLanguage()]).toEqual(['Trade', 'Open orders', 'en'])
  await showLanguage('tr')
  expect([TEXTS.title, orders.title, shownLanguage()]).toEqual([TURKISH.title, TURKISH.orders.title, 'tr'])
  expect(Object.keys(TEXTS.types)).toEqual(Object.keys(ENGLISH.types))
  expect(TEXTS.notices.placed('alış')).toBe(TURKISH.notices.placed('alış'))
})

test('a reader of a text is notified of another language, and so is each subscriber', async () => {
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
] as const)('a page with %p stored, in a browser of %p, opens in %p', (kept, preferred, language) => {
  expect(startLanguage(kept, preferred)).toBe(language)
})

test('each language has its own percent sign', () => {
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
