import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { CORE_REASONS } from '../../units/reasons.ts'
import { LANGUAGES } from '../language.ts'
import {
  type AdminReason,
  ALL_REASONS,
  type AnyReason,
  adminStatus,
  isAdminReason,
  isReason,
  REASON_NAMES,
  REASONS,
} from './catalogue.ts'
import type { Place } from './entry.ts'

/** Allowed statuses by code (docs/reference/errors.md#codes-and-statuses). */
const STATUSES = {
  '4001': [400, 401, 403, 404, 405, 409, 413, 417, 431],
  '4004': [400, 408],
  '0014': [418, 429, 500, 503],
}

const NAMES = Object.keys(ALL_REASONS) as AnyReason[]

/** The source files that produce the reasons of each place. */
const PRODUCERS: Readonly<Record<Place, readonly RegExp[]>> = {
  http: [
    /^server\/(?!admin\/|stream\/|order-entry\/|private-feed\/)/,
    /^core\/(trading|withdrawals|operators|exchange)\//,
    /^engine\//,
  ],
  stream: [
    /^server\/(stream|order-entry|private-feed|access)\//,
    /^contract\/stream\//,
    /^core\/trading\/timers\/session/,
  ],
  admin: [
    /^server\/(admin|listener)\//,
    /^core\/(operators|withdrawals|trading|exchange|registry)\//,
    /^engine\//,
    /^customers\/operators\//,
    /^app\/node\/(?:master-key|load-master-key|private-file|webhook)/,
  ],
  account: [/^customers\//, /^app\/customers\//],
  'command line': [/^cli\//, /^app\/(maintenance\/(audit|backup)\/|main)/, /^engine\/port\/journal/],
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

test.each(REASON_NAMES)('%s has a code, a status that belongs to it and texts in each language', (reason) => {
  const entry = REASONS[reason]
  expect(STATUSES[entry.code]).toContain(entry.status)
  for (const language of LANGUAGES) {
    expect(entry[language]).toMatch(/^\S.*[.]$/)
    expect(placeholders(entry[language])).toEqual(placeholders(entry.en))
  }
})

test('every reason says where it appears, when, and what to do then', () => {
  for (const reason of NAMES) {
    const { at, en, when, remedy } = ALL_REASONS[reason]
    expect(reason).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/)
    expect([reason, at.length > 0, [en, when, remedy].every((text) => text.trim() !== '')]).toEqual([
      reason,
      true,
      true,
    ])
    expect(`${when}${remedy}`).not.toMatch(/[\n|]/)
  }
})

test('only public reasons appear over HTTP and on the stream', () => {
  for (const reason of NAMES) {
    const isPublic = ALL_REASONS[reason].at.some((place) => place === 'http' || place === 'stream')
    expect([reason, isReason(reason)]).toEqual([reason, isPublic])
  }
})

test('each reason of the core appears where a trader or an operator is answered', () => {
  for (const reason of CORE_REASONS) {
    expect([reason, isReason(reason) || isAdminReason(reason)]).toEqual([reason, true])
  }
})

test('every reason of the admin server has a status of its own or that of the trading interface', () => {
  const statuses = NAMES.filter(isAdminReason).map((reason: AdminReason) => adminStatus(reason))
  for (const status of statuses)
    expect([400, 401, 403, 404, 405, 409, 415, 417, 421, 426, 429, 500, 503]).toContain(status)
})

const SOURCE = path.join(import.meta.dir, '../..')
const TEXT_BY_FILE = new Map(
  [...new Bun.Glob('**/*.ts').scanSync(SOURCE)]
    .filter((file) => !/\.(test|contract)\.ts$/.test(file) && !file.startsWith('contract/reasons/'))
    .map((file) => [file, readFileSync(path.join(SOURCE, file), 'utf8')]),
)

function producersOf(reason: AnyReason, place: Place): string[] {
  return [...TEXT_BY_FILE].flatMap(([file, text]) =>
    text.includes(`'${reason}'`) && PRODUCERS[place].some((where) => where.test(file)) ? [file] : [],
  )
}

test('every reason is given by code that answers at each place the catalogue names', () => {
  const unproduced = NAMES.flatMap((reason) =>
    ALL_REASONS[reason].at
      .filter((place) => producersOf(reason, place).length === 0)
      .map((place) => `${reason}: ${place}`),
  )
  expect(unproduced).toEqual([])
})

test('a refusal of an operator’s command in the core has a reason of the admin server', () => {
  const operators = /^core\/(operators|registry)\//
  for (const [file, text] of TEXT_BY_FILE) {
    if (!operators.test(file)) continue
    const given = CORE_REASONS.filter((reason) => text.includes(`'${reason}'`))
    expect([file, given.filter((reason) => !isAdminReason(reason))]).toEqual([file, []])
  }
})

test('a refusal of an order in the core has a reason of the trading interface', () => {
  const orders = /^core\/trading\/(order-checks|trading)\.ts$/
  const given = [...TEXT_BY_FILE].flatMap(([file, text]) =>
    orders.test(file) ? CORE_REASONS.filter((reason) => text.includes(`'${reason}'`)) : [],
  )
  expect(given.length).toBeGreaterThan(15)
  expect(given.filter((reason) => !isReason(reason))).toEqual([])
})
