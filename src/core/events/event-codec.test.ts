import { expect, test } from 'bun:test'
import { ByteReader } from '../../units/bytes.ts'
import { testCodec } from '../commands/codec.contract.ts'
import type { ExchangeEvent } from './event.ts'
import { readEvent, writeEvent } from './event-codec.ts'
import { arbitraryEventByKind } from './message.arbitraries.ts'

testCodec<ExchangeEvent>({ write: writeEvent, read: readEvent }, arbitraryEventByKind)

test('an unknown code is a fault that names the place', () => {
  expect(() => readEvent(new ByteReader(Uint8Array.of(0)))).toThrow('unknown event code 0 at byte 0')
})
