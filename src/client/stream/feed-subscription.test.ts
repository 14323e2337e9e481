import { describe, expect, test } from 'bun:test'
import { AccountScript, refusal } from './account-script.fixture.ts'
import type { FeedPlace, FeedUpdate } from './feed-subscription.ts'

const JOURNAL = '5a0f2c1e8d7b46939c1d4e5f60718293'
const OTHER = '00112233445566778899aabbccddeeff'

const rows = (...ids: string[]) => ids.map((id) => ({ id }))
const message = (seq: number, prevSeq: number | undefined, fills: object[], more = {}) => ({
  ...{ journal: JOURNAL, seq, prevSeq, fills },
  ...more,
})

type Options = {
  from?: FeedPlace
  waitingMax?: number
  rowsMax?: number
  onUpdate?: (update: FeedUpdate<'fills'>) => unknown
}

async function setup({ onUpdate, ...options }: Options = {}) {
  const script = new AccountScript()
  const updates: FeedUpdate<'fills'>[] = []
  const states: string[] = []
  const feed = script.account.follow(
    'fills',
    {
      onUpdate: (update) => {
        updates.push(update)
        return onUpdate?.(update)
      },
      onState: (state, error) => states.push(error === undefined ? state : `${state} ${error.reason}`),
    },
    options,
  )
  await script.open()
  script.accept()
  const texts = () =>
    updates.map(({ kind, seq, rows: all }) => `${kind} ${seq} ${all.map(({ id }) => id).join(',')}`)
  return { script, feed, updates, states, texts }
}

/** The server confirms that the messages will follow. */
async function begin(script: AccountScript): Promise<unknown> {
  const [event, payload] = await script.next()
  expect(event).toBe('subscribe')
  script.socket.say('subscribed', { channel: 'fills' })
  return payload
}

