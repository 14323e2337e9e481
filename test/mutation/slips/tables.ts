/** Slips along a pattern: an entry that a table lacks, or has too much, beside which a test had a list of its own. */
import type { Slip } from '../slips.ts'

export const TABLE_SLIPS: readonly Slip[] = [
  {
    wrong: "money that leaves savings is not in an account's story",
    file: 'src/gateway/admin/support/story.ts',
    before: "  'SAVINGS_WITHDRAWAL',\n",
    after: '',
    tests: ['src/gateway/admin/support/story.test.ts'],
  },
  {
    wrong: "money that operators move between buckets is not in an account's story",
    file: 'src/gateway/admin/support/story.ts',
    before: "  'BALANCE_MOVED',\n",
    after: '',
    tests: ['src/gateway/admin/support/story.test.ts'],
  },
]
