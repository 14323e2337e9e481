import { ClaimedJournal } from '../../src/engine/leadership/claimed-journal.ts'
import { journalContract } from '../../src/engine/port/journal.contract.ts'
import { CLAIM_NONCE_BYTES } from '../../src/engine/writer/own-batches.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { MemoryTablePlace } from './leadership-table.ts'

let nonces = 0

journalContract('a claimed journal on a table in memory', () => {
  const place = new MemoryTablePlace(() => 0)
  const open = () =>
    ClaimedJournal.open({
      openTable: () => place.open(),
      digest: sha256,
      scheduler: { later: () => () => {} },
      name: 'engine',
      nonce: () => new Uint8Array(CLAIM_NONCE_BYTES).fill(++nonces),
      silenceMs: 0,
      heartbeatMs: 1_000,
    })
  return { isClaimed: true, open, endProcess: async () => {} }
})
