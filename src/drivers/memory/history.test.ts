import { historyStoreContract } from '../../engine/history.contract.ts'
import { MemoryHistory } from './history.ts'

historyStoreContract('memory', async () => new MemoryHistory())
