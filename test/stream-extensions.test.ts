/**
 * docs/reference/stream-extensions.md: its examples are real messages of the stream, and its program does
 * what the page says.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { BOOK_LEVELS, CHANNEL_NAMES, INTERVALS_MS } from '../src/contract/stream/channels.ts'
import { lots, price, timeMs } from '../src/units/quantities.ts'
import { type BookMessage, ChannelBook } from './support/channel-book.ts'
import { BTC, streamServers } from './support/stream-server.ts'
import { until } from './support/until.ts'

const PAGE = readFileSync(
  path.join(import.meta.dir, '..', 'docs', 'reference', 'stream-extensions.md'),
  'utf8',
)

/** The code blocks after `<!-- kind: name -->`, by name. */
function marked(kind: string): Map<string, string> {
  const blocks = PAGE.matchAll(new RegExp(`<!-- ${kind}: (\\S+) -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``, 'g'))
  return new Map([...blocks].map(([, name = '', text = '']) => [name, text]))
}

const EXAMPLES = new Map(
  [...marked('messages')].map(([name, text]) => [
    name,
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [string, Record<string, unknown>]),
  ]),
)

const { cleanups, serve, cleanUp } = streamServers()
afterEach(cleanUp)

/**
 * The market of the page: two levels per side, then an order that takes the best ask and rests with its
 * remainder.
 */
function market() {
  const it = serve()
  const { source, publish } = it
  source.place(BTC.id, 'SELL', price(6_000_050), lots(50_000_000))
  source.place(BTC.id, 'SELL', price(6_010_000), lots(100_000_000))
  source.place(BTC.id, 'BUY', price(5_999_000), lots(75_000_000))
  source.place(BTC.id, 'BUY', price(5_998_000), lots(1_000_000))
  publish()
  const takeBestAsk = () => {
    source.place(BTC.id, 'BUY', price(6_000_050), lots(70_000_000))
    publish()
  }
  const plan = () => {
    const current = { phase: 'TRADING', at: timeMs(0), actor: '', note: '' } as const
    const closed = { phase: 'CLOSED', at: timeMs(1_790_000_000_000), actor: 'eve', note: 'upgrade' } as const
    source.happen({ kind: 'PhasesChanged', phases: { current, planned: [closed] } })
    publish()
  }
  return { ...it, takeBestAsk, plan }
}

describe('the messages on the page', () => {
  test('every channel has its example', () => {
    const kinds = (channels: readonly string[]) =>
      new Set(channels.map((channel) => channel.replace(/_.*/, '')))
    const channels = [...EXAMPLES.values()].map((messages) => messages[1]?.[0] ?? '')
    expect(kinds(channels)).toEqual(kinds(CHANNEL_NAMES))
  })

  test.each([...EXAMPLES])('of %s are those that a subscriber gets', async (_name, messages) => {
    const { origin, takeBestAsk, plan, pass } = market()
    const socket = new WebSocket(`ws://${origin}`)
    cleanups.push(() => socket.close())
    const heard: unknown[] = []
    socket.onmessage = ({ data }) => heard.push(JSON.parse(String(data)))
    socket.onopen = () => socket.send(JSON.stringify(['subscribe', messages[0]?.[1]]))
    await until('the state has come', () => heard.length === 2)
    if (messages[1]?.[0] === 'status') plan()
    else takeBestAsk()
    await until('the trade has come', () => heard.length === 3)
    if (messages.length > 3) pass(60_000)
    await until('the change has come', () => heard.length === messages.length)
    expect(heard).toEqual(messages)
  })

  test('of book have the checksum of the text that the page shows', () => {
    const [, whole, change] = (EXAMPLES.get('book') ?? []).map(([, payload]) => payload as BookMessage)
    const [text = ''] = [...marked('checksum').values()].map((block) => block.trim())
    expect(whole?.checksum).toBe(crc32(text))
    const book = new ChannelBook()
    book.take(whole as BookMessage)
    expect(book.checksumText()).toBe(text)
    expect(book.checksums).toBe(1)
    book.take(change as BookMessage)
    expect(PAGE).toContain(`\`${book.checksumText()}\``)
  })

  test('are beside options with the existing values', () => {
    for (const [option, values] of [
      ['levels', BOOK_LEVELS],
      ['intervalMs', INTERVALS_MS],
    ] as const) {
      const stated = values.map((value) => `\`${value}\``).join(', ')
      expect(PAGE).toContain(`| \`${option}\` | integer | one of ${stated}`)
    }
  })

  test('have no field that the page does not explain', () => {
    for (const [, [, payload]] of [...EXAMPLES.values()].flatMap((messages) => [...messages.entries()])) {
      for (const field of Object.keys(payload)) expect(PAGE).toMatch(new RegExp(`^\\|.*\`${field}\``, 'm'))
    }
  })
})

test('the program on the page keeps the book and finds every checksum right', async () => {
  const [text = ''] = marked('snippet').values()
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-channels-'))
  cleanups.push(() => rmSync(directory, { recursive: true }))
  const file = path.join(directory, 'stream-book.mjs')
  writeFileSync(file, text)
  const { origin, takeBestAsk } = market()
  const env = { ...process.env, BOURSE_URL: `http://${origin}` }
  const program = Bun.spawn([process.execPath, file], { env, stdout: 'pipe', stderr: 'inherit' })
  let output = ''
  try {
    let isTaken = false
    for await (const chunk of program.stdout) {
      output += new TextDecoder().decode(chunk)
      if (output.includes('checksum right') && !isTaken) {
        isTaken = true
        takeBestAsk()
      }
      if (output.includes('ask 60100.00')) break
    }
  } finally {
    program.kill()
    await program.exited
  }
  expect(output).toBe(
    'bid 59990.00 0.75000000 ask 60000.50 0.50000000\nchecksum right\nbid 60000.50 0.20000000 ask 60100.00 1.00000000\n',
  )
})
