import { describe, expect, test } from 'bun:test'
import { Pointer } from './pointer.ts'

/** A page whose timers are run by the test. */
function pressed() {
  const page = new EventTarget()
  const timers: { readonly then: () => void; readonly ms: number }[] = []
  const pointer = new Pointer(page, (then, ms) => timers.push({ then, ms }))
  const moment = async (promise: Promise<void>) => {
    let isOver = false
    void promise.then(() => {
      isOver = true
    })
    await Promise.resolve()
    await Promise.resolve()
    return isOver
  }
  return {
    is: (kind: string) => page.dispatchEvent(new Event(kind)),
    isOver: () => moment(pointer.untilReleased()),
    waiting: () => pointer.untilReleased(),
    moment,
    pass: (ms: number) => {
      for (const timer of timers.splice(0)) {
        if (timer.ms <= ms) timer.then()
        else timers.push(timer)
      }
    },
  }
}

describe('a pointer', () => {
  test('that is not pressed delays nothing', async () => {
    const { isOver, is } = pressed()
    expect(await isOver()).toBe(true)
    is('pointerup')
    expect(await isOver()).toBe(true)
  })

  test('that is pressed delays updates until after its release, whose click comes first', async () => {
    for (const end of ['pointerup', 'pointercancel']) {
      const { is, waiting, moment, pass } = pressed()
      is('pointerdown')
      const wait = waiting()
      expect(await moment(wait)).toBe(false)
      is(end)
      expect(await moment(wait)).toBe(false)
      pass(0)
      expect([end, await moment(wait)]).toEqual([end, true])
    }
  })

  test('whose release is never reported delays nothing for longer than five seconds', async () => {
    const { is, isOver, pass } = pressed()
    is('pointerdown')
    pass(4_999)
    expect(await isOver()).toBe(false)
    pass(5_000)
    expect(await isOver()).toBe(true)
  })

  test('that is pressed again is not released by events of its press before', async () => {
    const { is, isOver, pass } = pressed()
    is('pointerdown')
    is('pointerup')
    is('pointerdown')
    pass(0)
    expect(await isOver()).toBe(false)
    is('pointerup')
    pass(0)
    expect(await isOver()).toBe(true)
  })
})
