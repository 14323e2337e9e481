/** Slips in journal, witness, recovery, snapshots and history. */
import type { Slip } from '../slips.ts'

export const DURABILITY: readonly Slip[] = [
  {
    wrong: 'the last batch is not replayed',
    file: 'src/engine/verified-batches.ts',
    before: '    yield { batches, tail }',
    after: '    yield { batches: tail.seq === end ? batches.slice(0, -1) : batches, tail }',
  },
  {
    wrong: 'a batch is replayed that the snapshot holds',
    file: 'src/engine/replay.ts',
    before: 'let i = machine.seq + 1 - batch.firstSeq',
    after: 'let i = machine.seq - batch.firstSeq',
  },
  {
    wrong: 'a gap in the sequence is accepted',
    file: 'src/engine/journal.ts',
    before: 'batch.firstSeq !== tail.seq + 1 || batch.count < 1',
    after: 'batch.firstSeq <= tail.seq || batch.count < 1',
  },
  {
    wrong: 'a batch need not follow the one before',
    file: 'src/engine/journal.ts',
    before: 'if (!sameBytes(batch.previousHash, tail.hash))',
    after: 'if (batch.previousHash.length !== tail.hash.length)',
  },
  {
    wrong: "a batch's own hash is not compared",
    file: 'src/engine/journal.ts',
    before: 'if (!sameBytes(hash, batch.hash))',
    after: 'if (hash.length !== batch.hash.length)',
  },
  {
    wrong: 'only the first bytes of hashes are compared',
    file: 'src/units/same-bytes.ts',
    before: 'for (let i = 0; i < a.length; i++)',
    after: 'for (let i = 0; i < 8; i++)',
  },
  {
    wrong: "a batch's time is not hashed",
    file: 'src/engine/journal.ts',
    before: '  head.uint(batch.count)\n  head.uint(batch.time)',
    after: '  head.uint(batch.count)',
  },
  {
    wrong: 'the witness is not written after a commit',
    file: 'src/engine/engine.ts',
    before: '    this.#parts.witness.record({ seq: lastSeqOf(batch), hash: batch.hash })\n',
    after: '',
  },
  {
    wrong: 'the witness is written before the commit',
    file: 'src/engine/engine.ts',
    before: '    try {\n      await this.#parts.journal.append(batch)',
    after:
      '    try {\n      this.#parts.witness.record({ seq: lastSeqOf(batch), hash: batch.hash })\n      await this.#parts.journal.append(batch)',
  },
  {
    wrong: 'a journal that is shorter than its witness is accepted',
    file: 'src/engine/testimony.ts',
    before: 'if (mark.seq > tail.seq) return `',
    after: 'if (mark.seq > tail.seq) return undefined\n  if (mark.seq < 0) return `',
  },
  {
    wrong: 'a witness with another hash is believed',
    file: 'src/engine/testimony.ts',
    before: 'hash !== undefined && sameBytes(hash, mark.hash)',
    after: 'hash !== undefined',
  },
  {
    wrong: 'a missing witness is no problem',
    file: 'src/engine/testimony.ts',
    before: '} else if (journal.tail.seq > 0) {',
    after: '} else if (journal.tail.seq < 0) {',
  },
  {
    wrong: 'a snapshot is used that is past the place to start at',
    file: 'src/engine/replay-start.ts',
    before: 'head.seq <= position.seq ?',
    after: 'head.seq >= 0 ?',
  },
  {
    wrong: 'a snapshot of another command is used',
    file: 'src/engine/replay-start.ts',
    before: 'if (machine.seq === head.seq) return machine',
    after: 'return machine',
  },
  {
    wrong: 'two replays that differ are let go on',
    file: 'src/engine/follower/snapshot-keeper.ts',
    before: '} else if (sameBytes(ours.stateHash, theirs)) {',
    after: '} else if (ours.stateHash.length === theirs.length) {',
  },
  {
    wrong: 'a snapshot is made before the history is safe',
    file: 'src/engine/follower/snapshot-keeper.ts',
    before: '      await history.flush()\n',
    after: '',
  },
  {
    wrong: 'history takes the trades of a batch twice',
    file: 'src/engine/follower/follower.ts',
    before: 'if (this.#tail.seq > this.#history.seq) {',
    after: 'if (this.#tail.seq >= this.#history.seq) {',
  },
  {
    wrong: 'time runs backwards with the clock',
    file: 'src/engine/engine.ts',
    before: 'time: Math.max(this.#tail.time, this.#parts.clock()) as TimeMs',
    after: 'time: this.#parts.clock()',
  },
  {
    wrong: "a snapshot's payload is not compared with its hash",
    file: 'src/drivers/files/snapshots.ts',
    before: 'if (!sameBytes(this.#digest([payload]), parsed.head.stateHash))',
    after: 'if (parsed.head.stateHash.length !== this.#digest([payload]).length)',
  },
  {
    wrong: 'one witness slot alone is written',
    file: 'src/drivers/files/witness.ts',
    before:
      '      writeAll(this.#file(), this.#slotOf(mark), this.#nextSlot * SLOT_STRIDE_BYTES)\n      this.#nextSlot = this.#nextSlot === 0 ? 1 : 0\n',
    after: '      writeAll(this.#file(), this.#slotOf(mark), this.#nextSlot * SLOT_STRIDE_BYTES)\n',
  },
  {
    wrong: 'the older witness slot wins',
    file: 'src/drivers/files/witness.ts',
    before: '(second?.seq ?? -1) > (first?.seq ?? -1) ? 1 : 0',
    after: '(second?.seq ?? -1) < (first?.seq ?? -1) ? 1 : 0',
  },
  {
    wrong: 'history pages overlap by one',
    file: 'src/engine/history-pages.ts',
    before: 'first: Math.max(1, last - size + 1), last',
    after: 'first: Math.max(1, last - size), last',
  },
  {
    wrong: 'the second history page starts one too late',
    file: 'src/engine/history-pages.ts',
    before: 'const last = total - page * size',
    after: 'const last = total - page * size - (page > 0 ? 1 : 0)',
  },
  {
    wrong: '`before` includes the trade itself',
    file: 'src/engine/history-pages.ts',
    before: 'tradeNumberOf(middle) < before',
    after: 'tradeNumberOf(middle) <= before',
  },
  {
    wrong: "the buyer's commission is told in quote",
    file: 'src/engine/history.ts',
    before: "return side === 'BUY' ? symbol.base : symbol.quote",
    after: "return side === 'BUY' ? symbol.quote : symbol.base",
  },
  {
    wrong: 'the journal does not sync each commit',
    file: 'src/drivers/sqlite/journal-file.ts',
    before: 'PRAGMA synchronous = FULL',
    after: 'PRAGMA synchronous = OFF',
  },
  {
    wrong: 'commands that found no room are applied',
    file: 'src/engine/engine.ts',
    before: "cause.kind === 'STORAGE_FULL') return undefined",
    after: "cause.kind === 'STORAGE_FULL') return batch",
  },
  {
    wrong: 'a commit that failed is acknowledged',
    file: 'src/engine/engine.ts',
    before: '      throw cause\n    }\n    this.#parts.witness',
    after: '    }\n    this.#parts.witness',
  },
  {
    wrong: 'commands are answered that were never stored',
    file: 'src/engine/engine.ts',
    before: 'batch = await this.#store(this.#batchOf(commands))',
    after: 'batch = this.#batchOf(commands)',
  },
  {
    wrong: 'a quarantined command is applied by the replay',
    file: 'src/engine/replay.ts',
    before: 'if (quarantined.has(seq)) {',
    after: 'if (quarantined.has(seq) && seq < 0) {',
  },
  {
    wrong: 'a command that was applied once is quarantined',
    file: 'src/engine/recovery.ts',
    before: 'lastSeqOf(batch) !== journal.tail.seq',
    after: 'lastSeqOf(batch) > journal.tail.seq',
  },
  {
    wrong: 'a quarantine of another journal is believed',
    file: 'src/engine/recovery.ts',
    before: '!fits || !sameBytes(hashOfQuarantined(digest, batch.hash, seq), check)',
    after: '!fits',
  },
  {
    wrong: 'a start does not write the witness again',
    file: 'src/engine/recovery.ts',
    before: '      witness.reset(journal.tail)\n',
    after: '',
  },
  {
    wrong: 'an answer comes before the events that caused it',
    file: 'src/engine/client.ts',
    before: '  receive(output: EngineOutput): void {\n',
    after:
      '  receive(output: EngineOutput): void {\n    for (const answer of output.answers) this.#settle(answer)\n',
  },
]
