/**
 * Does the trading page keep up? Runs a complete node with a book that changes 500 times a second, trades,
 * orders and fills of the page's key, and the figures of dozens of markets; the page runs in a real Chromium,
 * which is traced. Then measures how soon a page appears over a slow network. Node, load and browser share
 * the machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../test/browser/support/browser.ts'
import { untilStrictSignatures } from '../test/support/strict-signatures.ts'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { firstViews, NETWORK_NAMES } from './page-first-view.ts'
import { machine } from './support/conditions.ts'
import { PAGE_CASES, type PageCase } from './support/page-cases.ts'
import { PageLoad, SYMBOL } from './support/page-load.ts'
import { memoryTable } from './support/page-memory.ts'
import { startPageNode } from './support/page-node.ts'
import { costTable, frameTable, type Measured } from './support/page-table.ts'
import { PageWatch } from './support/page-watch.ts'

export const PROGRAM = {
  command: 'npm run bench -- page',
  about:
    'Whether the trading page keeps up with a busy market, by a trace of a real browser, and how soon it is there.',
  options: {
    changes: {
      kind: 'whole',
      default: 520,
      help: 'what happens in the book of the market looked at, a second',
    },
    markets: { kind: 'whole', default: 40, help: 'other markets, each traded once a second' },
    seconds: {
      kind: 'whole',
      default: 30,
      help: 'seconds traced of the first case, after a third as many to warm up',
    },
    'other-seconds': { kind: 'whole', default: 12, help: 'the same of each other case' },
    cases: {
      kind: 'text',
      default: PAGE_CASES.map(({ name }) => name).join(','),
      help: 'how the page is open',
    },
    steps: {
      kind: 'whole',
      default: 300,
      help: 'steps of the load whose outcome the page must show to the letter',
    },
    'first-views': {
      kind: 'whole',
      default: 3,
      help: 'times that the page is opened over a slow network; 0 leaves this part out',
    },
    minutes: {
      kind: 'whole',
      default: 0,
      help: 'of a page that is worked with, whose memory is looked at after each; 0 leaves this part out',
    },
    networks: { kind: 'text', default: NETWORK_NAMES.join(','), help: 'over which the page is opened' },
  },
} as const satisfies Program

const SEED = 14
/** Duration of the warm-up, as a fraction of the traced time. */
const WARM_UP_PART = 3

type Size = {
  readonly changes: number
  readonly seconds: number
}

/** Returns a digest of the page's content after the steps. */
export async function run(args: readonly string[]): Promise<string> {
  const { values } = parseProgram(PROGRAM, args)
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const [browser, node] = await Promise.all([
    launchBrowser({ isWhole: true }),
    startPageNode(directory, values.markets),
  ])
  const wanted = values.cases.split(',')
  try {
    await untilStrictSignatures(node.server.url, node.alice)
    const load = await PageLoad.open(node, SEED)
    const address = `${node.pageUrl}#${SYMBOL}`
    console.log(`${machine()}; Chromium ${browser.version()} without a GPU; ${values.markets} other markets`)
    const shown = await shownAfter(browser, address, load, values.steps)
    const measured: Measured[] = []
    for (const one of PAGE_CASES.filter(({ name }) => wanted.includes(name))) {
      const seconds = one === PAGE_CASES[0] ? values.seconds : values['other-seconds']
      measured.push(await measure(browser, address, load, one, { changes: values.changes, seconds }))
    }
    if (measured.length > 0) console.log(`${frameTable(measured)}\n\n${costTable(measured)}`)
    const { minutes, changes } = values
    if (minutes > 0) console.log(await memoryTable(browser, address, load, { minutes, changes }))
    load.close()
    const size = { times: values['first-views'], networks: values.networks.split(',') }
    if (size.times > 0) console.log(await firstViews(browser, address, size))
    console.log(shown)
    return shown
  } finally {
    await browser.close()
    await node.server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The content of a page that was opened before the given number of steps of the load, once they are done. */
async function shownAfter(browser: Browser, address: string, load: PageLoad, steps: number): Promise<string> {
  const watch = await PageWatch.open(browser, address, PAGE_CASES[0].viewport)
  await load.play(steps)
  // Each channel shows events in its own order, independently of the others.
  await load.fillAlice()
  await load.mark()
  const { quantity = '' } = load.marks.at(-1) ?? {}
  const cell = (row: string, text: string) =>
    watch.page.locator(`${row} td:nth-child(2)`, { hasText: new RegExp(`^${text}$`) }).waitFor()
  await cell('#bids', quantity)
  await cell('#tape tr:first-child', '60.000\\.50')
  const digest = new Bun.CryptoHasher('sha256').update(JSON.stringify(await watch.best())).digest('hex')
  await watch.close()
  return `shown: ${digest.slice(0, 8)}`
}

async function measure(
  browser: Browser,
  address: string,
  load: PageLoad,
  { name, viewport, slower, prepare }: PageCase,
  { changes: changesPerSecond, seconds }: Size,
): Promise<Measured> {
  const watch = await PageWatch.open(browser, address, viewport)
  await prepare(watch.page)
  await watch.watchFrames()
  load.begin(changesPerSecond)
  await watch.slowDown(slower)
  await Bun.sleep((seconds / WARM_UP_PART) * 1_000)
  const heapBefore = await watch.heapBytes()
  const [countBefore, marksBefore, startedAt] = [load.count, load.marks.length, performance.now()]
  let [count, tracedSeconds] = [countBefore, 0]
  const thread = await watch.trace(async () => {
    await Bun.sleep(seconds * 1_000)
    count = load.count
    tracedSeconds = (performance.now() - startedAt) / 1_000
  })
  const heapAfter = await watch.heapBytes()
  const delays = await watch.delays(load.marks.slice(marksBefore))
  load.end()
  await watch.close()
  const changes = {
    messages: count.messages - countBefore.messages,
    levels: count.levels - countBefore.levels,
  }
  return { name, thread, changes, tracedSeconds, delays, heapBytes: [heapBefore, heapAfter] }
}
