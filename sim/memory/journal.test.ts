import { journalContract } from '../../src/engine/port/journal.contract.ts'
import { MemoryPlace } from './journal.ts'

journalContract('a journal in memory', () => {
  const place = new MemoryPlace()
  return { open: async () => place.open(), endProcess: async () => place.release() }
})
