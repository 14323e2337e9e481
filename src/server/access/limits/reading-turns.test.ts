import { expect, test } from 'bun:test'
import { READING_TURNS, ReadingTurns, type ReadingTurnsConfig } from './reading-turns.ts'

/** Turns whose pauses end when the test ends them. */
function turns(config: Partial<ReadingTurnsConfig> = {}) {
  const pauses: { readonly end: () => void; readonly ms: number }[] = []
  const made = new ReadingTurns({
    ...READING_TURNS,
    now: () => 0,
    later: (end, ms) => pauses.push({ end, ms }),
    ...config,
  })
  const seen: string[] = []
  const read = (address: string, name: string) =>
    made.take(address, async () => {
      seen.push(name)
      return name
    })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const goOn = async (): Promise<void> => {
    await settled()
    pauses.shift()?.end()
    await settled()
  }
  return { made, seen, read, goOn, pauses, settled }
}

test('an address with many reads waits for itself: another address waits for one of them', async () => {
  const { seen, read, goOn, made } = turns()
  const answers = [read('a', 'a1'), read('a', 'a2'), read('a', 'a3'), read('b', 'b1'), read('c', 'c1')]
  expect([seen, made.waiting]).toEqual([['a1'], 4])
  for (let turn = 0; turn < 5; turn++) await goOn()
  expect(seen).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1'])
  expect(made.waiting).toBe(0)
})

test('one read is in progress at a time, and after it nothing is read for as long as it took, 50 ms at most', async () => {
  let time = 0
  const { made, pauses, settled, goOn } = turns({ now: () => time })
  let running = 0
  const take = (ms: number) =>
    made.take('a', async () => {
      expect(++running).toBe(1)
      await settled()
      time += ms
      running--
    })
  void take(7)
  void take(300)
  void take(1)
  await settled()
  await settled()
  expect(pauses.map(({ ms }) => ms)).toEqual([7])
  await goOn()
  await settled()
  expect(pauses.map(({ ms }) => ms)).toEqual([50])
})

test('a read beyond the limit of its address, or of all together, does not wait', async () => {
  const { read, made } = turns({ waitingPerAddressMax: 2, waitingMax: 3 })
  void read('a', 'a1')
  const [two, three, four] = [read('a', 'a2'), read('a', 'a3'), read('a', 'a4')]
  expect([two, three, four].map((each) => each !== undefined)).toEqual([true, true, false])
  expect(read('b', 'b1')).toBeDefined()
  expect(read('c', 'c1')).toBeUndefined()
  expect(made.waiting).toBe(3)
})

test('a failed read fails alone', async () => {
  const { made, goOn } = turns()
  const broken = made.take('a', () => Promise.reject(new Error('as the test wants it')))
  const next = made.take('a', () => Promise.resolve('read'))
  await expect(broken as Promise<never>).rejects.toThrow('as the test wants it')
  await goOn()
  expect(await next).toBe('read')
})

test('a read that throws before it begins counts as failed, and the next has its turn', async () => {
  const { made, goOn } = turns()
  const broken = made.take('a', () => {
    throw new Error('as the test wants it')
  })
  const next = made.take('a', () => Promise.resolve('read'))
  await expect(broken as Promise<never>).rejects.toThrow('as the test wants it')
  await goOn()
  expect(await next).toBe('read')
})

test('the addresses of a /48 of IPv6 share one turn and have sixteen times the places', async () => {
  const { read, goOn, made, seen } = turns({ waitingPerAddressMax: 2 })
  const at = (third: number, fourth: number) => `2001:db8:${third}:${fourth.toString(16)}::/64`
  const own = Array.from({ length: 50 }, (_, i) => read(at(1, i << 8), 'own'))
  // The first read starts at once, so it is not among the waiting ones.
  expect([own.filter((each) => each !== undefined).length, made.waiting]).toEqual([33, 32])
  const narrow = Array.from({ length: 10 }, (_, i) => read(at(2, i), 'narrow'))
  expect(narrow.filter((each) => each !== undefined)).toHaveLength(8)
  void read('192.0.2.1', 'another')
  for (let turn = 0; turn < 3; turn++) await goOn()
  expect(seen).toEqual(['own', 'own', 'narrow', 'another'])
})
