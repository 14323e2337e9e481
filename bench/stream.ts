/**
 * What does the stream cost, how soon does it tell, and does it grow with what it has to tell? Fan-out through both transports
 * beside bare publishing; from an order's acknowledgement to the news of it at a thousand readers, with and without some
 * that do not read; a join on books of growing size. Subscribers are processes of their own on the same machine.
 */
import { parseArgs } from 'node:util'
import { fanOut } from './stream-fan-out.ts'
import { joins } from './stream-join.ts'
import { news } from './stream-news.ts'
import { machine, numbers } from './support/conditions.ts'

/**
 * `--subscribers` of the fan-out (a list), `--rounds` counted after one to warm up, `--batches` of each; `--readers` of
 * the news, `--rate` of orders per second, for `--seconds`; `--levels` of the joins (a list). An empty list leaves a part
 * out. Answers what was told, as digests.
 */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      subscribers: { type: 'string', default: '1000,10000' },
      rounds: { type: 'string', default: '5' },
      batches: { type: 'string', default: '60' },
      readers: { type: 'string', default: '1000' },
      rate: { type: 'string', default: '2000' },
      seconds: { type: 'string', default: '3' },
      levels: { type: 'string', default: '1000,10000,100000' },
    },
  })
  const [rounds, batches] = [Number(values.rounds), Number(values.batches)]
  console.log(machine())
  const digests = await fanOut({ subscribers: numbers(values.subscribers), rounds, batches })
  digests.push(...joins(numbers(values.levels)))
  for (const readers of numbers(values.readers)) {
    await news({ readers, ratePerSecond: Number(values.rate), seconds: Number(values.seconds) })
  }
  for (const digest of digests) console.log(digest)
  return digests
}
