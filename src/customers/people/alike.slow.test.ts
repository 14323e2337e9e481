/**
 * Pairs of requests, one for an address with an account and
 * one for an address without, interleaved; their answers are equal, and their times come from one
 * distribution (the two-sample test of Kolmogorov and Smirnov).
 */
import { expect, test } from 'bun:test'
import { type Browser, Rig, SESSION_KEY } from '../customers.fixture.ts'
import { sweep } from '../sweep.ts'

const PAIRS = 2_000
const KNOWN = 'known@example.org'
const UNKNOWN = 'other@example.org'
const HOUR_MS = 3_600_000
const PASSWORD = 'nine purple otters sing'

/** The probability that two samples of one distribution differ so much (asymptotic). */
function probability(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [one.toSorted((x, y) => x - y), other.toSorted((x, y) => x - y)]
  let [i, j, distance] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const at = Math.min(a[i] ?? 0, b[j] ?? 0)
    while (i < a.length && (a[i] ?? 0) <= at) i++
    while (j < b.length && (b[j] ?? 0) <= at) j++
    distance = Math.max(distance, Math.abs(i / a.length - j / b.length))
  }
  const size = Math.sqrt((a.length * b.length) / (a.length + b.length))
  const lambda = (size + 0.12 + 0.11 / size) * distance
  let sum = 0
  for (let k = 1; k <= 100; k++) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda)
  return Math.min(1, Math.max(0, lambda < 0.2 ? 1 : sum))
}

type Ask = (browser: Browser, mail: string) => Promise<{ readonly status: number; readonly text: string }>

const ASKS: Readonly<Record<string, Ask>> = {
  'signup/begin': (browser, mail) => browser.post('signup/begin', { mail, language: 'en', termsVersion: 1 }),
  'recover/begin': (browser, mail) => browser.post('recover/begin', { mail }),
  'unfreeze/begin': (browser, mail) => browser.post('unfreeze/begin', { mail }),
  'login/password': (browser, mail) =>
    browser.post('login/password', { mail, password: PASSWORD, code: '000000', sessionKey: SESSION_KEY }),
}

/** Times of requests for the address with an account and for one without, in alternating order. */
async function measured(rig: Rig, browser: Browser, ask: Ask) {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let n = 0; n < PAIRS; n++) {
    // An hour later the budgets of failures and of emails are full again.
    rig.nowMs += HOUR_MS
    // An odd number, so that each address is equally often the first in a pair.
    if (n % 21 === 0) {
      rig.context.askedMails.write()
      rig.context.store.records.flush()
      sweep(rig.context)
      await browser.get('config')
    }
    const texts: string[] = []
    const pair = n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const which of pair) {
      const began = performance.now()
      // Always the same two addresses: the runtime caches texts that it has read before.
      const { status, text } = await ask(browser, which === 'known' ? KNOWN : UNKNOWN)
      times[which].push(performance.now() - began)
      texts.push(`${status} ${text}`)
    }
    expect(texts[0]).toBe(texts[1] as string)
  }
  return times
}

test.each(Object.keys(ASKS))(
  '%s takes as long for an address that has an account as for one that has none',
  async (name) => {
    const rig = new Rig()
    try {
      const owner = rig.browser()
      await owner.begin(KNOWN)
      await owner.confirm(KNOWN)
      await owner.registerPassword('another long secret of mine')
      const browser = rig.browser()
      await browser.get('config')
      const ask = ASKS[name] ?? expect.unreachable()
      // Equal distributions differ this much in one run of a hundred: three times in a row in one of 10^6.
      const found: number[] = []
      for (let run = 0; run < 3 && !found.some((p) => p > 0.01); run++) {
        const { known, unknown } = await measured(rig, browser, ask)
        found.push(probability(known, unknown))
      }
      console.info(`${name}: p = ${found.map((p) => p.toFixed(3)).join(', ')}`)
      expect(Math.max(...found)).toBeGreaterThan(0.01)
    } finally {
      rig.close()
    }
  },
)

test('the comparison of two samples notices five hundredths of a millisecond', () => {
  const noise = (seed: number) => Array.from({ length: PAIRS }, (_, n) => ((n * 7919 + seed) % 1_000) / 1_000)
  expect(probability(noise(1), noise(2))).toBeGreaterThan(0.5)
  expect(
    probability(
      noise(1),
      noise(1).map((each) => each + 0.06),
    ),
  ).toBeLessThan(0.01)
})
