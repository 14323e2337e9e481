import { describe, expect, test } from 'bun:test'
import { SESSION_IDLE_MS, SESSION_MS_MAX } from '../../../contract/admin/session.ts'
import { isOwnWord, OperatorSessions, SESSIONS_MAX, SESSIONS_PER_TOKEN_MAX } from './sessions.ts'

/** Sessions with a clock that does not advance by itself. */
function stopped() {
  const clock = { now: 1_800_000_000_000 }
  return { clock, sessions: new OperatorSessions(() => clock.now) }
}

function begun(sessions: OperatorSessions, token = 'dora'): string {
  const found = sessions.begin(token)
  if (found === undefined) throw new Error('no session could be begun')
  return found.secret
}

describe('a session of the operator’s page', () => {
  test('is found by its secret alone, which is not stored', () => {
    const { sessions } = stopped()
    const found = sessions.begin('dora')
    expect(found?.secret).toMatch(/^[0-9a-f]{64}$/)
    expect(found?.session.csrf).toMatch(/^[0-9a-f]{64}$/)
    expect(found?.session.csrf).not.toBe(found?.secret as string)
    expect(sessions.find(found?.secret ?? '', false)?.token).toBe('dora')
    expect(sessions.find('0'.repeat(64), false)).toBeUndefined()
    expect(JSON.stringify([...Object.values(found?.session ?? {})])).not.toContain(found?.secret as string)
  })

  test('ends when it was not used for 15 minutes, to the millisecond', () => {
    const { clock, sessions } = stopped()
    const secret = begun(sessions)
    clock.now += SESSION_IDLE_MS - 1
    expect(sessions.find(secret, false)).toBeDefined()
    clock.now += SESSION_IDLE_MS - 1
    expect(sessions.find(secret, false)).toBeDefined()
    clock.now += SESSION_IDLE_MS
    expect(sessions.find(secret, false)).toBeUndefined()
    expect(sessions.count).toBe(0)
  })

  test('is not used by requests that the page sends by itself', () => {
    const { clock, sessions } = stopped()
    const secret = begun(sessions)
    for (let minute = 1; minute < 15; minute++) {
      clock.now += 60_000
      expect(sessions.find(secret, true)).toBeDefined()
    }
    clock.now += 60_000
    expect(sessions.find(secret, true)).toBeUndefined()
  })

  test('says how long it has left: unused, and in total', () => {
    const { clock, sessions } = stopped()
    const secret = begun(sessions)
    const left = () => {
      const session = sessions.find(secret, true)
      return session && sessions.left(session)
    }
    expect(left()).toEqual({ endsInMs: SESSION_MS_MAX, unusedEndsInMs: SESSION_IDLE_MS })
    clock.now += 60_000
    expect(left()).toEqual({ endsInMs: SESSION_MS_MAX - 60_000, unusedEndsInMs: SESSION_IDLE_MS - 60_000 })
    const end = clock.now + SESSION_MS_MAX - 60_000
    while (clock.now < end - 60_000) {
      clock.now += 60_000
      sessions.find(secret, false)
    }
    expect(left()).toEqual({ endsInMs: 60_000, unusedEndsInMs: 60_000 })
  })

  test('ends 8 hours after it began, however much it is used', () => {
    const { clock, sessions } = stopped()
    const secret = begun(sessions)
    const end = clock.now + SESSION_MS_MAX
    while (clock.now < end - 60_000) {
      clock.now += 60_000
      expect(sessions.find(secret, false)).toBeDefined()
    }
    clock.now = end - 1
    expect(sessions.find(secret, false)).toBeDefined()
    clock.now = end
    expect(sessions.find(secret, false)).toBeUndefined()
  })

  test('of a token beyond the fifth ends the least recently used one, and none of another token', () => {
    const { clock, sessions } = stopped()
    const other = begun(sessions, 'emil')
    const own = Array.from({ length: SESSIONS_PER_TOKEN_MAX }, () => {
      clock.now++
      return begun(sessions)
    })
    clock.now++
    expect(sessions.find(own[0] ?? '', false)).toBeDefined()
    own.push(begun(sessions))
    const isOpen = own.map((secret) => sessions.find(secret, true) !== undefined)
    expect(isOpen).toEqual([true, false, true, true, true, true])
    expect(sessions.find(other, true)).toBeDefined()
  })

  test('is refused when the maximum is open, and has room again when one has ended', () => {
    const { clock, sessions } = stopped()
    const first = begun(sessions, 'token-0')
    for (let i = 1; i < SESSIONS_MAX; i++) begun(sessions, `token-${i}`)
    expect(sessions.begin('one-more')).toBeUndefined()
    expect(sessions.count).toBe(SESSIONS_MAX)
    sessions.end(first)
    expect(sessions.begin('one-more')).toBeDefined()
    clock.now += SESSION_IDLE_MS
    expect(sessions.begin('after-all-ended')).toBeDefined()
    expect(sessions.count).toBe(1)
  })

  test('remains within its bound of started and forgotten sessions, a hundred times over', () => {
    const { sessions } = stopped()
    for (let i = 0; i < 100 * SESSIONS_MAX; i++) sessions.begin(`token-${i % 300}`)
    expect(sessions.count).toBe(SESSIONS_MAX)
  })

  test('accepts only its own secret word, and no part of it', () => {
    const { sessions } = stopped()
    const found = sessions.begin('dora')
    if (found === undefined) throw new Error('no session could be begun')
    const { session } = found
    expect(isOwnWord(session, session.csrf)).toBe(true)
    for (const word of [null, '', session.csrf.slice(1), `${session.csrf} `, '0'.repeat(64)]) {
      expect(isOwnWord(session, word)).toBe(false)
    }
  })
})
