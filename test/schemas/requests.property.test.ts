/**
 * Requests generated from the published file, valid and invalid: every answer agrees with the file, and the
 * service never fails.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { type Fixture, openFixture, type Trader } from '../../src/server/public/gateway.fixture.ts'
import { CheckedAnswers } from './checked.ts'
import { requestsOf, type SentRequest } from './requests.ts'
import { Sender, type Signer } from './sender.ts'
import { published } from './strict.ts'

setDefaultTimeout(300_000)

const RUNS = 300
/** The same requests in every run. */
const SEED = 20261123
/**
 * These endpoints need the strict signature of all keys, which the sender does not create: here they are
 * always refused.
 */
const STRICT = ['apply', 'address'].flatMap((name) =>
  ['POST', 'DELETE'].map((method) => `${method} /capital/withdraw/${name}`),
)

describe('a gateway', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await openFixture()
  })
  afterAll(() => fixture.stop())

  test('it answers every request generated from openapi.json, good or bad, as the file says', async () => {
    const { url, alice, bob, clock } = fixture
    const sender = new Sender({ url, alice: signer(alice), bob: signer(bob), now: () => clock.time })
    const checked = new CheckedAnswers()
    const answered = new Map<string, number>()
    const send = async (request: SentRequest) => {
      const seen = await sender.send(request)
      const endpoint = `${seen.method} ${seen.path}`
      if (seen.status === 200) answered.set(endpoint, (answered.get(endpoint) ?? 0) + 1)
      expect(checked.fault(seen)).toBeUndefined()
    }
    const requests = fc.array(requestsOf(published('openapi.json')), { minLength: 1, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(requests, async (list) => {
        for (const request of list) await send(request)
      }),
      { numRuns: RUNS, seed: SEED },
    )
    // An endpoint that never succeeds has not been checked.
    const looked = checked.endpoints.filter((endpoint) => !STRICT.includes(endpoint))
    expect(looked.length).toBe(checked.endpoints.length - STRICT.length)
    expect(looked.filter((endpoint) => !answered.has(endpoint)).length).toBeLessThan(4)
  })
})

function signer({ apiKey, secret }: Trader): Signer {
  return { apiKey, signature: (text) => createHmac('sha256', secret).update(text).digest('hex') }
}