describe('a private channel', () => {
  test('is requested once there is a login, and is live with its state', async () => {
    const { script, feed, texts, states } = await setup()
    expect(await begin(script)).toEqual({ channel: 'fills' })
    expect(feed.state).toBe('stale')
    script.socket.say('fills', message(21, undefined, []))
    script.socket.say('fills', message(23, 21, rows('a'), { time: 5 }))
    expect(texts()).toEqual(['state 21 ', 'change 23 a'])
    expect(states).toEqual(['live'])
    expect(feed.place).toEqual({ journal: JOURNAL, seq: 23 })
  })

  test('after a cut names the last complete command, and applies what came after it once', async () => {
    const { script, texts, states } = await setup()
    await begin(script)
    script.socket.say('fills', message(21, undefined, []))
    script.socket.say('fills', message(23, 21, rows('a')))
    script.socket.say('fills', message(25, 23, rows('b'), { more: true }))
    script.socket.cut()
    script.ports.pass(1_000)
    await script.open()
    script.accept()
    script.ports.pass(1_000)
    expect(await begin(script)).toEqual({ channel: 'fills', since: 23, journal: JOURNAL })
    script.socket.say('fills', message(25, 23, rows('b'), { more: true }))
    script.socket.say('fills', message(25, 25, rows('c')))
    expect(texts()).toEqual(['state 21 ', 'change 23 a', 'change 25 b,c'])
    expect(states).toEqual(['live', 'stale', 'live'])
  })

  test('takes no message of another command for the rest of an incomplete one', async () => {
    const { script, texts } = await setup()
    await begin(script)
    script.socket.say('fills', message(21, undefined, []))
    script.socket.say('fills', message(25, 21, rows('a'), { more: true }))
    script.socket.say('fills', message(26, 26, rows('b')))
    expect(texts()).toEqual(['state 21 '])
    script.ports.pass(1_000)
    expect(await begin(script)).toEqual({ channel: 'fills', since: 21, journal: JOURNAL })
  })

  test('accepts no message without the number of its command', async () => {
    for (const seq of [undefined, '23', 23.5, -0.5]) {
      const { script, texts } = await setup()
      await begin(script)
      script.socket.say('fills', { journal: JOURNAL, seq, fills: rows('a') })
      expect([seq, texts()]).toEqual([seq, []])
    }
  })

  test('accepts no update with more rows than allowed, in however many messages it comes', async () => {
    const { script, texts } = await setup({ rowsMax: 3 })
    await begin(script)
    script.socket.say('fills', message(21, undefined, rows('a', 'b'), { more: true }))
    script.socket.say('fills', message(21, 21, rows('c', 'd')))
    expect(texts()).toEqual([])
    script.ports.pass(1_000)
    await begin(script)
    script.socket.say('fills', message(21, undefined, rows('a', 'b'), { more: true }))
    script.socket.say('fills', message(21, 21, rows('c')))
    expect(texts()).toEqual(['state 21 a,b,c'])
  })

  test('continues where an earlier program stopped', async () => {
    const { script, texts } = await setup({ from: { journal: JOURNAL, seq: 40 } })
    expect(await begin(script)).toEqual({ channel: 'fills', since: 40, journal: JOURNAL })
    script.socket.say('fills', message(44, 40, rows('a')))
    expect(texts()).toEqual(['change 44 a'])
  })

  test.each([
    ['does not follow', message(25, 24, rows('c'))],
    ['came before', message(23, 21, rows('a'))],
    ['is of another journal', { ...message(25, 23, rows('c')), journal: OTHER }],
    ['has no rows', { journal: JOURNAL, seq: 25, prevSeq: 23 }],
  ])('resumes from the last valid position after a message that %s', async (_, wrong) => {
    const { script, texts, feed } = await setup()
    await begin(script)
    script.socket.say('fills', message(21, undefined, []))
    script.socket.say('fills', message(23, 21, rows('a')))
    script.socket.say('fills', wrong)
    expect(feed.state).toBe('stale')
    script.ports.pass(2_000)
    expect(await begin(script)).toEqual({ channel: 'fills', since: 23, journal: JOURNAL })
    script.socket.say('fills', message(25, 23, rows('b')))
    expect(texts()).toEqual(['state 21 ', 'change 23 a', 'change 25 b'])
  })

  test('of a journal with another name starts again, and says so', async () => {
    const { script, updates, feed } = await setup({ from: { journal: OTHER, seq: 40 } })
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await script.next()).toEqual(['subscribe', { channel: 'fills', since: 40, journal: OTHER }])
      script.socket.say('error', refusal('UNKNOWN_JOURNAL'))
      script.ports.pass(10_000)
    }
    expect(await begin(script)).toEqual({ channel: 'fills' })
    script.socket.say('fills', message(21, undefined, []))
    expect(updates).toEqual([
      { kind: 'state', journal: JOURNAL, seq: 21, rows: [], restart: 'UNKNOWN_JOURNAL' },
    ])
    expect(feed.state).toBe('live')
  })

  test('that a gateway behind the others does not know yet is requested again, and does not start again', async () => {
    const { script, texts } = await setup({ from: { journal: JOURNAL, seq: 40 } })
    await script.next()
    script.socket.say('error', refusal('UNKNOWN_JOURNAL'))
    script.ports.pass(2_000)
    expect(await begin(script)).toEqual({ channel: 'fills', since: 40, journal: JOURNAL })
    script.socket.say('fills', message(41, 40, rows('a')))
    expect(texts()).toEqual(['change 41 a'])
  })

  test('whose position is too far back starts again, and says so', async () => {
    const { script, updates } = await setup({ from: { journal: JOURNAL, seq: 1 } })
    await begin(script)
    script.socket.say('unsubscribed', { channel: 'fills', ...refusal('SINCE_TOO_OLD') })
    script.ports.pass(2_000)
    expect(await begin(script)).toEqual({ channel: 'fills' })
    script.socket.say('fills', message(21, undefined, []))
    expect(updates[0]).toMatchObject({ kind: 'state', restart: 'SINCE_TOO_OLD' })
  })

  test('that the server ends for a slow client is resumed', async () => {
    const { script, texts, states } = await setup()
    await begin(script)
    script.socket.say('fills', message(21, undefined, []))
    script.socket.say('unsubscribed', { channel: 'fills', ...refusal('TOO_SLOW') })
    script.ports.pass(2_000)
    expect(await begin(script)).toEqual({ channel: 'fills', since: 21, journal: JOURNAL })
    script.socket.say('fills', message(22, 21, rows('a')))
    expect(texts()).toEqual(['state 21 ', 'change 22 a'])
    expect(states).toEqual(['live', 'stale', 'live'])
  })

  test('that the key may not follow is closed, with the reason', async () => {
    const { script, feed, states } = await setup()
    await begin(script)
    script.socket.say('unsubscribed', { channel: 'fills', ...refusal('PERMISSION_DENIED') })
    expect(feed.state).toBe('closed')
    expect(states).toEqual(['closed PERMISSION_DENIED'])
    script.socket.say('loggedOut', refusal('NO_LEADER', '0014'))
    expect(feed.state).toBe('closed')
  })

  test('waits for the login', async () => {
    const { script, states } = await setup()
    await begin(script)
    script.socket.say('fills', message(21, undefined, []))
    script.socket.say('loggedOut', refusal('NO_LEADER', '0014'))
    script.ports.pass(2_000)
    await script.login()
    script.accept()
    expect(await begin(script)).toEqual({ channel: 'fills', since: 21, journal: JOURNAL })
    expect(states).toEqual(['live', 'stale', 'live'])
  })

  test('is stale while the server has no engine, and resumes by itself', async () => {
    const { script, states, texts } = await setup()
    await begin(script)
    script.socket.say('fills', message(21, undefined, []))
    script.socket.say('stale', { since: 1 })
    script.socket.say('live', { seq: 22 })
    script.socket.say('fills', message(22, 21, rows('a')))
    expect(states).toEqual(['live', 'stale', 'live'])
    expect(texts()).toEqual(['state 21 ', 'change 22 a'])
  })

  test('gives a slow handler one update after the other, keeps a bounded number, and requests the others later', async () => {
    const finish: (() => void)[] = []
    const onUpdate = () => new Promise<void>((resolve) => finish.push(resolve))
    const { script, texts, feed } = await setup({ waitingMax: 2, onUpdate })
    await begin(script)
    script.socket.say('fills', message(21, undefined, []))
    for (let seq = 22; seq < 30; seq++) script.socket.say('fills', message(seq, seq - 1, rows(`f${seq}`)))
    expect(texts()).toEqual(['state 21 '])
    expect(feed.place).toBeUndefined()
    expect(feed.state).toBe('stale')
    const handle = async () => {
      finish.shift()?.()
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    }
    for (let i = 0; i < 4; i++) await handle()
    expect(texts()).toEqual(['state 21 ', 'change 22 f22', 'change 23 f23', 'change 24 f24'])
    expect(feed.place).toEqual({ journal: JOURNAL, seq: 24 })
    script.ports.pass(1_000)
    expect(await begin(script)).toEqual({ channel: 'fills', since: 24, journal: JOURNAL })
    script.socket.say('fills', message(25, 24, rows('f25')))
    expect(texts().at(-1)).toBe('change 25 f25')
    expect(feed.state).toBe('live')
  })

  test('whose handler fails continues; the error reaches the runtime', async () => {
    const onUpdate = async () => Promise.reject(new Error('of the user'))
    const { script, texts } = await setup({ onUpdate })
    await begin(script)
    script.socket.say('fills', message(21, undefined, []))
    script.socket.say('fills', message(22, 21, rows('a')))
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    expect(texts()).toEqual(['state 21 ', 'change 22 a'])
    expect(() => script.ports.pass(1)).toThrow('of the user')
  })

  test('that is closed delivers nothing any more', async () => {
    const { script, feed, texts } = await setup()
    await begin(script)
    script.socket.say('fills', message(21, undefined, []))
    feed.close()
    script.socket.say('fills', message(22, 21, rows('a')))
    expect(texts()).toEqual(['state 21 '])
    script.ports.pass(1_000)
    expect(await script.next()).toEqual(['unsubscribe', { channel: 'fills' }])
  })
})
