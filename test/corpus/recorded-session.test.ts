/**
 * A second opinion on the published files: a session of a real node is held to the files of its own commit and to those of today, and what the corpus has of
 * today to the files of that commit.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { CheckedAnswers, CheckedMessages } from '../schemas/checked.ts'
import { published } from '../schemas/strict.ts'
import { RECORDED, recordedSession } from './node-session.ts'
import { parseTexts } from './recorded-part.ts'

const { answers, messages } = recordedSession()

const JOURNAL = '0'.repeat(32)

/** With texts where the corpus has cut them out, a list of them in an answer's envelope, and a name for the journal of a test that a journal may have. */
function restored(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => {
    if (name === 'journal' && value === 'journal-of-a-test') return JOURNAL
    const isEnvelope = typeof value === 'object' && value !== null && 'msg' in value && 'code' in value
    return isEnvelope ? { ...value, msg: ['a text'] } : value
  })
}

function committed(name: string): [kind: string, text: string][] {
  return parseTexts(readFileSync(path.join(import.meta.dir, 'people', `${name}.txt`), 'utf8'))
}

/** Refusals that were recorded and are not given any more: both tickers answer without a key since. */
const GIVEN_UP = ['GET /ticker/bookTicker: 401', 'GET /ticker/bookTicker: 401', 'GET /ticker/price: 401']

for (const [which, folder, givenUp] of [
  ['of its own commit', RECORDED, []],
  ['that are published today', undefined, GIVEN_UP],
] as const) {
  describe(`the recorded session of a real node is as the files say ${which}`, () => {
    test('in each answer over HTTP, with its status, its headers and its reason', () => {
      const checked = new CheckedAnswers(published('openapi.json', folder))
      const faults = answers.map((seen) => checked.fault({ ...seen, headers: new Headers(seen.headers) }))
      const found = faults.filter((fault) => fault !== undefined)
      const isMeant = (fault: string) => givenUp.some((each) => fault.startsWith(`${each} `))
      expect(found.filter((fault) => !isMeant(fault))).toEqual([])
      expect(found.length).toBe(givenUp.length)
      expect(
        new Set(answers.filter(({ status }) => status === 200).map((seen) => `${seen.method} ${seen.path}`))
          .size,
      ).toBeGreaterThan(35)
    })

    test('in each message of the stream', () => {
      const checked = new CheckedMessages(published('asyncapi.json', folder))
      const found = messages.map((message) => checked.find(message))
      expect(found.filter((each) => 'fault' in each)).toEqual([])
      expect(new Set(found.map((each) => 'id' in each && each.id)).size).toBeGreaterThan(12)
    })
  })
}

describe('a client made from the files of the recorded session accepts today’s answers', () => {
  test('in each body over HTTP', () => {
    const checked = new CheckedAnswers(published('openapi.json', RECORDED), true)
    const faults = committed('http').flatMap(([kind, text]) => {
      const [method = '', at = ''] = kind.split(' ')
      const [head = '', ...body] = text.split('\n')
      if (!head.includes('application/json')) return []
      const asked = { method, path: at, status: Number(head.split(' ')[0]) }
      const fault = checked.bodyFault(asked, restored(body.join('\n')))
      return fault === undefined ? [] : [`${kind}: ${fault}`]
    })
    expect(faults).toEqual([])
  })

  test('in each message of the stream', () => {
    const checked = new CheckedMessages(published('asyncapi.json', RECORDED), true)
    const found = committed('stream').map(([, text]) => checked.find(restored(text)))
    expect(found.filter((each) => 'fault' in each)).toEqual([])
  })
})
