/**
 * Data written under newer rules is refused as a whole, because of the rules and not because of the first
 * unknown value.
 */
import { expect, test } from 'bun:test'
import { ByteReader, ByteWriter } from '../../units/bytes.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { readEvent, writeEvent } from '../events/event-codec.ts'
import { RULES_VERSION } from '../exchange/rules.ts'
import { readBootstrap, writeBootstrap } from '../questions/view-codec.ts'

const NEXT = RULES_VERSION + 1
const WORDS = `rules ${NEXT} are in force, but the newest rules of this program are ${RULES_VERSION}: start a newer version of the program`

test('a change to unknown rules is refused, and one to the newest known rules is read', () => {
  const bytes = (version: number) => {
    const writer = new ByteWriter()
    writeEvent(writer, { kind: 'RulesVersionChanged', version })
    return new ByteReader(writer.take())
  }
  expect(readEvent(bytes(RULES_VERSION))).toEqual({ kind: 'RulesVersionChanged', version: RULES_VERSION })
  expect(() => readEvent(bytes(NEXT))).toThrow(WORDS)
})

test('a state under unknown rules is refused by its rules, before any part that may have another form', () => {
  const nothing = { assets: [], symbols: [], accounts: [], apiKeys: [], books: [] }
  const writer = new ByteWriter()
  writeBootstrap(writer, { seq: 1 as Seq, time: 1 as TimeMs, rulesVersion: NEXT, ...nothing })
  const whole = writer.take()
  // The last six bytes are five empty lists and the flags of absent parts; the second form has other bytes
  // instead.
  const otherwise = new Uint8Array([...whole.subarray(0, -6), 255, 255, 255])
  for (const bytes of [whole, otherwise]) expect(() => readBootstrap(new ByteReader(bytes))).toThrow(WORDS)
})
