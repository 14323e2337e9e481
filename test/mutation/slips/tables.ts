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
  {
    wrong: 'a node that has just begun counting nonces is given up',
    file: 'src/client/http/caller.ts',
    before: "  'NONCES_UNKNOWN',\n",
    after: '',
    tests: ['src/client/client.test.ts'],
  },
  {
    wrong: 'an address with answers under way is given up',
    file: 'src/client/http/caller.ts',
    before: "  'ANSWERS_UNDER_WAY',\n",
    after: '',
    tests: ['src/client/client.test.ts'],
  },
  {
    wrong: 'a full disk is asked again until patience is over',
    file: 'src/client/http/caller.ts',
    before: "  'NO_LEADER',\n",
    after: "  'NO_LEADER',\n  'STORAGE_FULL',\n",
    tests: ['src/client/client.test.ts'],
  },
  {
    wrong: 'a name that was not resolved may have carried an order',
    file: 'src/client/http/attempt.ts',
    before: ", 'EAI_AGAIN'",
    after: '',
    tests: ['src/client/client.test.ts'],
  },
  {
    wrong: 'a countdown goes over HTTP beside the stream',
    file: 'src/client/stream/stream-orders.ts',
    before: "  [ENDPOINTS.countdown, 'order.countdownCancelAll'],\n",
    after: '',
    tests: ['src/client/stream/routed-sender.test.ts'],
  },
  {
    wrong: 'a batch that is to end with its connection is placed over HTTP',
    file: 'src/client/stream/routed-sender.ts',
    before: '[ENDPOINTS.newOrder, ENDPOINTS.replaceOrder, ENDPOINTS.orderBatch]',
    after: '[ENDPOINTS.newOrder, ENDPOINTS.replaceOrder]',
    tests: ['src/client/stream/routed-sender.test.ts'],
  },
]
