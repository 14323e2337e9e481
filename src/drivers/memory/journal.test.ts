import { journalContract } from '../../engine/journal.contract.ts'
import { MemoryJournal } from './journal.ts'

journalContract('a journal in memory', async () => new MemoryJournal())
