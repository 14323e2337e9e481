import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MemoryJournal, MemoryPlace } from '../../../sim/memory/journal.ts'
import { fill, journalContract } from '../port/journal.contract.ts'
import { JournalFault } from '../port/journal.ts'
import { Histogram } from './histogram.ts'
import { MeteredJournal } from './metered-journal.ts'
import { EngineMeter, FollowerMeter, METER_BYTES } from './meters.ts'

journalContract('a metered journal', () => {
  const place = new MemoryPlace()
  return {
    open: async () => new MeteredJournal(place.open(), new EngineMeter(), () => 0),
    endProcess: async () => place.release(),
  }
})

describe('histogram', () => {
  test('each value counts at its bound and every higher one, and in the sum', () => {
    const bounds = [1, 5, 10]
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (values) => {
        const histogram = new Histogram(bounds)
        for (const value of values) histogram.add(value)
        const expected = bounds.map((bound) => values.filter((value) => value <= bound).length)
        expect(histogram.cumulative()).toEqual([...expected, values.length])
        expect(histogram.sum).toBe(values.reduce((sum, value) => sum + value, 0))
      }),
    )
  })
})

describe('meters', () => {
  test('what one thread writes another reads from the same memory, each number in its own place', () => {
    const memory = new SharedArrayBuffer(METER_BYTES)
    const [writer, reader] = [new EngineMeter(memory), new EngineMeter(memory)]
    writer.batchCommands.add(3)
    writer.commitSeconds.add(0.25)
    writer.commandBytes.add(40)
    writer.storageFull.add(1)
    writer.loop.lagSeconds.add(0.5)
    writer.loop.lastTurnMs.set(9)
    expect([
      reader.batchCommands.sum,
      reader.commitSeconds.sum,
      reader.commandBytes.value,
      reader.storageFull.value,
      reader.loop.lagSeconds.sum,
      reader.loop.lastTurnMs.value,
    ]).toEqual([3, 0.25, 40, 1, 0.5, 9])
    const shared = new SharedArrayBuffer(METER_BYTES)
    new FollowerMeter(shared).seq.set(7)
    expect(new FollowerMeter(shared).seq.value).toBe(7)
  })

  test('a commit is measured with what it made durable, and one without space is counted separately', async () => {
    const meter = new EngineMeter()
    let now = 0
    const journal = new MemoryJournal()
    const metered = new MeteredJournal(journal, meter, () => (now += 100))
    await fill(metered, [2, 5], 60)
    const append = journal.append.bind(journal)
    journal.append = () => Promise.reject(new JournalFault('STORAGE_FULL', 'no room'))
    await expect(fill(metered, [1])).rejects.toThrow('no room')
    journal.append = append
    expect([meter.batchCommands.sum, meter.commandBytes.value, meter.storageFull.value]).toEqual([7, 120, 1])
    expect(meter.commitSeconds.sum).toBeCloseTo(0.2)
  })
})
