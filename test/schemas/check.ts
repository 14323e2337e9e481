/**
 * `npm run schemas:check`: sends random requests to a sandbox, and checks each of its answers and messages
 * against docs/api.
 */
import { readProgram } from '../../tools/lib/program.mjs'
import { startSandbox } from '../acceptance/support/node-process.ts'
import { record } from './recorder.ts'

const { values } = readProgram({
  command: 'npm run schemas:check --',
  about:
    'Holds the answers and messages of a real sandbox to docs/api, under requests made at random, good and bad.',
  options: {
    answers: { kind: 'whole', default: 10_000, help: 'how many answers over HTTP' },
    seed: { kind: 'whole', default: Date.now() % 2 ** 31, help: 'of the requests' },
  },
})
const { answers, seed } = values as { answers: number; seed: number }
const node = await startSandbox()
const { url, streamUrl, alice, bob } = node
const recorded = await record({ url, streamUrl, alice, bob, answers, seed })
await node.stop()
const rows = [...recorded.counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
for (const [kind, count] of rows) process.stdout.write(`${String(count).padStart(8)}  ${kind}\n`)
for (const fault of recorded.faults) process.stdout.write(`FAULT ${fault}\n`)
if (recorded.unanswered.length > 0) {
  process.stdout.write(`never with success: ${recorded.unanswered.join(', ')}\n`)
}
process.stdout.write(
  `${recorded.answers} answers and ${recorded.messages} messages, ${recorded.faults.length} faults (--seed ${seed})\n`,
)
process.exit(recorded.faults.length === 0 ? 0 : 1)
