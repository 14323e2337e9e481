/** Slips in the codecs that are written by hand: bits before the fields, and parts that depend on others. */
import type { Slip } from '../slips.ts'

const ASKED = 'src/core/ledger/asked-terms.ts'
const HANDLING = 'src/core/records/handling-codec.ts'
const RIGHTS = 'src/core/records/rights-codec.ts'
const VIEW = 'src/core/questions/view-codec.ts'
const LIST = 'src/core/commands/place-list-codec.ts'
const UPDATES = 'src/engine/history/update-codec.ts'
const CORPUS = ['test/corpus/corpus.test.ts']
const IMPOSSIBLE = ['src/core/records/impossible-records.test.ts']
const COMMANDS = ['src/core/commands/command-codec.test.ts']

export const CODEC_SLIPS: readonly Slip[] = [
  {
    wrong: 'the claim of a withdrawal that its trader asked for is lost',
    file: ASKED,
    before: '(claimedAt === undefined ? 0 : IS_CLAIMED)',
    after: '(claimedAt === undefined ? 0 : HAS_OWN_ID)',
    tests: CORPUS,
  },
  {
    wrong: 'a canceled withdrawal is read as one whose money has left',
    file: ASKED,
    before: 'readEnd(r, (has & IS_CANCELED) !== 0)',
    after: 'readEnd(r, (has & IS_CANCELED) === 0)',
    tests: CORPUS,
  },
  {
    wrong: 'a withdrawal may be canceled before it has ended',
    file: ASKED,
    before: 'has <= HAS_ALL && ((has & IS_CANCELED) === 0 || end !== undefined)',
    after: 'has <= HAS_ALL',
    tests: IMPOSSIBLE,
  },
  {
    wrong: 'the approvers of a claim are lost',
    file: HANDLING,
    before: 'writeList(w, approvedBy, (w, actor)',
    after: 'writeList(w, approvedBy.slice(1), (w, actor)',
    tests: CORPUS,
  },
  {
    wrong: 'a claim that says nothing has a form',
    file: HANDLING,
    before: 'has === 0 || has > HAS_ALL',
    after: 'has > HAS_ALL',
    tests: IMPOSSIBLE,
  },
  {
    wrong: 'the reason of a refusal that waits for a second person is lost',
    file: 'src/core/records/back-office-codec.ts',
    before: "w.text(approval.reason ?? '')",
    after: "w.text('')",
    tests: CORPUS,
  },
  {
    wrong: 'a token never expires after a restart',
    file: RIGHTS,
    before: 'w.uint(expiresAt ?? 0)',
    after: 'w.uint(0)',
    tests: CORPUS,
  },
  {
    wrong: 'a snapshot may have a person approve twice',
    file: RIGHTS,
    before: '    new Set(approvedBy).size === approvedBy.length &&\n',
    after: '',
    tests: IMPOSSIBLE,
  },
  {
    wrong: 'a read model does not get the claims of withdrawals',
    file: VIEW,
    before: 'if (backOffice?.handlings !== undefined) writeList(w, backOffice.handlings, writeHandling)',
    after: 'if (backOffice?.handlings !== undefined) writeList(w, [], writeHandling)',
    tests: CORPUS,
  },
  {
    wrong: 'an order of a list has its stop price as its price in the journal',
    file: LIST,
    before: 'if (leg.stopPrice !== undefined) w.uint(leg.stopPrice)',
    after: 'if (leg.stopPrice !== undefined) w.uint(leg.price ?? leg.stopPrice)',
    tests: COMMANDS,
  },
  {
    wrong: 'an order of a list loses the distance at which it follows the price',
    file: LIST,
    before: 'presence & HAS_TRAILING_DELTA ? { ...leg',
    after: 'presence & HAS_TRAILING_DELTA && leg.price === undefined ? { ...leg',
    tests: COMMANDS,
  },
  {
    wrong: 'frozen money and savings change places on the private feed',
    file: UPDATES,
    before: '    w.whole(freeze)\n    w.whole(savings)',
    after: '    w.whole(savings)\n    w.whole(freeze)',
    tests: ['src/engine/history'],
  },
  {
    wrong: 'an order that was only placed reaches the private feed as one that has ended',
    file: UPDATES,
    before: 'this.#named(orderNumber, PLACED)',
    after: 'this.#named(orderNumber, ENDED)',
    tests: ['src/engine/history'],
  },
]
