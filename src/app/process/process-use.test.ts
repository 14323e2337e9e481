import { expect, test } from 'bun:test'
import { cpuSeconds, memoryReader, processUse } from './process-use.ts'

const outOf = (code: string): Error => Object.assign(new Error(`${code}: too many open files`), { code })

test.each(['EMFILE', 'ENFILE'])(
  'the memory read last stands while %s says that no file can be opened',
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

test('the memory of a process fails with anything else that cannot be read', () => {
  const fault = outOf('EACCES')
  const read = memoryReader(() => {
    throw fault
  })
  expect(read).toThrow(fault)
})

test('a process says what it takes of the machine', () => {
  expect(processUse().residentBytes).toBeGreaterThan(0)
  expect(cpuSeconds()).toBeGreaterThan(0)
})
