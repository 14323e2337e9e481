import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { eventJson, parseClientMessage } from './stream.ts'

describe('client messages', () => {
  test('the two documented shapes are read', () => {
    expect(parseClientMessage('["join","BTC/USDT"]')).toEqual({ kind: 'join', symbol: 'BTC/USDT' })
    expect(parseClientMessage(' ["change_room", "A/B", "C/D"] ')).toEqual({
      kind: 'change_room',
      from: 'A/B',
      to: 'C/D',
    })
  })

  test('what is no array with a name first cannot be read', () => {
    for (const text of ['', 'join', '{}', 'null', '[]', '[1]', '[["join"]]', '["join"', '"join"']) {
      expect(parseClientMessage(text)).toEqual({ kind: 'fault', reason: 'UNREADABLE_MESSAGE' })
    }
  })

  test('another name, letter case or number of arguments is no message of ours', () => {
    const messages = [
      '["join"]',
      '["join",1]',
      '["join","A/B","C/D"]',
      '["Join","A/B"]',
      '["change_room","A/B"]',
    ]
    for (const text of [...messages, '["change_room","A/B",null]', '["__proto__","A/B"]', '["orders",{}]']) {
      expect(parseClientMessage(text)).toEqual({ kind: 'fault', reason: 'UNKNOWN_MESSAGE' })
    }
  })

  test('no text makes the reader throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['join', 'change_room', 'fault']).toContain(parseClientMessage(text).kind)
      }),
    )
  })
})

test('a server event is an array of its name and its payload as it stands', () => {
  expect(eventJson('orders', '{"sell":{},"buy":{}}')).toBe('["orders",{"sell":{},"buy":{}}]')
})
