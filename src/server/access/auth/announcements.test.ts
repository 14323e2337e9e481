/** Two processes open, end and announce keys of one store, in random orders drawn from a seed. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AccountId } from '../../../units/ids.ts'
import { ANNOUNCEMENT_MS, ANNOUNCEMENTS_MAX, Announcements, ENDED_MAX, ENDED_MS } from './announcements.ts'
import { SessionKeys } from './session-keys.ts'

const DAY_MS = 86_400_000
const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const named = (n: number) => `s-${letters[Math.floor(n / 32)]}${letters[n % 32]}${'a'.repeat(24)}`
const keyOf = (name: string) => ({ name, accountId: 1 as AccountId, publicKey: new Uint8Array(32) })
const PAGE = 2

class World {
  readonly keys = new SessionKeys(() => 0)
  /** Keys of running sessions. */
  readonly store = new Set<string>()
  /** Names of ended keys whose end was acknowledged. */
  readonly answered = new Set<string>()
  #made = 0

  isQuiet(): boolean {
    return this.keys.list('', 1_000).length === this.store.size
  }

  *open() {
    const name = named(this.#made++)
    this.store.add(name)
    yield
    this.keys.open(keyOf(name), DAY_MS)
    yield
    if (!this.store.has(name)) this.keys.endForGood(name)
  }

  *end(which: number) {
    const name = [...this.store][which % Math.max(1, this.store.size)]
    if (name === undefined) return
    this.store.delete(name)
    yield
    this.keys.endForGood(name)
    this.answered.add(name)
  }

  *announce(by: string) {
    this.keys.beginPage('FIRST', by)
    yield
    for (let after = '', isLast = false; !isLast; ) {
      const page = [...this.store]
        .filter((name) => name > after)
        .toSorted()
        .slice(0, PAGE)
      isLast = page.length < PAGE
      after = page.at(-1) ?? after
      yield
      expect(this.keys.beginPage(isLast ? 'LAST' : 'MORE', by)).toBe(true)
      for (const name of page) this.keys.open(keyOf(name), DAY_MS)
      this.keys.endPage(isLast ? 'LAST' : 'MORE', by)
      yield
    }
  }
}

const act = fc.record({
  /** The process that acts. */
  by: fc.constantFrom('a', 'b'),
  kind: fc.constantFrom('open', 'open', 'end', 'announce'),
  which: fc.nat(20),
})

test('after any two processes have opened, ended and announced keys, the keys are those of the store; an end that was answered is final', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 4, maxLength: 14 }), fc.array(fc.nat(30)), (acts, draws) => {
      const world = new World()
      const waiting = [...acts]
      const running: { readonly by: string; readonly kind: string; readonly steps: Iterator<unknown> }[] = []
      const begin = (): void => {
        const [next] = waiting
        if (next === undefined) return
        // A process makes one announcement at a time.
        if (next.kind === 'announce' && running.some(({ by, kind }) => by === next.by && kind === 'announce'))
          return
        waiting.shift()
        const { by, kind, which } = next
        const steps = kind === 'open' ? world.open() : kind === 'end' ? world.end(which) : world.announce(by)
        running.push({ by, kind, steps })
      }
      for (let n = 0; waiting.length > 0 || running.length > 0; n++) {
        const draw = draws[n % Math.max(1, draws.length)] ?? 0
        if (running.length === 0 || draw % 3 === 0) begin()
        const at = (draw + n) % Math.max(1, running.length)
        const one = running[at]
        if (one?.steps.next().done === true) running.splice(at, 1)
        for (const name of world.answered) expect(world.keys.has(name)).toBe(false)
      }
      expect(world.isQuiet()).toBe(true)
      expect(world.keys.list('', 1_000).map(({ name }) => name)).toEqual([...world.store].toSorted())
    }),
    { numRuns: 2_000 },
  )
})

test('a page of an announcement that has not begun here is refused, and ends nothing', () => {
  const keys = new SessionKeys(() => 0)
  keys.open(keyOf(named(1)), DAY_MS)
  expect([keys.beginPage('MORE', 'a'), keys.beginPage('LAST', 'a')]).toEqual([false, false])
  keys.beginPage('FIRST', 'a')
  expect([keys.beginPage('MORE', 'b'), keys.beginPage('MORE', 'a')]).toEqual([false, true])
  keys.endPage('LAST', 'b')
  expect(keys.has(named(1))).toBe(true)
  keys.endPage('LAST', 'a')
  expect(keys.has(named(1))).toBe(false)
})

test('an announcement that pauses, or is one of too many, is forgotten', () => {
  let nowMs = 0
  const announcements = new Announcements(() => nowMs)
  announcements.begin('paused')
  nowMs += ANNOUNCEMENT_MS - 1
  expect(announcements.goOn('paused')).toBe(true)
  nowMs += ANNOUNCEMENT_MS
  expect(announcements.goOn('paused')).toBe(false)
  for (let i = 0; i <= ANNOUNCEMENTS_MAX; i++) announcements.begin(`a${i}`)
  expect([announcements.goOn('a0'), announcements.goOn('a1')]).toEqual([false, true])
})

test('an ended name is remembered for a minute, and during an announcement, up to a number', () => {
  let nowMs = 0
  const announcements = new Announcements(() => nowMs)
  announcements.ended('one')
  announcements.begin('a')
  nowMs += ENDED_MS
  expect([announcements.isEnded('one'), announcements.isEnded('other')]).toEqual([true, false])
  announcements.finish('a')
  expect(announcements.isEnded('one')).toBe(false)
  announcements.ended('two')
  announcements.begin('a')
  for (let i = 0; i < ENDED_MAX; i++) announcements.ended(`n${i}`)
  // A page could bring a forgotten name back: the announcement begins again.
  expect([announcements.isEnded('two'), announcements.goOn('a')]).toEqual([false, false])
})
