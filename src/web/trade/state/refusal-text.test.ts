import { afterEach, expect, test } from 'bun:test'
import { REASONS } from '../../../contract/reasons/catalogue.ts'
import { ENGLISH } from '../../shared/texts/english/english.ts'
import { showLanguage } from '../../shared/texts/texts.ts'
import { refusalText } from './refusal-text.ts'

/** Names that only programs use: parameters and headers. */
const WIRE = /\b[a-z]+[A-Z]\w*|\b(?:parameters?|parametresi|parametreleri|header|başlığı|icebergQty|X-\w+)\b/u

const answers = Object.entries(REASONS).flatMap(([reason, entry]) =>
  'code' in entry && (entry.at as readonly string[]).includes('http') ? [{ reason, ...entry }] : [],
)

afterEach(() => showLanguage('en'))

test('no refusal names a parameter or a header, in either language', async () => {
  expect(answers.filter(({ en }) => WIRE.test(en)).length).toBeGreaterThan(30)
  for (const language of ['en', 'tr'] as const) {
    await showLanguage(language)
    const said = answers.map(({ reason, code, [language]: text }) =>
      refusalText({ reason, code, messages: [text] }),
    )
    expect(said.filter((text) => WIRE.test(text) || text === '')).toEqual([])
  }
})

test('a temporary refusal of the exchange has its own text, and one that the page should have avoided shows its reason', () => {
  const busy = ['The service is overloaded; the request was not carried out. Please try again.']
  expect(refusalText({ reason: 'OVERLOADED', code: '0014', messages: busy })).toBe(busy[0] as string)
  expect(refusalText({ reason: 'INSUFFICIENT_FUNDS', code: '4001', messages: ['x'] })).toBe(
    'Insufficient balance.',
  )
  expect(refusalText({ reason: 'MISSING_PARAMETER', code: '4001', messages: ['x'] })).toBe(
    'Error in this page: MISSING_PARAMETER',
  )
})

test('every reason with a text of the page is in the catalogue', () => {
  const known: ReadonlySet<string> = new Set(answers.map(({ reason }) => reason))
  expect(Object.keys(ENGLISH.refusals).filter((reason) => !known.has(reason))).toEqual([])
})
