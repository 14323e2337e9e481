import { describe, expect, test } from 'bun:test'
import {
  ANSWER_MS,
  GROUP_MS,
  LOG_MAX,
  NEWS_MS,
  NoticeLog,
  RELEASED_MS,
  SETTLE_MS,
  SHOWN_MAX,
  SPOKEN_MAX,
} from './notice-log.ts'

function noticeLog() {
  let now = 0
  const due: { readonly at: number; readonly callback: () => void }[] = []
  const log = new NoticeLog({
    now: () => now,
    schedule: (delayMs, callback) => due.push({ at: now + delayMs, callback }),
  })
  const pass = (ms: number) => {
    now += ms
    for (const { callback } of due.splice(0).filter((entry) => {
      if (entry.at <= now) return true
      due.push(entry)
      return false
    }))
      callback()
  }
  const texts = () => log.shown.value.map(({ say }) => say())
  const spoken = () => log.spoken.value.map(({ text }) => text)
  return { log, pass, texts, spoken }
}

describe('notices', () => {
  test('are few in view and limited in the log, newest first', () => {
    const { log, texts, spoken } = noticeLog()
    for (let count = 0; count < LOG_MAX + 10; count++) log.add({ say: () => String(count) })
    expect(texts().slice(0, 2)).toEqual(['109', '108'])
    expect([texts().length, spoken().length]).toEqual([SHOWN_MAX, SPOKEN_MAX])
    expect([log.log.value.length, log.log.value[0]?.say()]).toEqual([LOG_MAX, '109'])
    log.dismissAll()
    expect([texts().length, log.log.value.length]).toEqual([0, LOG_MAX])
  })

  test('of one kind within a moment are one notice, with their number', () => {
    const { log, pass, texts } = noticeLog()
    const say = (count: number) => `${count} fills`
    log.add({ say, group: 'fills' })
    log.add({ say: () => 'other' })
    pass(GROUP_MS)
    log.add({ say, group: 'fills' })
    expect(texts()).toEqual(['other', '2 fills'])
    pass(GROUP_MS + 1)
    log.add({ say, group: 'fills' })
    expect(texts()).toEqual(['1 fills', 'other', '2 fills'])
    expect(log.log.value.length).toBe(3)
  })

  test('leave the view and stay in the log: answers first, then other events; a problem stays until it is dismissed', () => {
    const { log, pass, texts } = noticeLog()
    log.add({ say: () => 'placed' })
    log.add({ say: () => 'filled', isNews: true })
    log.add({ say: () => 'refused', isProblem: true })
    pass(ANSWER_MS)
    expect(texts()).toEqual(['refused', 'filled'])
    pass(NEWS_MS - ANSWER_MS)
    expect(texts()).toEqual(['refused'])
    pass(1_000_000)
    log.dismiss(log.shown.value[0]?.id ?? 0)
    expect([texts(), log.log.value.length]).toEqual([[], 3])
  })

  test('stay in view while they are held, and a moment longer', () => {
    const { log, pass, texts } = noticeLog()
    log.add({ say: () => 'placed' })
    log.hold(true)
    pass(1_000_000)
    expect(texts()).toEqual(['placed'])
    log.hold(false)
    pass(RELEASED_MS - 1)
    log.hold(true)
    pass(1_000_000)
    expect(texts()).toEqual(['placed'])
    log.hold(false)
    pass(RELEASED_MS)
    expect(texts()).toEqual([])
  })

  test('are announced once: an answer at once, a burst of fills after it', () => {
    const { log, pass, spoken } = noticeLog()
    log.add({ say: () => 'placed' })
    expect(spoken()).toEqual(['placed'])
    for (let count = 0; count < 200; count++) {
      log.add({ say: (trades) => `${trades} trades`, isNews: true, group: 'fills' })
      pass(SETTLE_MS / 250)
    }
    expect(spoken()).toEqual(['placed'])
    pass(SETTLE_MS)
    log.add({ say: (trades) => `${trades} trades`, isNews: true, group: 'fills' })
    pass(SETTLE_MS)
    expect(spoken()).toEqual(['placed', '200 trades'])
  })

  test('are all removed with their account: from the view, from the log, from the screen reader’s text, and from their groups', () => {
    const { log, texts, spoken } = noticeLog()
    const say = (count: number) => `${count} fills`
    log.add({ say, group: 'fills' })
    log.reset()
    expect([texts(), log.log.value, spoken()]).toEqual([[], [], []])
    log.add({ say, group: 'fills' })
    expect(texts()).toEqual(['1 fills'])
  })
})
