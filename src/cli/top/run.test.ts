import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { UsageError } from '../arguments.ts'
import { runTop, type Screen, type TopHost } from './run.ts'
import type { TopView } from './view.ts'

/** A node whose counters are all one higher at each sample. */
let looks = 0
const node = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => {
    looks++
    return new Response(
      [
        'bourse_build_info{version="1.2.3"} 1',
        `bourse_ready ${looks > 2 ? 0 : 1}`,
        `bourse_orders_placed_total{symbol="BTC/USDT"} ${looks * 50}`,
        'bourse_symbol_trading{symbol="BTC/USDT"} 0',
        `bourse_refusals_total{reason="WAF"} ${looks}`,
        'bourse_refusals_total{reason="BANNED"} 7',
        'bourse_books_off_total 0',
        'bourse_clock_trusted 0',
        'bourse_clock_ahead_seconds 86400',
      ].join('\n'),
    )
  },
})
const URL_OF_NODE = `http://127.0.0.1:${node.port}`
afterAll(() => node.stop(true))
beforeEach(() => {
  looks = 0
})

type Seen = { out: string; err: string }

function host(screen?: Screen): TopHost & { readonly seen: Seen } {
  const seen: Seen = { out: '', err: '' }
  let ms = 0
  return {
    seen,
    print: (text) => {
      seen.out += `${text}\n`
    },
    printError: (text) => {
      seen.err += `${text}\n`
    },
    defaultData: undefined,
    screen,
    monotonicMs: () => ms,
    nowMs: () => 0,
    sleep: async (pauseMs) => {
      ms += pauseMs
    },
  }
}

describe('bourse top', () => {
  test('without a terminal it prints one view after the next interval and ends', async () => {
    const used = host()
    expect(await runTop(['--url', URL_OF_NODE, '--interval-seconds', '5'], used)).toBe(0)
    const lines = used.seen.out.split('\n')
    expect(lines[0]).toContain(`bourse 1.2.3 at ${URL_OF_NODE}`)
    expect(lines).toContain('BTC/USDT  ! not trading        10         0')
    expect(lines).toContain('WAF             0.2')
    expect(lines).toContain('! the clock is 1 d 0 h ahead and not trusted: new orders are refused')
    expect(used.seen.out).not.toContain('BANNED')
  })

  test('--json prints the same for programs', async () => {
    const used = host()
    await runTop(['--url', URL_OF_NODE, '--json'], used)
    const view = JSON.parse(used.seen.out) as TopView
    expect(view.market).toEqual([
      { symbol: 'BTC/USDT', isTrading: false, ordersPerSecond: 50, tradesPerSecond: 0 },
    ])
    expect(view.requests.refusals).toEqual([{ name: 'WAF', perSecond: 1 }])
  })

  test('in a terminal it draws at each interval, cut to its size, until q, and restores the screen', async () => {
    let drawn = ''
    let press = (_key: string): void => {}
    let isListening = false
    const used = host({
      write: (text) => {
        drawn += text
        if (drawn.includes('! the node is not ready')) press('q')
      },
      size: () => ({ columns: 40, rows: 10 }),
      onKey: (listener) => {
        press = listener
        isListening = true
        return () => {
          isListening = false
        }
      },
    })
    expect(await runTop(['--url', URL_OF_NODE], used)).toBe(0)
    expect([isListening, used.seen.out]).toEqual([false, ''])
    expect([drawn.startsWith('\u001b[?1049h'), drawn.endsWith('\u001b[?1049l')]).toEqual([true, true])
    const frames = drawn.split('\u001b[H').slice(1)
    expect(frames.length).toBeGreaterThanOrEqual(3)
    for (const frame of frames) {
      const lines = frame.split('\r\n')
      expect(lines.length).toBeLessThanOrEqual(10)
      for (const line of lines) expect(Bun.stripANSI(line).length).toBeLessThanOrEqual(40)
    }
  })

  test('a node that does not answer, and one that is not there, are reported in a line', async () => {
    const silent = host()
    expect(await runTop(['--url', 'http://127.0.0.1:1', '--once'], silent)).toBe(1)
    expect(silent.seen.err).toBe(
      'bourse top: the node does not answer at http://127.0.0.1:1: is it still running?\n',
    )
    const absent = host()
    expect(await runTop(['--data', '/no/such/directory'], absent)).toBe(1)
    expect(absent.seen.err).toContain('no node is running on /no/such/directory')
  })

  test('invalid arguments are a usage error', async () => {
    for (const line of [[], ['more'], ['--url', 'x'], ['--url', URL_OF_NODE, '--interval-seconds', '0']]) {
      await expect(runTop(line, host())).rejects.toThrow(UsageError)
    }
  })
})
