import { expect, test } from 'bun:test'
import { HangWatch, HUNG_MS } from './hang-watch.ts'

/** A watch whose checks a test triggers. */
function watch() {
  const hung: string[] = []
  const clock = { now: 0 }
  let due = (): void => {}
  const looks = new HangWatch({
    onHung: (gateway) => hung.push(gateway),
    scheduler: {
      later: (task) => {
        due = task
        return () => {
          due = () => {}
        }
      },
    },
    now: () => clock.now,
  })
  const pass = (ms: number, everyMs = 1_000): void => {
    for (let passed = 0; passed < ms; passed += everyMs) {
      clock.now += everyMs
      due()
    }
  }
  return { looks, hung, pass }
}

test('a gateway that has been silent for a while is reported once as hanging, and one that speaks is not', () => {
  const { looks, hung, pass } = watch()
  looks.serves('gateway-1')
  looks.serves('gateway-2')
  for (let passed = 0; passed < HUNG_MS; passed += 1_000) {
    pass(1_000)
    looks.heard('gateway-2')
  }
  expect(hung).toEqual([])
  pass(1_000)
  looks.heard('gateway-2')
  pass(5_000)
  expect(hung).toEqual(['gateway-1'])
})

test('a gateway is not blamed for a time in which the main process itself was stalled', () => {
  const { looks, hung, pass } = watch()
  looks.serves('gateway-1')
  pass(60_000, 60_000)
  expect(hung).toEqual([])
  pass(HUNG_MS)
  expect(hung).toEqual([])
  pass(1_000)
  expect(hung).toEqual(['gateway-1'])
})

test('a gateway is not watched before it serves clients, after it has ended, or after a stop', () => {
  const { looks, hung, pass } = watch()
  looks.serves('gateway-1')
  looks.serves('gateway-2')
  looks.heard('gateway-3')
  pass(2_000)
  looks.gone('gateway-1')
  looks.stop()
  pass(2 * HUNG_MS)
  expect(hung).toEqual([])
})
