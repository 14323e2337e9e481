/** Slips in the leadership of a cluster's journal, and in the rules for its validity. */
import type { Slip } from '../slips.ts'

export const LEADERSHIP: readonly Slip[] = [
  {
    wrong: 'a claim is taken for the lead before it is confirmed',
    file: 'src/engine/leadership/claim.ts',
    before: '      await requireConfirmed(table, claim)\n',
    after: '',
  },
  {
    wrong: 'a claimant goes on after another’s claim as if it were a batch',
    file: 'src/engine/leadership/claim.ts',
    before: '    if (stored.epoch > known.epoch) throw lostTo(stored)\n',
    after: '',
  },
  {
    wrong: 'a batch that is not the one in doubt settles the doubt',
    file: 'src/engine/leadership/claim.ts',
    before: 'if (expected !== undefined && !sameBytes(stored.hash, expected.hash)) {',
    after: 'if (expected !== undefined && stored.position < expected.position) {',
  },
  {
    wrong: 'a leader that is heard of is deposed',
    file: 'src/engine/leadership/claim.ts',
    before: 'if (heardMsAgo === undefined || heardMsAgo >= silenceMs) return',
    after: 'if (heardMsAgo === undefined || heardMsAgo >= 0) return',
  },
  {
    wrong: 'another batch is taken for the one that is remembered',
    file: 'src/engine/leadership/claim.ts',
    before: 'return sameBytes(stored.hash, remembered.hash) ? undefined',
    after: 'return stored.hash.length === remembered.hash.length ? undefined',
  },
  {
    wrong: 'a batch counts as soon as its commit is answered',
    file: 'src/engine/leadership/claimed-journal.ts',
    before: '        await this.#requireConfirmed(batch, what, insertion.notices[0])\n',
    after: '',
  },
  {
    wrong: 'a batch in doubt is forgotten',
    file: 'src/engine/leadership/claimed-journal.ts',
    before: '    this.#doubt = { before: this.#tail, batch }\n',
    after: '',
  },
  {
    wrong: 'a doubt is settled in a database that was rolled back',
    file: 'src/engine/leadership/claimed-journal.ts',
    before: '      await requireRemembered(table, before)\n',
    after: '',
  },
  {
    wrong: 'a leader that is deposed does not hear it from its heartbeat',
    file: 'src/engine/leadership/claimed-journal.ts',
    before: 'if (!beat.isMine) throw this.#fail(',
    after: 'if (!beat.isMine && beat.notices.length > 0) throw this.#fail(',
  },
  {
    wrong: 'a leader is heard of once',
    file: 'src/engine/leadership/claimed-journal.ts',
    before: 'if (!this.#isClosing) this.#beatLater()',
    after: 'if (this.#isClosing) this.#beatLater()',
  },
  {
    wrong: 'the lead is confirmed by a heartbeat of which the database says that it may not be replicated',
    file: 'src/engine/leadership/claimed-journal.ts',
    before: 'await this.#heartbeat((notices) => notices[0])',
    after: 'await this.#heartbeat(() => undefined)',
  },
  {
    wrong: 'a deposed leader is followed by an engine that has been further',
    file: 'src/engine/leadership/cluster-engine.ts',
    before: 'if (epoch < this.#replica.remembered.epoch) return',
    after: 'if (epoch < this.#replica.tail.epoch) return',
  },
  {
    wrong: 'an engine forgets for what it halted',
    file: 'src/engine/leadership/cluster-engine.ts',
    before: 'if (told !== own) this.#options.witness.reset(told)',
    after: 'if (told === own) this.#options.witness.reset(told)',
  },
  {
    wrong: 'an engine claims without what others remember',
    file: 'src/engine/leadership/leader-discovery.ts',
    before: '        presented: presented(),\n',
    after: '',
  },
  {
    wrong: 'an engine that halts leaves others to their silence',
    file: 'src/engine/leadership/claimed-journal.ts',
    before:
      '    await this.#turn\n    await this.#table.resign(this.#epoch).catch(() => {})\n    await this.#table.close()\n',
    after: '    await this.#turn\n    await this.#table.close()\n',
  },
  {
    wrong: 'a standby that is stopped leaves no snapshot',
    file: 'src/engine/leadership/cluster-engine.ts',
    before: 'if (tail.seq <= (newest?.seq ?? 0)) return undefined',
    after: 'if (tail.seq >= (newest?.seq ?? 0)) return undefined',
  },
  {
    wrong: 'a command that breaks the machine is witnessed as if it had been applied',
    file: 'src/engine/writer/engine.ts',
    before: '      throw cause\n    }\n    return batch\n',
    after: '      throw cause\n    }\n    this.#parts.witness.record(endOf(batch))\n    return batch\n',
  },
  {
    wrong: 'a place of nobody says which journal ends an engine',
    file: 'src/engine/leadership/presented.ts',
    before: '    if (place.journal === undefined) return { problem, fault: undefined }\n',
    after: '',
  },
  {
    wrong: 'an epoch of nobody says which journal deposes a leader',
    file: 'src/engine/leadership/cluster-engine.ts',
    before: 'if (journal !== undefined) lead.journal.depose(why)',
    after: 'lead.journal.depose(why)',
  },
  {
    wrong: 'a place of another journal keeps an engine from the lead',
    file: 'src/engine/leadership/claim.ts',
    before: 'if (first !== undefined && presented.journal !== journalName(first.hash)) return',
    after: 'if (first === undefined) return',
  },
  {
    wrong: 'an engine does not keep of which journal it is',
    file: 'src/engine/leadership/cluster-engine.ts',
    before: '    this.#options.knownJournal.write(journal)\n',
    after: '',
  },
  {
    wrong: 'an engine goes on remembering a place of another journal',
    file: 'src/engine/leadership/cluster-engine.ts',
    before: '    this.#presented.forgetOthers(journal)\n',
    after: '',
  },
]
