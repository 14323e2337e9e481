import { describe, expect, test } from 'bun:test'
import type { AdminSession } from '../../../contract/admin/session.ts'
import { type Answer, PageSession, sha256 } from './page-session.ts'

const SESSION: AdminSession = {
  name: 'dora',
  role: 'OPERATOR',
  rights: ['read'],
  lacking: {},
  confirmed: [],
  csrf: 'the word',
  endsAt: '2026-01-31T22:00:00.000Z',
  endsInMs: 28_800_000,
  unusedEndsInMs: 900_000,
}

type Sent = { readonly url: string; readonly init: RequestInit }

/** A page whose node gives these answers, one after the other. */
function page(...answers: readonly (object | 'nothing')[]) {
  const sent: Sent[] = []
  const left = [...answers]
  const clock = { now: 0 }
  const send = (url: string, init: RequestInit) => {
    sent.push({ url, init })
    const answer = left.shift()
    if (answer === undefined || answer === 'nothing') return Promise.reject(new TypeError('Failed to fetch'))
    return Promise.resolve(Response.json(answer))
  }
  const session = new PageSession(send, () => clock.now)
  return { session, sent, clock }
}

const refused = (reason: string) => ({ ok: false, error: { reason, message: `because ${reason}` } })

describe('the page’s session', () => {
  test('resumes with its cookie, and asks for a login where there is none', async () => {
    const open = page({ ok: true, result: SESSION })
    await open.session.resume()
    expect(open.session.state.value).toEqual(SESSION)
    const closed = page({ ok: true, result: null })
    await closed.session.resume()
    expect(closed.session.state.value).toBeNull()
  })

  test('sends a token once, in the body, and stores it nowhere', async () => {
    const { session, sent } = page(
      { ok: true, result: SESSION },
      { ok: true, result: SESSION },
      { ok: true, result: {} },
    )
    expect(await session.begin('bourse_secret')).toBeUndefined()
    await session.ask('node/status', {})
    expect(sent[0]).toMatchObject({ url: '/session', init: { method: 'POST' } })
    expect(JSON.stringify(sent.slice(1))).not.toContain('bourse_secret')
    expect(JSON.stringify(session.state.value)).not.toContain('bourse_secret')
  })

  test('knows when it ends: a user’s request postpones that, an automatic or unanswered one does not', async () => {
    const done = { ok: true, result: {} }
    const { session, clock } = page({ ok: true, result: SESSION }, done, 'nothing', done, {
      ...{ ok: true, result: { ...SESSION, unusedEndsInMs: 5_000 } },
    })
    await session.resume()
    expect(session.ends.value).toEqual({ endAt: 28_800_000, unusedEndAt: 900_000 })
    clock.now = 60_000
    await session.ask('node/status', {}, { isBackground: true })
    await session.ask('node/status', {})
    expect(session.ends.value.unusedEndAt).toBe(900_000)
    await session.ask('node/status', {})
    expect(session.ends.value).toEqual({ endAt: 28_800_000, unusedEndAt: 960_000 })
    await session.use()
    expect(session.ends.value.unusedEndAt).toBe(65_000)
  })

  test('keeps the user of its views when it ends, and forgets the user at logout', async () => {
    const { session } = page(
      { ok: true, result: SESSION },
      refused('SESSION_ENDED'),
      { ok: true, result: SESSION },
      { ok: true, result: SESSION },
      { ok: true, result: null },
    )
    await session.resume()
    await session.ask('node/status', {})
    expect([session.state.value, session.owner.value]).toEqual([null, 'dora'])
    await session.begin('bourse_secret')
    expect(session.state.value?.name).toBe('dora')
    await session.end()
    expect([session.state.value, session.owner.value]).toEqual([null, ''])
  })

  test('is not open where the browser has not stored its cookie, and says so', async () => {
    const { session } = page({ ok: true, result: SESSION }, { ok: true, result: null })
    expect(await session.begin('bourse_secret')).toMatchObject({ reason: 'COOKIE_NOT_KEPT' })
    expect(session.state.value).toBeUndefined()
  })

  test('sends its own secret word, the token again and what was shown, and marks automatic requests', async () => {
    const { session, sent } = page(
      { ok: true, result: SESSION },
      { ok: true, result: {} },
      { ok: true, result: [] },
    )
    await session.resume()
    const request = { reference: 'deposit-1' }
    await session.ask('approval/approve', request, { confirmation: 'bourse_again', shown: 'abc' })
    expect(sent[1]).toMatchObject({
      url: '/admin/v1/approval/approve',
      init: {
        body: JSON.stringify(request),
        headers: { 'x-csrf-token': 'the word', 'x-confirm-token': 'bourse_again', 'x-shown-digest': 'abc' },
      },
    })
    await session.ask('approval/list', {}, { isBackground: true })
    expect(sent[2]).toMatchObject({ init: { headers: { 'x-background': '1' } } })
    expect(JSON.stringify(sent[2])).not.toContain('bourse_again')
  })

  test('ends when the node says so, and shows the reason', async () => {
    const { session } = page({ ok: true, result: SESSION }, refused('SESSION_ENDED'))
    await session.resume()
    await session.ask('node/status', {})
    expect([session.state.value, session.farewell.value]).toEqual([null, 'because SESSION_ENDED'])
  })

  test('continues after a refusal, or without an answer: that is reported and nothing is guessed', async () => {
    const { session } = page({ ok: true, result: SESSION }, refused('STORAGE_FULL'), 'nothing', {
      ok: true,
      result: {},
    })
    await session.resume()
    expect(await session.ask('node/status', {})).toMatchObject({
      ok: false,
      error: { reason: 'STORAGE_FULL' },
    })
    expect(await session.ask('node/status', {})).toMatchObject({ ok: false, error: { reason: 'NO_ANSWER' } })
    expect([session.state.value, session.contact.value]).toEqual([SESSION, { kind: 'SILENT' }])
    await session.ask('node/status', {})
    expect(session.contact.value).toEqual({ kind: 'ANSWERS' })
  })

  test('says how to check whether something was done, where the answer is lost or does not know', async () => {
    const { session } = page({ ok: true, result: SESSION }, 'nothing', refused('OUTCOME_UNKNOWN'), 'nothing')
    await session.resume()
    const bank = { account: 'alice', asset: 'USDT', amount: '1', reference: 'bank-1' }
    const said = async (answer: Promise<Answer<unknown>>) => {
      const found = await answer
      return found.ok ? '' : found.error.message
    }
    const sameReference = /carried out nevertheless: send it again with the same reference/
    expect(await said(session.ask('money/credit', bank))).toMatch(sameReference)
    expect(await said(session.ask('money/credit', bank))).toMatch(sameReference)
    expect(await said(session.ask('node/status', {}))).toContain('nothing was changed: try again')
  })

  test('says so after a logout, also when an earlier request is refused first', async () => {
    const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
    const opened = [Response.json({ ok: true, result: SESSION })]
    const queue = [...answers]
    const send = () => Promise.resolve(opened.shift() ?? queue.shift()?.promise ?? Response.error())
    const session = new PageSession(send, () => 0)
    await session.resume()
    const look = session.ask('node/status', {}, { isBackground: true })
    const left = session.end()
    answers[0]?.resolve(Response.json(refused('SESSION_ENDED')))
    await look
    expect(session.state.value).toEqual(SESSION)
    answers[1]?.resolve(Response.json({ ok: true, result: null }))
    await left
    expect([session.state.value, session.owner.value]).toEqual([null, ''])
    expect(session.farewell.value).toBe('You have logged out.')
  })

  test('may still be open after a logout without an answer, and the page says so', async () => {
    for (const [answer, isOpen] of [
      ['nothing', true],
      [refused('NO_LEADER'), true],
      [refused('SESSION_ENDED'), false],
      [refused('INVALID_TOKEN'), false],
    ] as const) {
      const { session } = page({ ok: true, result: SESSION }, answer)
      await session.resume()
      await session.end()
      expect([session.state.value, session.owner.value]).toEqual([null, ''])
      expect([answer, session.farewell.value.includes('may stay open')]).toEqual([answer, isOpen])
    }
  })

  test('passes answers to the page once no pointer is pressed, and knows when the node gave them', async () => {
    const release = Promise.withResolvers<void>()
    const clock = { now: 1_000 }
    const send = () => Promise.resolve(Response.json({ ok: true, result: SESSION }))
    const session = new PageSession(
      send,
      () => clock.now,
      () => {
        clock.now = 1_700
        return release.promise
      },
    )
    const resumed = session.resume()
    while (clock.now === 1_000) await Promise.resolve()
    expect(session.state.value).toBeUndefined()
    release.resolve()
    await resumed
    expect([session.state.value, session.heardAtMs]).toEqual([SESSION, 1_000])
  })

  test('continues while another engine leads, knows since when nothing was received, and says why it ends when its own leads again', async () => {
    const { session, clock } = page(
      { ok: true, result: SESSION },
      refused('NO_LEADER'),
      refused('SESSION_ENDED'),
    )
    clock.now = 5_000
    await session.resume()
    clock.now = 9_000
    await session.ask('node/status', {}, { isBackground: true })
    expect(session.contact.value).toEqual({ kind: 'AWAY', message: 'because NO_LEADER' })
    expect([session.state.value, session.heardAtMs]).toEqual([SESSION, 5_000])
    await session.ask('node/status', {}, { isBackground: true })
    expect([session.state.value, session.contact.value.kind]).toEqual([null, 'ANSWERS'])
    expect(session.farewell.value).toContain('another engine took over')
  })

  test('cannot be opened on an engine that does not lead, and the page says so instead of asking for a login', async () => {
    const { session } = page(refused('NO_LEADER'), { ok: true, result: null })
    await session.resume()
    expect([session.state.value, session.contact.value.kind, session.farewell.value]).toEqual([
      null,
      'AWAY',
      '',
    ])
    await session.resume()
    expect(session.contact.value.kind).toBe('ANSWERS')
  })
})

test('a changed role is requested again after a refusal, and kept while the node does not answer', async () => {
  const less = { ...SESSION, role: 'READ_ONLY', lacking: { 'symbol/halt': 'markets' } as const }
  const { session } = page(
    { ok: true, result: SESSION },
    refused('ROLE_NOT_ALLOWED'),
    { ok: true, result: less },
    refused('ROLE_NOT_ALLOWED'),
    'nothing',
  )
  await session.resume()
  await session.ask('symbol/halt', { symbol: 'BTC/USDT' })
  expect(session.state.value).toEqual(less)
  await session.ask('symbol/halt', { symbol: 'BTC/USDT' })
  expect(session.state.value).toEqual(less)
})

test('a digest of the page equals that of any other SHA-256', async () => {
  const text = '["deposit-1","CREDIT","ä"]'
  expect(await sha256(text)).toBe(new Bun.CryptoHasher('sha256').update(text).digest('hex'))
})
