import { expect, test } from 'bun:test'
import { getPriority, release } from 'node:os'
import { askForShortSlices } from './short-slices.ts'
import { sliceNs } from './slice-length.fixture.ts'

const SHORT_NS = 100_000

const [major = 0, minor = 0] = release().split('.').map(Number)
/** Whether threads of this system may have slices of their own. */
const hasSlices = process.platform === 'linux' && (major > 6 || (major === 6 && minor >= 12))

test('a thread that asks for short slices has them where the system supports them, and keeps its priority', () => {
  const priority = getPriority()
  expect(askForShortSlices()).toBe(hasSlices)
  // Not every system reports the length of its slices; the requested length can be read back in any case.
  const isShort = (sliceNs() ?? SHORT_NS) === SHORT_NS
  expect([isShort || !hasSlices, getPriority()]).toEqual([true, priority])
  expect(askForShortSlices()).toBe(hasSlices)
})

test("a process that a thread with short slices starts has the system's default", async () => {
  askForShortSlices()
  const worker = new Worker(new URL('./short-slices.fixture.ts', import.meta.url).href)
  const started = await new Promise<number | undefined>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<number | undefined>) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
  })
  worker.terminate()
  expect(started).not.toBe(SHORT_NS)
})
