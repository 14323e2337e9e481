import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { eventJson, parseClientFrame } from './stream.ts'

describe('client messages', () => {
  test('the two documented forms are read', () => {
    expect(parseClientFrame('["join","BTC/USDT"]')).toEqual([{ kind: 'join', symbol: 'BTC/USDT' }])
    expect(parseClientFrame(' ["change_room", "A/B", "C/D"] ')).toEqual([
      { kind: 'change_room', from: 'A/B', to: 'C/D' },
    ])
  })

  test('anything but an array that begins with a name cannot be read', () => {
    for (const text of ['', 'join', '{}', 'null', '[]', '[1]', '["join"', '"join"']) {
      expect(parseClientFrame(text)).toEqual([{ kind: 'fault', reason: 'UNREADABLE_MESSAGE' }])
    }
  })

  test('another name, letter case or number of arguments is an unknown message', () => {
    const messages = [
      '["join"]',
      '["join",1]',
      '["join","A/B","C/D"]',
      '["Join","A/B"]',
      '["change_room","A/B"]',
    ]
    for (const text of [...messages, '["change_room","A/B",null]', '["__proto__","A/B"]', '["orders",{}]']) {
      expect(parseClientFrame(text)).toEqual([{ kind: 'fault', reason: 'UNKNOWN_MESSAGE' }])
    }
  })

  test('an array of arrays holds as many messages as it has elements', () => {
    expect(parseClientFrame('[["join","A/B"],7,["order.place","a",{"x":1}],["login",{}]]')).toEqual([
      { kind: 'join', symbol: 'A/B' },
      { kind: 'fault', reason: 'UNREADABLE_MESSAGE' },
      { kind: 'request', name: 'order.place', id: '"a"', fields: { x: 1 } },
      { kind: 'login', fields: {} },
    ])
  })

  test('the id of a request is a short text or a whole number', () => {
    const idOf = (id: unknown) => parseClientFrame(JSON.stringify(['order.cancel', id, {}]))
    for (const [id, json] of [
      ['a"\n', '"a\\"\\n"'],
      [-7, -7],
      ['x'.repeat(64), `"${'x'.repeat(64)}"`],
    ] as const) {
      expect(idOf(id)).toEqual([{ kind: 'request', name: 'order.cancel', id: json, fields: {} }])
    }
    for (const id of ['', 'x'.repeat(65), 1.5, 2 ** 53, null, {}, true]) {
      expect(idOf(id)).toMatchObject([{ kind: 'fault', reason: 'INVALID_PARAMETER', name: 'requestId' }])
    }
  })

  test('no text makes the reader throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const { kind } of parseClientFrame(text))
          expect(['join', 'change_room', 'fault']).toContain(kind)
      }),
    )
  })
})

test('a server event is an array of its name and its unchanged payload', () => {
  expect(eventJson('orders', '{"sell":{},"buy":{}}')).toBe('["orders",{"sell":{},"buy":{}}]')
})
