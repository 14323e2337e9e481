import { expect, test } from 'bun:test'
import { CORE_REASONS } from '../../units/reasons.ts'
import { LANGUAGES } from '../language.ts'
import { REASON_NAMES, REASONS } from './catalogue.ts'

/** Statuses that decisions ("Errors") allow, by code. */
const STATUSES = {
  '4001': [400, 401, 403, 404, 405, 413, 431],
  '4004': [400, 408],
  '0014': [418, 429, 500, 503],
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

for (const reason of REASON_NAMES) {
  test(`${reason} has a code with a status that belongs to it, and complete texts`, () => {
    const entry = REASONS[reason]
    expect(reason).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/)
    expect(STATUSES[entry.code]).toContain(entry.status)
    for (const language of LANGUAGES) {
      expect(entry[language]).toMatch(/^\S.*[.]$/)
      expect(placeholders(entry[language])).toEqual(placeholders(entry.en))
    }
    expect(entry.docs).toMatch(/^[A-Z].*[.]$/)
  })
}

test('no reason is listed twice and every reason of the core is public', () => {
  expect(new Set(REASON_NAMES).size).toBe(REASON_NAMES.length)
  for (const reason of CORE_REASONS) expect(REASON_NAMES).toContain(reason)
})
