import { expect, test } from 'bun:test'
import { cpuSeconds, memoryReader, processUse } from './process-use.ts'

const outOf = (code: string): Error => Object.assign(new Error(`${code}: too many open files`), { code })

test.each(['EMFILE', 'ENFILE'])(
  'the last memory reading is kept while %s says that no file can be opened',
  (code) => {
    const answers = [outOf(code), { residentBytes: 5, heapBytes: 3 }, outOf(code)]
    const read = memoryReader(() => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer ?? { residentBytes: 0, heapBytes: 0 }
    })
    expect(read()).toEqual({ residentBytes: 0, heapBytes: 0 })
    expect(read()).toEqual({ residentBytes: 5, heapBytes: 3 })
    expect(read()).toEqual({ residentBytes: 5, heapBytes: 3 })
  },
)

test('reading the memory of a process fails on every other error', () => {
  const fault = outOf('EACCES')
  const read = memoryReader(() => {
    throw fault
  })
  expect(read).toThrow(fault)
})

test('a process reports its use of the machine', () => {
  expect(processUse().residentBytes).toBeGreaterThan(0)
  expect(cpuSeconds()).toBeGreaterThan(0)
})
