/** Slips in deliveries to operators' addresses. */
import type { Slip } from '../slips.ts'

const DELIVER = 'src/server/admin/webhooks/deliver.ts'
const SENDER = 'src/server/admin/webhooks/sender.ts'

export const WEBHOOK_SLIPS: readonly Slip[] = [
  {
    wrong: 'a name of which one address is public leads to those that are not',
    file: DELIVER,
    before: 'found.every(isPublicAddress)',
    after: 'found.some(isPublicAddress)',
  },
  {
    wrong: 'a redirect counts as taken',
    file: DELIVER,
    before: 'status <= 299',
    after: 'status <= 399',
  },
  {
    wrong: 'an event is tried once more than is said before it is given up',
    file: SENDER,
    before: 'this.#attempts >= this.#limits.attemptsMax',
    after: 'this.#attempts > this.#limits.attemptsMax',
  },
  {
    wrong: 'the next event does not wait until the one before is taken',
    file: SENDER,
    before: "    if (outcome.kind === 'DELIVERED') {\n      this.#passed(event)",
    after: "    if (outcome.kind !== 'TOO_LONG') {\n      this.#passed(event)",
  },
  {
    wrong: 'a webhook of another journal does not say so',
    file: SENDER,
    before: "error.error.reason === 'OTHER_JOURNAL'",
    after: "error.error.reason === 'INVALID_TOKEN'",
  },
  {
    wrong: 'a signature is made without the secret',
    file: 'src/server/admin/webhooks/signature.ts',
    before: "createHmac('sha256', secret)",
    after: "createHmac('sha256', secret.slice(0, 0))",
  },
  {
    wrong: 'a trace of a change that says too much is taken',
    file: 'src/core/operators/safety.ts',
    before: 'isText(subject) && isText(change)',
    after: 'isText(subject) || isText(change)',
  },
]
