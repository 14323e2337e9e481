import { describe, expect, test } from 'bun:test'
import { GROUP_MS, LOG_MAX, NoticeLog, SHOWN_MAX, SHOWN_MS } from './notice-log.ts'

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
  return { log, pass, texts }
}

describe('notices', () => {
  test('are few in sight and bounded in the log, newest first', () => {
    const { log, texts } = noticeLog()
    for (let count = 0; count < LOG_MAX + 10; count++) log.add({ say: () => String(count) })
    expect(texts()).toEqual(['109', '108', '107', '106'])
    expect(texts().length).toBe(SHOWN_MAX)
    expect([log.log.value.length, log.log.value[0]?.say()]).toEqual([LOG_MAX, '109'])
  })

  test('of one kind within a moment are one notice', () => {
    const { log, pass, texts } = noticeLog()
    log.add({ say: () => '1 fill', group: 'fills' })
    log.add({ say: () => 'other' })
    pass(GROUP_MS)
    log.add({ say: () => '2 fills', group: 'fills' })
    expect(texts()).toEqual(['other', '2 fills'])
    pass(GROUP_MS + 1)
    log.add({ say: () => '1 fill again', group: 'fills' })
    expect(texts()).toEqual(['1 fill again', 'other', '2 fills'])
    expect(log.log.value.length).toBe(3)
  })

  test('go out of sight after a while and stay in the log; a problem stays until it is dismissed', () => {
    const { log, pass, texts } = noticeLog()
    log.add({ say: () => 'placed' })
    log.add({ say: () => 'refused', isProblem: true })
    pass(SHOWN_MS)
    expect(texts()).toEqual(['refused'])
    log.dismiss(log.shown.value[0]?.id ?? 0)
    expect([texts(), log.log.value.length]).toEqual([[], 2])
  })
})
