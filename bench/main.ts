/** `npm run bench -- <question> [options]`: one program per question; without a question, all of them. */
import { helpOf, notUnderstood, orExit, parseProgram } from '../tools/lib/program.mjs'
import * as against from './against.ts'
import * as archive from './archive.ts'
import * as binance from './binance.ts'
import * as book from './book.ts'
import * as clientOrderIds from './client-order-ids.ts'
import * as cluster from './cluster.ts'
import * as core from './core.ts'
import * as customers from './customers.ts'
import * as engineBenchmark from './engine-benchmark.ts'
import * as gateways from './gateways.ts'
import * as history from './history.ts'
import * as memory from './memory.ts'
import * as orderEntry from './order-entry.ts'
import * as orderToAck from './order-to-ack.ts'
import * as page from './page.ts'
import * as plainSql from './plain-sql.ts'
import * as recovery from './recovery.ts'
import * as start from './start.ts'
import * as stream from './stream.ts'
import * as trailing from './trailing.ts'
import * as triggers from './triggers.ts'

const COMMAND = 'npm run bench --'
const QUESTIONS = {
  against,
  archive,
  binance,
  book,
  'client-order-ids': clientOrderIds,
  cluster,
  core,
  customers,
  'engine-benchmark': engineBenchmark,
  gateways,
  history,
  memory,
  'order-entry': orderEntry,
  'order-to-ack': orderToAck,
  page,
  'plain-sql': plainSql,
  recovery,
  start,
  stream,
  trailing,
  triggers,
}
type Question = keyof typeof QUESTIONS

const [question, ...options] = Bun.argv.slice(2)
const known = Object.keys(QUESTIONS) as Question[]
if (question === '--help') {
  const about = known.map((name) => `  ${name.padEnd(18)}${QUESTIONS[name].PROGRAM.about}`).join('\n')
  console.log(`Benchmarks, one program per question; without a question, all of them.

Usage: ${COMMAND} [question] [options]

Questions, each of which has options (${COMMAND} <question> --help):
${about}`)
} else if (question === undefined) {
  for (const name of known.filter((each) => each !== 'against')) await ask(name)
} else if (isQuestion(question)) {
  const { PROGRAM } = QUESTIONS[question]
  if (options.includes('--help')) console.log(helpOf(PROGRAM))
  else {
    orExit(PROGRAM.command, () => parseProgram(PROGRAM, options))
    await ask(question)
  }
} else notUnderstood(COMMAND, `expected one of ${known.join(', ')}, found ${question}`)

async function ask(name: Question): Promise<void> {
  console.log(`== ${name}`)
  await QUESTIONS[name].run(options)
}

function isQuestion(name: string): name is Question {
  return Object.hasOwn(QUESTIONS, name)
}
