import { expect, test } from 'bun:test'
import { ByteReader } from '../../units/bytes.ts'
import { testCodec } from '../commands/codec.contract.ts'
import { arbitraryReplyByKind } from './reply.arbitraries.ts'
import type { Reply } from './reply.ts'
import { readReply, writeReply } from './reply-codec.ts'

testCodec<Reply>({ write: writeReply, read: readReply }, arbitraryReplyByKind)

test('an unknown code is a fault that names the place', () => {
  expect(() => readReply(new ByteReader(Uint8Array.of(0)))).toThrow('unknown reply code 0 at byte 0')
})
