/** Compares the results of a session with the committed ones, name by name. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ENDPOINTS } from '../../src/contract/publish/endpoints.ts'
import { httpSession } from './parts/http-session.ts'
import { lackingInStream } from './parts/stream-session.ts'
import { formatTexts, parseTexts, recordedPart } from './recorded-part.ts'

const session = await httpSession()

async function differing(texts: typeof session, needed: readonly string[] = []): Promise<string[]> {
  const part = recordedPart({ name: 'people/http', aspect: 'body', run: async () => texts, needed })
  return (await part.compare()).map(({ aspect, kind }) => `${aspect} of ${kind}`)
}

test('a changed, a new and a removed body are named', async () => {
  const [ping, time, ...others] = session
  const changed = { kind: time?.kind ?? '', text: `${time?.text} ` }
  expect(await differing(session)).toEqual([])
  expect(await differing([changed, ...others, { kind: 'GET /new', text: '200' }])).toEqual([
    `unknown of ${ping?.kind}`,
    `body of ${time?.kind}`,
    'missing of GET /new',
  ])
})

test('an endpoint of the table that the session never asks is named', async () => {
  const needed = [
    ...ENDPOINTS.map(({ method, path }) => `${method} ${path}`),
    'GET /order/new',
    'GET /nothing',
  ]
  expect(await differing(session, needed)).toEqual(['missing of GET /order/new', 'missing of GET /nothing'])
})

test('a message of the stream, a channel and an end of an order that the session does not have are named', () => {
  const texts = parseTexts(readFileSync(path.join(import.meta.dir, 'people', 'stream.txt'), 'utf8'))
  const without = (words: RegExp) =>
    lackingInStream(new Map(texts.filter((entry) => !entry.some((text) => words.test(text)))))
  expect(without(/^never$/)).toEqual([])
  expect(without(/: live/)).toEqual(['live'])
  expect(without(/: kline_3d/)).toEqual(['channels: kline_3d'])
  expect(without(/answer order\.amend/)).toEqual(['entry: answer order.amend'])
  expect(without(/DEAD_MAN/)).toEqual(['"endReason":"DEAD_MAN"'])
})

test('recording keeps a body that is committed and adds what is new', async () => {
  const [ping, ...others] = session
  const texts = [{ kind: ping?.kind ?? '', text: 'another' }, ...others, { kind: 'GET /new', text: '200' }]
  const part = recordedPart({ name: 'people/http', aspect: 'body', run: async () => texts })
  const kept = new Map(parseTexts(await part.record({ anew: new Set() })))
  expect(kept.get(ping?.kind ?? '')).toBe(ping?.text)
  expect(kept.get('GET /new')).toBe('200')
  const anew = new Map(parseTexts(await part.record({ anew: new Set(['C']) })))
  expect(anew.get(ping?.kind ?? '')).toBe('another')
})

test('a text of several lines, empty ones among them, is read as it was written', () => {
  const texts: [string, string][] = [
    ['one', 'a\n\nb'],
    ['two', ''],
  ]
  expect(parseTexts(formatTexts(new Map(texts)))).toEqual(texts)
})
