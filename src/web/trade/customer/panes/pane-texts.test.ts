import { afterEach, expect, test } from 'bun:test'
import { HISTORY_KINDS } from '../../../../contract/customers/sessions.ts'
import { rowsOf, translationFaults } from '../../../shared/texts/table-rows.fixture.ts'
import { showLanguage } from '../../../shared/texts/texts.ts'
import { paneTexts } from './pane-texts.ts'
import { ENGLISH_PANE_TEXTS } from './pane-texts-english.ts'
import { TURKISH_PANE_TEXTS } from './pane-texts-turkish.ts'

afterEach(() => showLanguage('en'))

test("the customer's own pages have the same rows in both languages, each with its arguments", () => {
  expect(translationFaults(rowsOf(ENGLISH_PANE_TEXTS), rowsOf(TURKISH_PANE_TEXTS), [])).toEqual([])
})

test('a row that lacks a language, an argument or a translation is a fault', () => {
  const faults = (turkish: object) =>
    translationFaults(rowsOf({ a: 'Go', b: (to: string) => `To ${to}` }), rowsOf(turkish), [])
  expect(faults({ a: 'Git', b: (to: string) => `Şuraya: ${to}` })).toEqual([])
  expect(faults({ b: (to: string) => `${to}'a` })).toEqual([
    'a is missing in Turkish',
    'b hangs a Turkish suffix on what it is given',
  ])
  expect(faults({ a: 'Go', b: (to: string) => `Şuraya${to === '' ? '' : ''}` })).toEqual([
    'a is the same in both languages',
    'b does not show all that it is given',
  ])
})

test('paneTexts are in the language of the page, and each event of the history has one', async () => {
  expect(Object.keys(paneTexts().history.events).toSorted()).toEqual([...HISTORY_KINDS].toSorted())
  expect(paneTexts()).toBe(ENGLISH_PANE_TEXTS)
  await showLanguage('tr')
  expect(paneTexts()).toBe(TURKISH_PANE_TEXTS)
})
