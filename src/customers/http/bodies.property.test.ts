/** Any body, to any endpoint, from anyone: every answer is a documented one, and none is a program error. */
import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ACCOUNT_ROWS, type AccountEndpoint } from '../../contract/customers/endpoints.ts'
import type { BodyField, BodyForm } from '../../contract/customers/field.ts'
import { type Browser, Rig, SESSION_KEY } from '../customers.fixture.ts'

const RUNS = 1_500
const ENDPOINTS = Object.keys(ACCOUNT_ROWS) as AccountEndpoint[]
const OF_ALL = [
  'SESSION_NEEDED',
  'STEP_UP_NEEDED',
  'INVALID_PARAMETER',
  'MISSING_PARAMETER',
  'CUSTOMERS_AWAY',
]

const rig = new Rig()
afterAll(() => rig.close())

/** One person of each kind, created again after a request that has ended the session. */
const VISITORS = [
  { state: 'NOBODY', browser: rig.browser(), begin: (browser: Browser) => browser.get('config') },
  {
    state: 'SIGNUP',
    browser: rig.browser(),
    begin: async (browser: Browser, mail: string) => {
      await browser.begin(mail)
      await browser.confirm(mail)
    },
  },
  {
    state: 'SESSION',
    browser: rig.browser(),
    begin: (browser: Browser, mail: string) => browser.signUp(mail),
  },
]
let made = 0

async function visitor(index: number): Promise<Browser> {
  const kind = VISITORS[index] ?? expect.unreachable()
  const { data } = await kind.browser.get('config')
  if (data.state !== kind.state || kind.browser.csrf === '') {
    kind.browser = rig.browser()
    await kind.begin(kind.browser, `p${++made}@example.org`)
  }
  return kind.browser
}

const TEXTS = fc.oneof(
  fc.constantFrom(
    ...['', ' ', 'A'.repeat(43), 'A'.repeat(16_000), 'jo@example.org', 'nobody@example.org', '123456'],
    ...[SESSION_KEY, 'tarantula viaduct 9', '__proto__', 'constructor', '\u0000', '\ud800', '10.0.0.0/8'],
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const ANY = fc.oneof(fc.jsonValue({ maxDepth: 3 }), TEXTS, fc.constantFrom(-1, 1e308, 0.5, 2 ** 53))

/** More often than not, a value of the right type. */
function valueIn(form: BodyForm): fc.Arbitrary<unknown> {
  switch (form.is) {
    case 'text':
      return TEXTS
    case 'word':
      return fc.constantFrom(...form.words)
    case 'whole':
      return fc.constantFrom(form.min, form.max, form.min - 1, form.max + 1)
    case 'list':
      return fc.array(valueIn(form.of), { maxLength: Math.min(form.max + 1, 12) })
    case 'credential':
    case 'body':
      return fc.oneof(
        fc.dictionary(TEXTS, ANY, { maxKeys: 5 }),
        fc.record({
          id: TEXTS,
          rawId: TEXTS,
          type: fc.constantFrom('public-key', 'x'),
          clientExtensionResults: ANY,
          response: fc.oneof(
            ANY,
            fc.record({ clientDataJSON: TEXTS, attestationObject: TEXTS, authenticatorData: TEXTS }),
          ),
        }),
      )
  }
}

const bodyOf = (fields: Readonly<Record<string, BodyField>>): fc.Arbitrary<object> => {
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, { form }]) => [
      name,
      fc.oneof({ weight: 5, arbitrary: valueIn(form) }, { weight: 1, arbitrary: ANY }),
    ]),
  )
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<object> },
    { weight: 1, arbitrary: fc.dictionary(fc.string(), ANY, { maxKeys: 6 }) as fc.Arbitrary<object> },
    { weight: 1, arbitrary: fc.array(ANY, { maxLength: 4 }) as fc.Arbitrary<object> },
  )
}

/** The person who sends the request, the endpoint, and the body. */
const ASKED = fc
  .constantFrom(...ENDPOINTS)
  .chain((name) => fc.tuple(fc.nat(2), fc.constant(name), bodyOf(ACCOUNT_ROWS[name].fields)))

test('every body to every endpoint gets an answer that the interface documents', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(ASKED, async ([who, name, body]) => {
      const browser = await visitor(who)
      const { method, reasons } = ACCOUNT_ROWS[name]
      const { status, reason } = await browser.ask(method, name, body)
      seen.add(`${name} ${reason ?? status}`)
      if (reason === undefined) expect([200, 202]).toContain(status)
      else expect([...OF_ALL, ...reasons]).toContain(reason)
    }),
    { numRuns: RUNS },
  )
  // Each endpoint was reached, and bodies were read.
  expect(new Set([...seen].map((word) => word.split(' ')[0])).size).toBe(ENDPOINTS.length)
  expect([...seen].some((word) => word.endsWith('INVALID_PARAMETER'))).toBe(true)
})
