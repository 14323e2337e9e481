import { expect, test } from 'bun:test'
import { openFixture } from '../public/gateway.fixture.ts'
import { corsPolicy } from './cors.ts'
import { options, Successes } from './respond.ts'

const successes = new Successes()
const asked = { use: { weight: 1, refusals: 0, malformed: 0, openings: 0 }, requestId: 'r' }

function from(origin: string | undefined): Request {
  return new Request('http://x/', { headers: origin === undefined ? {} : { origin } })
}

/** The CORS headers for a page of `origin` if only `https://ours.example` is allowed. */
function said(origin: string | undefined, answer: Response): (string | null)[] {
  const { headers } = corsPolicy(['https://ours.example'])?.(from(origin), answer) ?? answer
  return ['access-control-allow-origin', 'access-control-allow-headers', 'vary'].map((name) =>
    headers.get(name),
  )
}

test('where every origin is allowed the headers are unchanged', () => {
  expect([corsPolicy(['*']), corsPolicy(['https://ours.example', '*'])]).toEqual([undefined, undefined])
  expect(successes.answer('{}', asked, []).headers.get('access-control-allow-origin')).toBe('*')
})

test('an allowed page is named in the answer, any other gets no header, and caches keep them apart', () => {
  const answer = () => successes.answer('{}', asked, [])
  expect(said('https://ours.example', answer())).toEqual(['https://ours.example', null, 'Origin'])
  for (const origin of ['https://theirs.example', 'http://ours.example', 'null', undefined]) {
    expect(said(origin, answer())).toEqual([null, null, 'Origin'])
  }
})

test('a preflight of a page that is not allowed allows nothing', () => {
  const [, headers] = said('https://ours.example', options('GET'))
  expect(headers).toContain('X-Signature')
  expect(said('https://theirs.example', options('GET'))).toEqual([null, null, 'Origin'])
})

test('the port itself corrects every answer, refusals included', async () => {
  const f = await openFixture({ server: { corsOrigins: ['https://ours.example'] } })
  try {
    for (const path of ['/api/v3/exchangeInfo', '/api/v3/nothing']) {
      for (const [origin, allowed] of [
        ['https://ours.example', 'https://ours.example'],
        ['https://theirs.example', null],
      ] as const) {
        const { headers } = await fetch(f.url + path, { headers: { origin } })
        expect([path, headers.get('access-control-allow-origin')]).toEqual([path, allowed])
      }
    }
  } finally {
    await f.stop()
  }
})
